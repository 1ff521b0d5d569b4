/**
 * Conversions: an asset leaves the treasury to be sold, and its proceeds come to a bank (protocol 15.12). That it left is what the chain
 * has shown; the operator's word only says what for.
 */

import { type ConversionLeg, proceedsOf, sentLegs, soldLegs } from '../../machines/conversion.ts'
import { formatInstant } from '../../machines/time.ts'
import { conversionOfOutflow } from '../../persistence/queries/conversions.ts'
import { outflowsOfTransaction } from '../../persistence/queries/treasuries.ts'
import {
  type AccountRef,
  accountId,
  type Decision,
  type Row,
  row,
  rows,
  type Store,
  type Write,
} from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { own } from '../orders/foreign-postings.ts'
import { type ShownPosting, shownPostings } from '../orders/postings-shown.ts'
import { timeOrderedId } from '../orders/time-ordered-id.ts'
import { bookedBefore, openStake, settledException } from './bank-lines.ts'
import { assertParts, commonUnits, readPairs, sumOfPairs } from './booked-rate.ts'
import { type ConversionDocument, conversionDocument, type Outflow } from './conversion-documents.ts'
import { bookedMeanwhile, lineEntry, lineKey, type WrittenLine } from './receiving.ts'
import { assertRoom } from './written.ts'

export interface ConversionChange {
  dryRun: boolean
  conversion: ConversionDocument
  postings: ShownPosting[]
}

function postingsOf(
  legs: readonly ConversionLeg[],
  {
    id,
    currency,
    bank,
    bank_currency,
  }: Pick<Row<'conversions'>, 'id' | 'currency' | 'bank' | 'bank_currency'>,
): Write[] {
  return legs.map(({ kind, in: which, from, to, amountMinor }): Write => {
    const of = which === 'asset' ? currency : (bank_currency ?? '')
    const account = (place: ConversionLeg['from']): AccountRef =>
      place === 'bank' ? { kind: 'bank', ownerId: bank ?? '', currency: of } : own(place, of)
    return {
      post: { kind, debit: account(from), credit: account(to), amountMinor, orderId: null, reference: id },
    }
  })
}

/** The one amount of a transaction that left the treasury and waits for a word. @throws OperationError where there is none. */
async function findOutflow(
  store: Store,
  transactionId: string,
  asset: string | undefined,
): Promise<{ outflow: Row<'treasury_outflows'>; exception: string }> {
  const all = (await store.query(outflowsOfTransaction, { transactionId })).filter(
    (one) => one.former_treasury === null,
  )
  if (all.length === 0) {
    throw new OperationError(
      'not_found',
      `Nothing was seen leaving a treasury in the transaction ${transactionId}.`,
      { hint: 'It is seen once its block is final and read: chain list shows how far. Then ask again.' },
    )
  }
  for (const { id } of all) {
    const [before] = await store.query(conversionOfOutflow, { outflowId: id })
    if (before !== undefined && all.length === 1) throw convertedBefore(before, transactionId)
  }
  const waiting = all.flatMap((outflow) =>
    outflow.exception_id === null ? [] : [{ outflow, exception: outflow.exception_id }],
  )
  const named = asset === undefined ? waiting : waiting.filter(({ outflow }) => outflow.asset_id === asset)
  const [found] = named
  if (found === undefined) {
    throw new OperationError(
      'refused',
      `All that left in the transaction ${transactionId} is explained by refunds: nothing of it was converted.`,
    )
  }
  if (named.length === 1) return found
  throw new OperationError('invalid', `${named.length} amounts left in the transaction ${transactionId}.`, {
    hint: `Name the asset's id: --asset ${named.map(({ outflow }) => outflow.asset_id).join(' or ')}`,
  })
}

function convertedBefore({ id, recorded_at }: Row<'conversions'>, transactionId: string): OperationError {
  return new OperationError(
    'conflict',
    `The transaction ${transactionId} is the conversion ${id} already, since ${formatInstant(recorded_at)}.`,
    { hint: 'conversion list shows it.' },
  )
}

/** The asset has left to be sold. */
export async function recordConversion(
  store: Store,
  asked: {
    transactionId: string
    asset: string | undefined
    reason: string
    operator: string
    dryRun: boolean
  },
): Promise<ConversionChange> {
  const { transactionId, reason, operator, dryRun } = asked
  const { outflow, exception: exceptionId } = await findOutflow(store, transactionId, asked.asset)
  const result = await store.step({
    rows: {
      exception: row('exceptions', { id: exceptionId }),
      before: row('conversions', { outflow_id: outflow.id }),
    },
    decide: ({ exception, before }, at): Decision<ConversionChange> => {
      if (before !== null) throw convertedBefore(before, transactionId)
      const { currency, minor } = openStake(exception, exceptionId)
      const conversion: Row<'conversions'> = {
        id: timeOrderedId(at),
        outflow_id: outflow.id,
        currency,
        amount_minor: -minor,
        reason,
        recorded_at: at,
        recorded_by: operator,
        ...unsold,
        revision: 1,
      }
      const moved = postingsOf(sentLegs(-minor), conversion)
      const answer = changed(conversion, outflow, moved, dryRun)
      if (dryRun) return { answer, writes: [] }
      return {
        answer,
        writes: [
          { insert: 'conversions', values: conversion },
          settledException(exception, { operator, reason }, 'converted', at),
          ...moved,
        ],
        wake: ['exceptions'],
      }
    },
  })
  if (result.outcome === 'committed') return result.answer
  throw new Error(`A conversion of ${outflow.id} violated ${result.constraint}.`)
}

const unsold = {
  sold_at: null,
  sold_by: null,
  bank: null,
  bank_reference: null,
  bank_currency: null,
  proceeds_minor: null,
  fee_part_minor: null,
  booked_minor: null,
  fee_minor: null,
  result_minor: null,
}

function changed(
  conversion: Row<'conversions'>,
  outflow: Outflow,
  moved: readonly Write[],
  dryRun: boolean,
): ConversionChange {
  const names = (owner: string) => owner
  return {
    dryRun,
    conversion: conversionDocument(conversion, outflow),
    postings: shownPostings(moved, names),
  }
}

export interface AskedSale {
  conversion: Row<'conversions'>
  outflow: Outflow
  feePartMinor: bigint
  revision: number | undefined
}

/** Its proceeds have come to the bank. @throws OperationError where the line was booked before, and nothing is written. */
export async function sellConversion(
  store: Store,
  { conversion: seen, outflow, feePartMinor, revision }: AskedSale,
  line: WrittenLine,
): Promise<ConversionChange> {
  const { currency: bankCurrency, name: bank } = line.bank
  const { pairs, unknownUnits } = await readPairs(store, seen.currency, bankCurrency)
  const result = await store.step({
    rows: {
      conversion: row('conversions', { id: seen.id }),
      entry: row('bank_entries', lineKey(line)),
      // Whoever exchanges moves this one first, and what its pair holds behind it.
      asset: row('accounts', { id: accountId(own('exchange', seen.currency)) }),
      money: row('accounts', { id: accountId(own('exchange', bankCurrency)) }),
      pairs: rows('exchange_pairs', pairs),
      fee: row('accounts', { id: accountId(own('fee', seen.currency)) }),
      there: row('accounts', { id: accountId({ kind: 'bank', ownerId: bank, currency: bankCurrency }) }),
    },
    decide: (held, at): Decision<ConversionChange> => {
      const before = assertSent(held.conversion, revision)
      if (held.entry !== null) throw bookedBefore(held.entry)
      assertRoom(line.amountMinor, held.there, held.money)
      const sale = { amountMinor: before.amount_minor, feePartMinor, proceedsMinor: line.amountMinor }
      const exchanged = sumOfPairs(held.pairs)
      const partMinor = assertParts(before, { feePartMinor, bankCurrency, unknownUnits }, exchanged, {
        exchangeMinor: held.asset?.balance_minor ?? 0n,
        feeMinor: held.fee?.balance_minor ?? 0n,
      })
      const proceeds = proceedsOf(sale, {
        partUnits: commonUnits(partMinor, before.currency),
        ...exchanged,
      })
      const set = {
        sold_at: at,
        sold_by: line.operator,
        bank,
        bank_reference: line.reference,
        bank_currency: bankCurrency,
        proceeds_minor: line.amountMinor,
        fee_part_minor: feePartMinor,
        booked_minor: proceeds.bookedMinor,
        fee_minor: proceeds.feeMinor,
        result_minor: proceeds.resultMinor,
        revision: before.revision + 1,
      }
      const conversion = { ...before, ...set }
      const moved = postingsOf(soldLegs(sale, proceeds), conversion)
      const answer = changed(conversion, outflow, moved, line.dryRun)
      if (line.dryRun) return { answer, writes: [] }
      return {
        answer,
        // Its row first: it tells of which pair the postings are.
        writes: [
          { update: 'conversions', key: { id: before.id }, set },
          { insert: 'bank_entries', values: lineEntry(line, 'conversion', before.id, at) },
          ...moved,
        ],
      }
    },
  })
  if (result.outcome === 'committed') return result.answer
  throw bookedMeanwhile(line)
}

function assertSent(conversion: Row<'conversions'> | null, seen: number | undefined): Row<'conversions'> {
  if (conversion === null) throw new Error('The conversion is gone.')
  const { id, sold_at, bank, bank_reference, revision } = conversion
  if (sold_at !== null) {
    throw new OperationError(
      'conflict',
      `The conversion ${id} is sold already: ${bank_reference} of ${bank} at ${formatInstant(sold_at)}.`,
    )
  }
  if (seen === undefined || seen === revision) return conversion
  throw new OperationError(
    'conflict',
    `The conversion has changed since you looked (revision ${revision} now).`,
  )
}
