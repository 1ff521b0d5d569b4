/** What an operator may ask of conversions: say what left the treasury, book what it brought, and list them. */
import { conversionById, conversionsPage } from '../../persistence/queries/conversions.ts'
import { treasuryOutflowById } from '../../persistence/queries/treasuries.ts'
import type { Row } from '../../persistence/store.ts'
import { auditReason, dryRun, optional, reason, text } from '../foundation/fields.ts'
import { amountFromZero } from '../foundation/money-reading.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { pageFields, readPage } from '../foundation/paging.ts'
import { readLine } from './bank-entries.ts'
import { type ConversionDocument, conversionDocument } from './conversion-documents.ts'
import { type ConversionChange, recordConversion, sellConversion } from './converting.ts'
import { amount, bank, bankReference, readAmount, seenRevision, valueDay } from './written.ts'

const concluded = ({ conversion, dryRun: isShown }: ConversionChange) =>
  `${conversion.amount} ${conversion.asset}, ${conversion.state}${isShown ? ', only shown' : ''}`

export const conversionRecord = defineOperation({
  name: 'conversion.record',
  summary: 'Say that what left a treasury in a transaction is to be sold.',
  done: 'The conversion is recorded.',
  fields: {
    transaction: text({
      description: 'The id of the transaction, once it was seen leaving the treasury.',
      minLength: 1,
      maxLength: 128,
      form: { label: 'Transaction', hint: 'Its id on the chain, once it was seen leaving the treasury.' },
    }),
    asset: optional(
      text({
        description: 'The id of the asset on its chain, where several left in it.',
        maxLength: 128,
        option: ['--asset <id>', 'the id of the asset on its chain, where several left in the transaction'],
        form: { label: 'Asset', hint: 'Its id on the chain, where several left in the transaction.' },
      }),
    ),
    reason: reason('Kept with it, and in the audit log.', {
      option: ['--reason <text>', 'where it goes; kept with it'],
      form: { label: 'Where it goes', hint: 'Such as the exchange that sells it. Kept with it.' },
    }),
    dryRun,
  },
  arguments: ['transaction'],
  isRead: false,
  concluded,
  run: ({ store, operator }, input): Promise<ConversionChange> =>
    recordConversion(store, {
      transactionId: input.transaction.trim(),
      asset: input.asset,
      reason: input.reason,
      operator,
      dryRun: input.dryRun ?? false,
    }),
})

export const conversionSell = defineOperation({
  name: 'conversion.sell',
  summary: 'Book the proceeds of a conversion, as they came to the bank.',
  done: 'The proceeds are booked.',
  fields: {
    id: text({ description: 'A conversion’s id.', minLength: 1 }),
    bank,
    reference: bankReference,
    amount,
    feePart: optional(
      text({
        description: 'How much of the asset is of the operator’s fees, and was not exchanged.',
        maxLength: 40,
        option: [
          '--fee-part <amount>',
          'how much of the asset is of the operator’s fees, and was not exchanged',
        ],
        form: {
          label: 'Of the fees',
          control: 'units',
          hint: 'How much of the asset is of the operator’s fees; none, unless it is given.',
        },
      }),
    ),
    valueDay,
    reason: auditReason,
    revision: seenRevision,
    dryRun,
  },
  arguments: ['id'],
  isRead: false,
  concluded,
  async run(context, input): Promise<ConversionChange> {
    const { store } = context
    const [conversion] = await store.query(conversionById, { id: input.id.toLowerCase() })
    if (conversion === undefined) {
      throw new OperationError('not_found', `There is no conversion ${input.id}.`, {
        hint: 'conversion list shows their ids.',
      })
    }
    const [outflow] = await store.query(treasuryOutflowById, { id: conversion.outflow_id })
    if (outflow === undefined) throw new Error(`The conversion ${conversion.id} has no outflow.`)
    const { currency } = conversion
    const feePartMinor =
      input.feePart === undefined ? 0n : readAmount('feePart', input.feePart, currency, amountFromZero)
    const line = await readLine(context, input, 'in')
    return sellConversion(store, { conversion, outflow, feePartMinor, revision: input.revision }, line)
  },
})

type Listed = Row<'conversions'> & Pick<Row<'treasury_outflows'>, 'blockchain' | 'transaction_id'>

export const conversionList = defineOperation({
  name: 'conversion.list',
  summary: 'List conversions, the newest first.',
  fields: pageFields,
  isRead: true,
  async run({ store }, page): Promise<{ conversions: ConversionDocument[]; next: string | null }> {
    const { items, next } = await readPage<Listed>(page, (one) => ({ at: one.recorded_at, id: one.id }), [
      (request) => store.query(conversionsPage(request), {}),
    ])
    return { conversions: items.map((one) => conversionDocument(one, one)), next }
  },
})
