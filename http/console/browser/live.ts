/** A page is asked for anew while somebody looks, as a whole: all that it shows is of one moment, or none of it is replaced. */
import { enhance } from './enhance.ts'
import { textOf } from './texts.ts'
import { setNow } from './times.ts'

export function keepLive(main: HTMLElement): void {
  const line = liveLine(main)
  // As the node wrote it: what scripts add is no change of it.
  const page: LivePage = { main, shown: comparable(main), say: line }
  const refreshQuietly = () => void refresh(page).catch(() => page.say(states.offline))
  setInterval(refreshQuietly, Number(main.dataset.liveSeconds) * 1000)
  document.addEventListener('visibilitychange', refreshQuietly)
}

interface LivePage {
  readonly main: HTMLElement
  shown: string
  say(text: string): void
}

const states = { current: '', changed: textOf('changed'), offline: textOf('offline') } as const

/** A line above the page that says when it is not what the node would show now. */
function liveLine(main: HTMLElement): (text: string) => void {
  const line = document.createElement('p')
  line.className = 'live-state notice waiting'
  line.setAttribute('role', 'status')
  line.hidden = true
  main.before(line)
  return (text) => {
    if (line.textContent === text) return
    line.textContent = text
    line.hidden = text === ''
  }
}

/** Each answer gives its forms ids of their own, which nobody sees. */
function comparable(main: Element): string {
  return main.innerHTML.replace(/name="form_id" value="[^"]*"/g, '')
}

async function refresh(page: LivePage): Promise<void> {
  if (document.hidden) return
  // It says that nobody asked, so that a page left open does not keep its session alive.
  const answer = await fetch(location.href, { headers: { 'Live-Refresh': '1' }, redirect: 'manual' })
  if (answer.status === 401 || answer.type === 'opaqueredirect') return location.reload()
  if (!answer.ok) return page.say(states.offline)
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const other = fresh.querySelector('main')
  if (other === null) return
  const shown = comparable(other)
  // The heading, the facts and what may be done belong together: all of it is replaced, or nothing is.
  if (page.shown !== shown) {
    if (isInUse(page.main)) return page.say(states.changed)
    replaceContent(page.main, other)
    page.shown = shown
  }
  document.title = fresh.title
  const rooms = document.querySelector('nav.rooms')
  // Nobody's menu is closed under their hands.
  if (rooms?.querySelector(':popover-open') === null)
    rooms.replaceWith(...fresh.querySelectorAll('nav.rooms'))
  setNow(fresh.body.dataset.now)
  enhance(page.main)
  page.say(states.current)
}

function replaceContent(main: HTMLElement, other: Element): void {
  const place = placeOf(main, document.activeElement)
  const opened = new Set(
    [...main.querySelectorAll('details[open] > summary')].map(({ textContent }) => textContent),
  )
  const sizes = [...main.querySelectorAll('.zoom input:checked')].map(({ id }) => id)
  main.replaceChildren(...other.childNodes)
  for (const id of sizes) main.querySelector<HTMLInputElement>(`#${CSS.escape(id)}`)?.click()
  for (const summary of main.querySelectorAll('details > summary'))
    if (opened.has(summary.textContent)) summary.parentElement?.setAttribute('open', '')
  // What scripts add may have been focused, too.
  enhance(main)
  place()?.focus()
}

/** Finds again what was focused: the keyboard goes on from there. */
function placeOf(main: HTMLElement, focused: Element | null): () => HTMLElement | null {
  if (focused === null || !main.contains(focused)) return () => null
  const href = focused.getAttribute('href')
  if (href !== null) return () => main.querySelector(`a[href="${CSS.escape(href)}"]`)
  const { tagName } = focused
  const name = nameOf(focused)
  const same = (other: Element) => nameOf(other) === name
  return () => [...main.querySelectorAll<HTMLElement>(tagName)].find(same) ?? null
}

const nameOf = (element: Element) => element.getAttribute('aria-label') ?? element.textContent

/** Somebody is filling in a form of it, or is about to copy from it. */
function isInUse(main: HTMLElement): boolean {
  const selection = getSelection()
  const isSelected = selection !== null && !selection.isCollapsed && main.contains(selection.anchorNode)
  const controls = main.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
    'form :is(input:not([type=hidden]), select, textarea)',
  )
  return (
    // A form that is open may have no field.
    main.querySelector(':popover-open') !== null ||
    isSelected ||
    [...controls].some((control) => control === document.activeElement || isChanged(control))
  )
}

function isChanged(control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement): boolean {
  if (control instanceof HTMLSelectElement)
    return [...control.options].some((option, index) => {
      const isFirst = index === 0 && ![...control.options].some(({ defaultSelected }) => defaultSelected)
      return option.selected !== (option.defaultSelected || isFirst)
    })
  if (control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type))
    return control.checked !== control.defaultChecked
  return control.value !== control.defaultValue
}
