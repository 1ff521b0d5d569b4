/** What a notice says to a reader of mail: subject, text and HTML, in the language and the zone of its channel. Pure. */
import { htmlText } from '../foundation/html-text.ts'
import type { Language } from './channels.ts'
import type { EventName, Invited, LastingEvent, Notice, Told } from './events.ts'
import { eventSorts } from './events.ts'
import { en } from './texts/en.ts'
import { es } from './texts/es.ts'
import { pt } from './texts/pt.ts'
import type { EventText, Texts } from './texts/texts.ts'

const textsOf: Readonly<Record<Language, Texts>> = { en, es, pt }

export interface Message {
  subject: string
  text: string
  html: string
}

interface Section {
  title: string
  lines: readonly string[]
}

/** @param link of an invitation: it stands in the mail itself, and nowhere else */
export function messageOf(notice: Notice, link: string | null = null): Message {
  const texts = textsOf[notice.language]
  if (notice.invited !== undefined) return invitationOf(notice, notice.invited, link)
  const sections = notice.told.map((told) => sectionOf(told, texts, notice))
  const subject = subjectOf(notice, texts, sections)
  const intro = notice.purpose === 'digest' ? [texts.digest.intro] : []
  const outro = [
    ...(notice.purpose === 'test' ? [texts.test.detail] : []),
    ...(notice.more && notice.party === null ? [texts.digest.more] : []),
  ]
  const footer = [
    notice.party === null ? texts.footer(notice.channel) : texts.partyFooter,
    ...(notice.mode === 'sandbox' ? [texts.sandbox] : []),
  ]
  const content = [
    ...intro.map(paragraph),
    ...sections.map(({ title, lines }) => heading(title) + lines.map(paragraph).join('')),
    ...outro.map(paragraph),
  ]
  return {
    subject: subjectLine(notice, subject),
    text: textOf(
      [
        ...intro,
        ...sections.map(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)].join('\n')),
        ...outro,
      ],
      footer,
    ),
    html: htmlOf(notice.language, subject, content, footer),
  }
}

function invitationOf(
  notice: Notice,
  { name, role, invitedBy, expires }: Invited,
  link: string | null,
): Message {
  const { invitation, sandbox } = textsOf[notice.language]
  const lead = plain(invitation.lead(name, invitation.roles[role], invitedBy))
  const until = invitation.until(localTime(expires, notice.timeZone))
  const address = link ?? invitation.hidden
  const anchor = link === null ? '' : `<a href="${htmlText(link)}">${htmlText(link)}</a>`
  const footer = [invitation.unexpected, ...(notice.mode === 'sandbox' ? [sandbox] : [])]
  return {
    subject: subjectLine(notice, invitation.subject),
    text: textOf([lead, `${invitation.open}\n${address}`, until], footer),
    html: htmlOf(
      notice.language,
      invitation.subject,
      [
        heading(invitation.subject) + paragraph(lead),
        `${paragraph(invitation.open)}<p style="${style.line}">${anchor}</p>`,
        paragraph(until),
      ],
      footer,
    ),
  }
}

function subjectLine({ mode }: Notice, subject: string): string {
  return `[Ventanilla${mode === 'sandbox' ? ' sandbox' : ''}] ${subject}`
}

function subjectOf({ purpose }: Notice, texts: Texts, sections: readonly Section[]): string {
  if (purpose === 'test') return texts.test.subject
  const [first] = sections
  if (purpose === 'event' && first !== undefined) return first.title
  return texts.digest.subject(sections.length)
}

function sectionOf(told: Told, texts: Texts, { purpose, timeZone, party }: Notice): Section {
  const { phase, count, first, last } = told
  const { title, detail, action } = wordsOf(told, texts)
  const began = localTime(first, timeZone)
  const ended = localTime(last, timeZone)
  const ongoing = phase === 'on' ? texts.since(began) : texts.at(ended)
  const when = began === ended ? ongoing : texts.between(wallTime(first, timeZone), ended)
  const isCounted = count > 1 && (purpose === 'digest' || phase === 'once')
  const repeated = count > 0 && phase === 'over' && purpose !== 'digest'
  const times = [
    isCounted ? `${when} (${texts.times(count)})` : when,
    ...(repeated ? [texts.repeated(count)] : []),
  ]
  return {
    title,
    lines: [
      ...(phase === 'over' ? [] : detail),
      ...times,
      ...(phase === 'over' || party !== null ? [] : action),
    ],
  }
}

function wordsOf(told: Told, texts: Texts): { title: string; detail: string[]; action: string[] } {
  const text = texts.events[told.event] as EventText<EventName>
  // The text of an event takes its facts, which TypeScript does not follow through the union.
  const facts = told.facts as never
  const isOver = told.phase === 'over' && eventSorts[told.event] === 'lasting'
  const title = isOver ? (text as EventText<LastingEvent>).over(facts) : text.title(facts)
  return {
    title: plain(title),
    detail: text.detail(facts).map(plain),
    action: text.action(facts).map(plain),
  }
}

/** A name that an operator has given may hold anything: here it is one line. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, 500)
}

/** `2026-11-29 08:00 (America/Mexico_City)` */
function localTime(instant: string, timeZone: string): string {
  return `${wallTime(instant, timeZone)} (${timeZone})`
}

/** Sweden writes days and times as ISO 8601 does. */
function wallTime(instant: string, timeZone: string): string {
  const written = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return written.format(new Date(instant))
}

function textOf(blocks: readonly string[], footer: readonly string[]): string {
  return `${[...blocks, `-- \n${footer.join('\n')}`].join('\n\n')}\n`
}

const style = {
  body: 'margin:0;padding:24px;background:#f5f5f4;color:#1c1917;font:16px/1.5 system-ui,-apple-system,Segoe UI,sans-serif',
  card: 'max-width:600px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #e7e5e4;border-radius:8px',
  title: 'margin:16px 0 4px;font-size:18px;line-height:1.35;overflow-wrap:anywhere',
  line: 'margin:0 0 4px;overflow-wrap:anywhere',
  footer: 'margin:24px 0 0;padding-top:12px;border-top:1px solid #e7e5e4;color:#57534e;font-size:13px',
} as const

const paragraph = (line: string) => `<p style="${style.line}">${htmlText(line)}</p>`
const heading = (title: string) => `<h2 style="${style.title}">${htmlText(title)}</h2>`

/**
 * Nothing in it is fetched from anywhere, and nothing but the address of an invitation is a link: whoever else reads it knows where the
 * console is.
 */
function htmlOf(
  language: Language,
  subject: string,
  content: readonly string[],
  footer: readonly string[],
): string {
  const foot = `<p style="${style.footer}">${footer.map(htmlText).join('<br>')}</p>`
  return (
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${htmlText(subject)}</title></head><body style="${style.body}">` +
    `<div style="${style.card}">${[...content, foot].join('\n')}</div></body></html>`
  )
}
