/** One order, read from the archive with everything that belonged to it. */
import { formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { archivedOrderByCode, archivedOrderById } from '../../persistence/queries/archive.ts'
import type { Reader, Row } from '../../persistence/store.ts'
import type { ArchiveFile } from './check.ts'
import {
  type ArchiveRecord,
  type OrderRows,
  openPersonalData,
  type PersonalData,
  parseRecord,
} from './record.ts'

export interface ArchivedOrder {
  archived: string
  file: string
  /** When its personal data were erased; null while they are there. */
  erased: string | null
  order: {
    id: string
    code: string
    status: string
    price: string
    currency: string
    merchantOrderId: string
    description: string
    created: string
  }
  consumer: PersonalData['consumer'] | null
  journal: { at: string; actor: string; event: string; from: string | null; to: string; outcome: string }[]
  /** Its rows as the database had them; amounts are minor units, as text. */
  rows: Readonly<Record<string, unknown>>
}

/**
 * @returns `null` when no order of this id or code was archived
 * @throws Error when its line is not in the files
 */
export async function readArchivedOrder(
  { reader, journalKey }: { reader: Reader; journalKey: string },
  files: readonly ArchiveFile[],
  idOrCode: string,
): Promise<ArchivedOrder | null> {
  const text = idOrCode.trim().toLowerCase()
  const remains = await reader.snapshot(async (query) => {
    const [byId] = await query(archivedOrderById, { id: text })
    const [byCode] = await query(archivedOrderByCode, { code: text.replace(/[ -]/g, '') })
    return byId ?? byCode
  })
  if (remains === undefined) return null
  const record = await lineOf(remains, files, journalKey)
  if (record !== null) return document(remains, record)
  throw new Error(
    `The line of order ${remains.id} is in none of the files; it was written to ${remains.file}.`,
  )
}

/**
 * The rows of an archived order as they were, with its personal data in their places unless they are erased.
 * @throws Error when its line is not in the files
 */
export async function readArchivedRows(
  remains: Row<'archived_orders'>,
  files: readonly ArchiveFile[],
  journalKey: string,
): Promise<{ rows: OrderRows; consumer: PersonalData['consumer'] | null }> {
  const record = await lineOf(remains, files, journalKey)
  if (record === null)
    throw new Error(
      `The line of order ${remains.id} is in none of the files; it was written to ${remains.file}.`,
    )
  const personal = remains.personal_key === null ? null : openPersonalData(remains.personal_key, record)
  return { rows: withPersonalData(record.rows, personal), consumer: personal?.consumer ?? null }
}

async function lineOf(
  { id, file, digest }: Row<'archived_orders'>,
  files: readonly ArchiveFile[],
  journalKey: string,
): Promise<ArchiveRecord | null> {
  // Its own file first: the others are looked through only where somebody has renamed it.
  const inOrder = files.toSorted((a, b) => Number(b.name === file) - Number(a.name === file))
  for (const { lines } of inOrder) {
    for await (const line of lines) {
      if (!line.includes(id)) continue
      const read = parseRecord(journalKey, line)
      if (read?.digest === digest) return read.record
    }
  }
  return null
}

function document(remains: Row<'archived_orders'>, record: ArchiveRecord): ArchivedOrder {
  const { rows } = record
  const { order } = rows
  const personal = remains.personal_key === null ? null : openPersonalData(remains.personal_key, record)
  return {
    archived: record.archived,
    file: remains.file,
    erased: remains.erased_at === null ? null : formatInstant(remains.erased_at),
    order: {
      id: order.id,
      code: order.code,
      status: order.status,
      price: formatPrice(order.price_minor, order.currency),
      currency: order.currency,
      merchantOrderId: order.merchant_order_id,
      description: order.description,
      created: formatInstant(order.created_at),
    },
    consumer: personal?.consumer ?? null,
    journal: rows.journal.map((entry) => ({
      at: formatInstant(entry.entry_at),
      actor: entry.actor,
      event: (JSON.parse(entry.event_json) as { type: string }).type,
      from: entry.from_status,
      to: entry.to_status,
      outcome: entry.outcome,
    })),
    rows: asJson({
      ...withPersonalData(rows, personal),
      ...(personal === null ? {} : { consumer: personal.consumer }),
    }),
  }
}

function withPersonalData(rows: OrderRows, personal: PersonalData | null): OrderRows {
  if (personal === null) return rows
  const bodies = new Map(personal.bodies.map(({ id, body }) => [id, body]))
  const placeOf = ({ webhook_id, attempt }: { webhook_id: string; attempt: number }) =>
    `${webhook_id} ${attempt}`
  const answers = new Map(personal.answers.map((answer) => [placeOf(answer), answer.answer]))
  return {
    ...rows,
    webhooks: rows.webhooks.map((it) => ({ ...it, body: bodies.get(it.id) ?? '' })),
    attempts: rows.attempts.map((it) => ({ ...it, answer: answers.get(placeOf(it)) ?? null })),
  }
}

function asJson(rows: object): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? `${value}` : value)))
}
