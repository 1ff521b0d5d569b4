/** How long ago things happened, by the clock of the node: the one of this machine may go wrong. */

import { textOf } from './texts.ts'

let nodeNow = 0
let readAt = 0

export function setNow(iso: string | undefined): void {
  if (iso === undefined) return
  nodeNow = Date.parse(iso)
  readAt = performance.now()
}

/** What a page marks as a time elsewhere, such as the days of a calendar, stays as it is. */
const told = 'td time:not(.exact), dd time:not(.exact)'

/** In tables, where moments take the most room, and beside the moment elsewhere. */
export function tellAges(root: ParentNode): void {
  if (nodeNow === 0) return
  const now = nodeNow + performance.now() - readAt
  for (const time of root.querySelectorAll<HTMLTimeElement>(told)) {
    const exact = time.dataset.exact ?? time.textContent ?? ''
    const age = ageText(Date.parse(time.dateTime) - now)
    const isInTable = time.closest('td') !== null
    const text = age === null ? exact : isInTable ? age : `${exact} (${age})`
    time.dataset.exact = exact
    if (isInTable && age !== null) time.dataset.told = exact
    if (time.textContent !== text) time.textContent = text
  }
}

const units = [
  { name: 'day', ms: 86_400_000 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
] as const

const format = new Intl.RelativeTimeFormat(document.documentElement.lang, { style: 'short' })

/** Older than that, a day says more. */
const longestMs = 60 * 86_400_000

/** `5 min ago`, `in 2 days`, in the language of the page; `null` where the moment itself says more. */
function ageText(awayMs: number): string | null {
  const length = Math.abs(awayMs)
  if (!(length < longestMs)) return null
  const unit = units.find(({ ms }) => length >= ms)
  if (unit === undefined) return textOf(awayMs > 0 ? 'inAMoment' : 'justNow')
  const count = Math.floor(length / unit.ms)
  // Abbreviations have no points in lists.
  return format.format(awayMs > 0 ? count : -count, unit.name).replace('.', '')
}
