/** All that has happened with an order, and what happens to it next, in one list: events, money, webhooks, deposits. */
import { detailTexts } from '../../../actors/orders/detail-text.ts'
import type { AttemptLine, ChainDepositLine, JournalLine } from '../../../actors/orders/document-lines.ts'
import type { OrderDocument } from '../../../actors/orders/documents.ts'
import type { Block, Cell, Text } from '../blocks.ts'
import { accountName, actorCell, moment, money, shortLink, state } from '../cells.ts'
import { attemptTone } from '../meanings.ts'
import { joined, named, word } from '../readable.ts'
import { whyCell } from '../reasons.ts'
import type { Texts } from '../texts/index.ts'
import type { Words } from '../view.ts'

interface Line {
  at: string
  /** Of what happened at one moment: what was told, what came of it, what was told of that. */
  rank: number
  what: Cell
  who: Cell
  outcome: Cell
  details: Cell
}

/** A page of thousands of lines is read by nobody; `order show` has them all. */
const mostLines = 150

/** The newest first. */
export function timeLine(order: OrderDocument): Block[] {
  const lines = [
    ...order.journal.map((line) => journalLine(line, order)),
    ...order.postings.map(
      (line): Line => ({
        at: line.at,
        rank: 1,
        what: { text: (texts) => texts.timeLine.money(word(texts, line.kind)) },
        who: joined([accountName(line.from), accountName(line.to)], ' → '),
        outcome: money(line.amount, line.currency),
        details: null,
      }),
    ),
    ...webhookLines(order),
    ...order.attempts.map((line) => attemptLine(line, order)),
    ...order.deposits.map(depositLine),
    ...order.exceptions.map(
      (line): Line => ({
        at: line.openedAt,
        rank: 4,
        what: { text: (texts) => texts.timeLine.exception, href: `/exceptions/${line.id}` },
        who: null,
        outcome: state(line.state),
        details: whyCell(line),
      }),
    ),
  ]
  const sorted = lines
    .map((line, index) => ({ line, index }))
    .toSorted((a, b) => compare(b.line.at, a.line.at) || b.line.rank - a.line.rank || b.index - a.index)
    .map(({ line }) => line)
  const left = sorted.length - mostLines
  return [
    {
      kind: 'heading',
      text: (texts) => texts.timeLine.timeLine,
      note: (texts) => texts.common.theNewestFirst,
    },
    {
      kind: 'table',
      label: (texts) => texts.timeLine.timeLine,
      empty: (texts) => texts.common.nothingYet,
      isList: true,
      columns: [
        { label: (texts) => texts.common.at },
        { label: (texts) => texts.common.what },
        { label: (texts) => texts.timeLine.whoOrWhere },
        { label: (texts) => texts.common.outcome },
        { label: (texts) => texts.timeLine.details, isCut: true },
      ],
      rows: sorted
        .slice(0, mostLines)
        .map(({ at, what, who, outcome, details }) => [moment(at), what, who, outcome, details]),
    },
    ...(left > 0
      ? [
          {
            kind: 'text',
            text: (texts: Texts) => texts.timeLine.olderLinesAreLeftOut(left, order.id),
          } as const,
        ]
      : []),
  ]
}

/** As texts: ISO 8601 in one form. */
function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

function journalLine(line: JournalLine, { currency }: OrderDocument): Line {
  const isAccepted = line.outcome === 'accepted'
  return {
    at: line.at,
    rank: 0,
    what: { text: named(line.event), title: line.event, ...claimOf(line) },
    who: whoCell(line),
    outcome: isAccepted
      ? state(line.to)
      : { text: (texts) => texts.timeLine.refused(word(texts, line.outcome)), tone: 'bad' },
    details: detailsOf(line.details, currency),
  }
}

/** What is said of a claim leads to it. */
function claimOf({ details }: JournalLine): Pick<Text, 'href'> {
  const { claim } = details
  return typeof claim === 'number' ? { href: `/claims/${claim}` } : {}
}

/** `merchant:Shop`: whoever it was has a page. */
function whoCell({ actor, key }: JournalLine): Cell {
  const title = key === null ? {} : { title: (texts: Texts) => texts.timeLine.signedWith(key) }
  const [, name] = /^operator:(.*)$/s.exec(actor) ?? []
  // Among merchants and providers it is said who an operator is.
  if (name !== undefined) return { text: ({ timeLine }) => timeLine.operator(name), ...title }
  return { ...actorCell(actor), ...title }
}

/** A transaction is thousands of signs long, and the inspector shows it whole. */
const maxDetailLength = 120

function detailsOf(details: Readonly<Record<string, unknown>>, currency: string): Cell {
  const parts = detailTexts(details, currency).map(({ name, text }) => {
    const shown = text.length > maxDetailLength ? `${text.slice(0, maxDetailLength - 1)}…` : text
    return joined([named(name), wordsOf.has(name) ? named(shown) : momentIn(shown)], ': ')
  })
  return parts.length === 0 ? null : { text: joined(parts), isLong: true }
}

/** What these say is a word of the program's own. */
const wordsOf: ReadonlySet<string> = new Set(['as', 'kind'])

/** A moment among the details is of the reader’s zone, as all others. */
function momentIn(text: string): Words {
  if (text === 'true' || text === 'false') return ({ common }) => (text === 'true' ? common.yes : common.no)
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? (_, view) => view.time(text) : text
}

/** What is told of the order, and what is due to be sent. */
function webhookLines({ webhooks, notifyUrl }: OrderDocument): Line[] {
  return webhooks.flatMap((webhook): Line[] => {
    const what: Text = {
      text: (texts) => texts.timeLine.webhook(webhook.sequence),
      href: `/webhooks/${webhook.id}`,
    }
    const { lastAnswer } = webhook
    const told = (texts: Texts) => texts.timeLine.tells(word(texts, webhook.status))
    const made: Line = {
      at: webhook.created,
      rank: 2,
      what,
      who:
        webhook.url === notifyUrl
          ? (texts) => texts.timeLine.toNotifyUrl
          : { text: webhook.url, isLong: true },
      outcome: state(webhook.state),
      details:
        lastAnswer === null
          ? told
          : (texts) => texts.timeLine.lastAnswer(told(texts), word(texts, lastAnswer)),
    }
    if (webhook.state !== 'pending') return [made]
    const next =
      webhook.attempts === 0
        ? (texts: Texts) => texts.timeLine.toBeSent
        : (texts: Texts) => texts.timeLine.attempt(webhook.attempts + 1)
    return [
      made,
      {
        at: webhook.dueAt,
        rank: 5,
        what,
        who: next,
        outcome: state('pending'),
        details: (texts) => texts.timeLine.dueThen,
      },
    ]
  })
}

function attemptLine(line: AttemptLine, { webhooks }: OrderDocument): Line {
  const { error, milliseconds } = line
  const said: Words[] = [
    ...(error === null ? [] : [error]),
    ...(milliseconds === null ? [] : [({ timeLine: { ms } }: Texts) => ms(milliseconds)]),
  ]
  const result =
    line.status === null ? named(line.outcome) : joined([`${line.status}`, named(line.outcome)], ' ')
  const tone = attemptTone(line.outcome)
  const host = URL.parse(webhooks.find(({ id }) => id === line.webhook)?.url ?? '')?.host
  return {
    at: line.startedAt,
    rank: 3,
    what: {
      text: (texts) => texts.timeLine.webhookAttempt(line.sequence, line.attempt),
      href: `/webhooks/${line.webhook}`,
    },
    who: host ?? null,
    outcome: { text: result, tone },
    details: said.length === 0 ? null : joined(said),
  }
}

function depositLine(line: ChainDepositLine): Line {
  const isCredited = line.outcome === 'credited' || line.outcome === 'accepted'
  return {
    at: line.madeAt ?? line.recordedAt,
    rank: 0,
    what: (texts) => texts.timeLine.chainDeposit,
    who: line.sender === null ? null : { text: line.sender, isCode: true, isLong: true },
    outcome: { text: named(line.outcome), tone: isCredited ? 'good' : 'bad' },
    details: {
      text: (texts, view) =>
        texts.timeLine.creditedTransaction(
          view.money(line.amount, line.asset),
          line.credited,
          line.transactionId,
        ),
      isLong: true,
    },
  }
}

/** A webhook by its place, for lists of webhooks. */
export function webhookLink({ id, sequence }: { id: string; sequence: number }): Text {
  return { ...shortLink(`/webhooks/${id}`, id), text: (texts) => texts.timeLine.no(sequence), isCode: false }
}
