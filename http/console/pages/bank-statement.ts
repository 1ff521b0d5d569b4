/** A bank's statement that somebody has sent: how far it is, and what each entry comes to. */
import { OperationError } from '../../../actors/foundation/operation.ts'
import type { BankVerdict } from '../../../actors/reconciliation/bank-entry.ts'
import {
  reconciliationBankProgress,
  reconciliationBook,
} from '../../../actors/reconciliation/bank-operation.ts'
import type { BankFileDocument, BankRunState } from '../../../actors/reconciliation/bank-runs.ts'
import type { Block, Cell, Column, Text, Tone } from '../blocks.ts'
import { count, day, money, shortLink } from '../cells.ts'
import { operationForm } from '../forms.ts'
import { failureNotice } from '../notices.ts'
import type { Page, PageRequest, PageView } from '../page.ts'
import { joined, named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import type { Words } from '../view.ts'
import { told } from '../wording.ts'
import { statementForm } from './bank.ts'

export const bankStatementPage: Page = {
  path: /^\/bank\/statements\/(?<run>[\w-]{1,40})$/,
  least: 'operator',
  room: 'Payments',
  async render(request) {
    const asked = await progress(request)
    if (asked instanceof OperationError) return refusedView(request, asked)
    const document = asked
    const isMoving = document.state === 'reading' || document.state === 'booking'
    const title = document.dryRun
      ? (texts: Texts) => texts.bank.whatTheStatementComesTo
      : (texts: Texts) => texts.bank.theStatementIsBooked
    return {
      title: isMoving ? (texts) => texts.bank.theStatementIsWorkedOn : joined([title, document.bank], ': '),
      crumb: { href: '/bank', text: (texts) => texts.common.linesOfTheBanks },
      ...(isMoving ? { liveSeconds: 2 } : {}),
      blocks: [notice(document), ...bookForm(request, document), tiles(document), entries(document)],
    }
  },
}

/** How far it is, or why the file was refused. */
async function progress({ ask, params }: PageRequest): Promise<BankFileDocument | OperationError> {
  try {
    return await ask(reconciliationBankProgress, { run: params.run ?? '' })
  } catch (error) {
    if (error instanceof OperationError && ['invalid', 'refused'].includes(error.code)) return error
    throw error
  }
}

/** The next file is sent from here, for the bank that was chosen. */
async function refusedView(request: PageRequest, error: OperationError): Promise<PageView> {
  return {
    title: (texts) => texts.bank.itCouldNotBeWorkedOn,
    crumb: { href: '/bank', text: (texts) => texts.common.linesOfTheBanks },
    blocks: [failureNotice(error), ...(await statementForm(request, request.query.get('bank') ?? ''))],
  }
}

/** What was looked at is booked from here. */
function bookForm(request: PageRequest, { state, dryRun, run }: BankFileDocument): Block[] {
  if (state !== 'done' || !dryRun) return []
  return operationForm(request, reconciliationBook, {
    title: (texts) => texts.common.bookIt,
    button: (texts) => texts.common.bookIt,
    fields: [],
    hidden: { run },
    isMain: true,
  })
}

const tones: Readonly<Record<BankRunState, Tone>> = {
  reading: 'busy',
  booking: 'busy',
  done: 'good',
  failed: 'bad',
}

function notice({ state, read, judged, dryRun, problem, outcomes }: BankFileDocument): Block {
  const open = (outcomes.unidentified ?? 0) + (outcomes.proposed ?? 0)
  const lines: Record<BankRunState, (Words | Text)[]> = {
    reading: [(texts, view) => texts.bank.entriesAreRead(view.counted(read))],
    booking: [(texts, view) => texts.bank.ofEntriesAreDone(view.number(judged), view.number(read))],
    done: dryRun ? [(texts) => texts.bank.sendItAgainToBook] : [],
    failed: [problem === null ? '' : told(problem)],
  }
  const tone = state === 'done' && (dryRun || open > 0) ? 'waiting' : tones[state]
  const titles: Record<BankRunState, Words> = {
    reading: (texts) => texts.bank.theStatementIsWorkedOn,
    booking: (texts) => texts.bank.theStatementIsWorkedOn,
    done: (texts, view) => {
      if (dryRun) return texts.bank.nothingIsBookedYet
      return open > 0 ? texts.bank.bookedAndWaiting(view.counted(open)) : texts.bank.allEntriesAreDone
    },
    failed: (texts) => texts.bank.itCouldNotBeWorkedOn,
  }
  return { kind: 'notice', tone, title: titles[state], lines: lines[state] }
}

function tiles({ outcomes }: BankFileDocument): Block {
  return {
    kind: 'tiles',
    label: (texts) => texts.bank.entries,
    items: Object.entries(outcomes).map(([outcome, number]) => ({
      label: named(outcome),
      value: count(number),
      tone: isOutcome(outcome) ? outcomeTones[outcome] : 'plain',
    })),
  }
}

function entries({ verdicts, currency, dryRun }: BankFileDocument): Block {
  const columns: Column[] = [
    { label: (texts) => texts.bank.entryNumber, isRight: true },
    { label: ({ common }) => common.reference },
    { label: (texts) => texts.bank.textOfTheBank },
    { label: ({ common }) => common.way },
    { label: ({ common }) => common.amount, isRight: true },
    { label: (texts) => texts.bank.valueDay },
    { label: ({ common }) => common.comesTo },
    { label: (texts) => texts.bank.about },
  ]
  const rows = verdicts.map((one): Cell[] => [
    `${one.entry}`,
    one.reference,
    one.text === '' ? null : one.text,
    named(one.direction),
    money(one.amount, currency),
    day(one.valueDay),
    outcomeCell(one),
    about(one, dryRun),
  ])
  return {
    kind: 'table',
    label: (texts) => texts.bank.entries,
    empty: (texts) => texts.bank.thereIsNoEntryIn,
    columns,
    rows,
  }
}

function outcomeCell({ outcome, proposals, note }: BankVerdict): Cell {
  const cell = { text: named(outcome), tone: outcomeTones[outcome] }
  if (outcome === 'proposed')
    return { ...cell, note: (texts, view) => texts.bank.paymentsHaveThisAmount(view.counted(proposals)) }
  return note === '' || outcome === 'booked_before' ? cell : { ...cell, note: told(note) }
}

/** What somebody books of a proposal is in the form already; before a file is booked its entries are nowhere. */
function about({ outcome, payment, exception, reference, valueDay }: BankVerdict, dryRun: boolean): Cell {
  if (exception !== null) return shortLink(`/exceptions/${exception}`, exception)
  if (payment === null || outcome === 'booked_before') return null
  if (outcome !== 'proposed' || dryRun) return shortLink(`/payments/${payment}`, payment)
  const said = new URLSearchParams({ reference, ...(valueDay === null ? {} : { valueDay }) })
  return shortLink(`/payments/${payment}?${said}`, payment)
}

const outcomeTones: Readonly<Record<BankVerdict['outcome'], Tone>> = {
  booked_before: 'plain',
  booked: 'good',
  returned: 'waiting',
  proposed: 'waiting',
  unidentified: 'bad',
}

function isOutcome(text: string): text is BankVerdict['outcome'] {
  return Object.hasOwn(outcomeTones, text)
}
