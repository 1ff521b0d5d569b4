/** What a file would change, for a terminal: a line for each thing, and below it each member with its old and its new value. */
import type { Beginning, ChangedMember, Difference } from '../actors/provisioning/differences.ts'
import { printableLine } from './printable.ts'

export function differenceText(differences: readonly Difference[]): string {
  return differences.map(oneText).join('')
}

function oneText({ what, members, postings }: Difference): string {
  const widest = Math.max(0, ...members.map(({ name }) => name.length))
  return [
    printableLine(what),
    ...members.map((member) => `  ${member.name.padEnd(widest)}  ${memberText(member)}`),
    ...postings.map(
      ({ kind, debit, credit, amount, currency }) =>
        `  posting ${kind}: debit ${printableLine(debit)}, credit ${printableLine(credit)}, ${amount} ${currency}`,
    ),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

function memberText({ before, after, begins }: ChangedMember): string {
  const [was, is] = [before, after].map((value) => (value === null ? '–' : printableLine(value)))
  return `${was} → ${is}${beginsText(begins)}`
}

function beginsText(begins: Beginning): string {
  switch (begins.at) {
    case 'once':
      return ''
    case 'day':
      return `, from ${begins.day} (${begins.timeZone})`
    case 'delay':
      return `, ${begins.hours} hours after it is applied`
  }
}
