/** All that has happened with an order, and what happens to it next, in one list: events, money, webhooks, deposits. */
import { detailTexts } from '../../../actors/orders/detail-text.ts'
import type { AttemptLine, ChainDepositLine, JournalLine } from '../../../actors/orders/document-lines.ts'
import type { OrderDocument } from '../../../actors/orders/documents.ts'
import type { Block, Cell, Text } from '../blocks.ts'
import { moment, money, partyLink, shortLink, state } from '../cells.ts'
import { attemptTone } from '../meanings.ts'
import { words } from '../readable.ts'

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
        what: { text: `money: ${words(line.kind)}` },
        who: `${line.from} → ${line.to}`,
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
        what: { text: 'exception', href: `/exceptions/${line.id}` },
        who: null,
        outcome: state(line.state),
        details: line.reason,
      }),
    ),
  ]
  const sorted = lines
    .map((line, index) => ({ line, index }))
    .toSorted((a, b) => compare(b.line.at, a.line.at) || b.line.rank - a.line.rank || b.index - a.index)
    .map(({ line }) => line)
  const left = sorted.length - mostLines
  return [
    { kind: 'heading', text: 'Time line', note: 'the newest first' },
    {
      kind: 'table',
      label: 'Time line',
      empty: 'Nothing yet.',
      isList: true,
      columns: [
        { label: 'At' },
        { label: 'What' },
        { label: 'Who, or where' },
        { label: 'Outcome' },
        { label: 'Details', isCut: true },
      ],
      rows: sorted
        .slice(0, mostLines)
        .map(({ at, what, who, outcome, details }) => [moment(at), what, who, outcome, details]),
    },
    ...(left > 0
      ? [
          {
            kind: 'text',
            text: `${left} older lines are left out; ventanilla order show ${order.id} has them.`,
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
    what: { text: line.event.replace('.', ' ').replaceAll('_', ' '), title: line.event },
    who: actorCell(line),
    outcome: isAccepted ? state(line.to) : { text: `refused: ${words(line.outcome)}`, tone: 'bad' },
    details: detailsOf(line.details, currency),
  }
}

/** `merchant:Shop`: whoever it was has a page. */
function actorCell({ actor, key }: JournalLine): Cell {
  const [, kind, name] = /^(merchant|provider):(.*)$/s.exec(actor) ?? []
  const title = key === null ? {} : { title: `signed with ${key}` }
  if (name === undefined || (kind !== 'merchant' && kind !== 'provider'))
    return { text: actor.replace(/^operator:/, 'operator '), ...title }
  return { ...partyLink(kind, name), ...title }
}

/** A transaction is thousands of signs long, and the inspector shows it whole. */
const maxDetailLength = 120

function detailsOf(details: Readonly<Record<string, unknown>>, currency: string): Cell {
  const parts = detailTexts(details, currency).map(({ name, text }) => {
    return `${words(name)}: ${text.length > maxDetailLength ? `${text.slice(0, maxDetailLength - 1)}…` : text}`
  })
  return parts.length === 0 ? null : { text: parts.join(', '), isLong: true }
}

/** What is told of the order, and what is due to be sent. */
function webhookLines({ webhooks, notifyUrl }: OrderDocument): Line[] {
  return webhooks.flatMap((webhook): Line[] => {
    const what: Text = { text: `webhook ${webhook.sequence}`, href: `/webhooks/${webhook.id}` }
    const told = `tells: ${words(webhook.status)}`
    const made: Line = {
      at: webhook.created,
      rank: 2,
      what,
      who: webhook.url === notifyUrl ? 'to notify_url' : { text: webhook.url, isLong: true },
      outcome: state(webhook.state),
      details: webhook.lastAnswer === null ? told : `${told}; last answer: ${webhook.lastAnswer}`,
    }
    if (webhook.state !== 'pending') return [made]
    const next = webhook.attempts === 0 ? 'to be sent' : `attempt ${webhook.attempts + 1}`
    return [
      made,
      { at: webhook.dueAt, rank: 5, what, who: next, outcome: state('pending'), details: 'due then' },
    ]
  })
}

function attemptLine(line: AttemptLine, { webhooks }: OrderDocument): Line {
  const said = [line.error, line.milliseconds === null ? null : `${line.milliseconds} ms`].filter(
    (text) => text !== null,
  )
  const result = line.status === null ? words(line.outcome) : `${line.status} ${words(line.outcome)}`
  const tone = attemptTone(line.outcome)
  const host = URL.parse(webhooks.find(({ id }) => id === line.webhook)?.url ?? '')?.host
  return {
    at: line.startedAt,
    rank: 3,
    what: { text: `webhook ${line.sequence}, attempt ${line.attempt}`, href: `/webhooks/${line.webhook}` },
    who: host ?? null,
    outcome: { text: result, tone },
    details: said.length === 0 ? null : said.join(', '),
  }
}

function depositLine(line: ChainDepositLine): Line {
  const isCredited = line.outcome === 'credited' || line.outcome === 'accepted'
  return {
    at: line.madeAt ?? line.recordedAt,
    rank: 0,
    what: 'chain deposit',
    who: line.sender === null ? null : { text: line.sender, isCode: true, isLong: true },
    outcome: { text: words(line.outcome), tone: isCredited ? 'good' : 'bad' },
    details: {
      text: `${line.amount} ${line.asset}, credited: ${line.credited}; transaction ${line.transactionId}`,
      isLong: true,
    },
  }
}

/** A webhook by its place, for lists of webhooks. */
export function webhookLink({ id, sequence }: { id: string; sequence: number }): Text {
  return { ...shortLink(`/webhooks/${id}`, id), text: `no. ${sequence}`, isCode: false }
}
