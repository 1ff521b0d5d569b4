/** The markup of where an order is paid. */
import { attributes, html, type Markup } from '../pages/markup.ts'

export interface PlaceData {
  name: string
  /** What is agreed on with it, each in a line. */
  lines: readonly string[]
  /** What it says itself, and in which language where that is not the page's. */
  note: { text: string; language: string | null } | null
}

export interface PlacesData {
  /** Where one goes; `null` where nothing is known of it. */
  where: { heading: string; places: readonly PlaceData[]; more: string | null } | null
  bring: { heading: string; items: readonly string[] }
}

export function placesMarkup({ where, bring }: PlacesData): Markup {
  return html`
  <div id="places">
  ${
    where === null
      ? ''
      : html`<section>
    <h2>${where.heading}</h2>
    <ul class="places">${where.places.map(placeMarkup)}</ul>
    ${where.more === null ? '' : html`<p class="label">${where.more}</p>`}
  </section>`
  }
  <section>
    <h2>${bring.heading}</h2>
    <ul>${bring.items.map((item) => html`<li>${item}</li>`)}</ul>
  </section>
  </div>`
}

export function placeMarkup({ name, lines, note }: PlaceData): Markup {
  return html`
      <li><strong><bdi>${name}</bdi></strong>${lines.map(
        (line) => html`
        <span class="label"><bdi>${line}</bdi></span>`,
      )}${
        note === null
          ? ''
          : html`
        <span${attributes({ lang: note.language })}><bdi>${note.text}</bdi></span>`
      }</li>`
}
