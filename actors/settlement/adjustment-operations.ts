/** What an operator may ask of corrections: book one, and list them. */
import { oneSpelling, writtenProblem } from '../../machines/written-names.ts'
import { adjustmentsPage } from '../../persistence/queries/adjustments.ts'
import type { Row } from '../../persistence/store.ts'
import { choice, dryRun, optional, reason, text, wholeNumber } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { pageFields, readPage } from '../foundation/paging.ts'
import { findParty, partyKind } from '../parties/operations.ts'
import { type AdjustmentDocument, adjust, adjustmentDocument, type RecordedAdjustment } from './adjusting.ts'
import { findLine, type NamedLine } from './corrected-line.ts'
import { readReference, readSigned } from './written.ts'

export const adjustmentRecord = defineOperation({
  name: 'adjustment.record',
  summary: 'Correct a line of a party’s account, by a line of its own in the next statement.',
  done: 'The correction is booked.',
  fields: {
    party: text({
      description: 'The name of a merchant or a provider.',
      minLength: 1,
      form: { label: 'Party' },
    }),
    kind: partyKind,
    because: choice(['dispute', 'goodwill'], {
      description: 'A fee or a commission that was not right, or goodwill.',
      option: ['--because <what>', 'dispute: a fee or a commission was not right; or goodwill'],
      form: {
        label: 'Because of',
        choices: [
          ['dispute', 'A fee or a commission that was not right'],
          ['goodwill', 'Goodwill'],
        ],
      },
    }),
    currency: text({
      pattern: '^[A-Z]{3}$',
      option: ['--currency <currency>', 'for example MXN'],
      form: { label: 'Currency', maxLength: 3 },
    }),
    amount: text({
      description: 'Signed: above zero the party gets it, below zero it pays it. Without its tax.',
      maxLength: 40,
      option: ['--amount <amount>', 'the party gets it; below zero, such as -5.00, it pays it'],
      form: {
        label: 'Amount',
        control: 'amount',
        hint: 'The party gets it; below zero, such as -5.00, it pays it.',
      },
    }),
    tax: optional(
      text({
        description: 'The tax beside the amount, of its sign.',
        maxLength: 40,
        option: ['--tax <amount>', 'the tax beside it, of its sign'],
        form: {
          label: 'Tax',
          control: 'amount',
          hint: 'Beside the amount, of its sign; only where there is any.',
        },
      }),
    ),
    statement: optional(
      wholeNumber({
        description: 'The number of the statement that has the line.',
        minimum: 1,
        option: ['--statement <number>', 'the statement that has the line'],
        form: { label: 'Statement', hint: 'Its number, with the line; or name an order.', maxLength: 9 },
      }),
    ),
    line: optional(
      wholeNumber({
        description: 'The line of the statement.',
        minimum: 1,
        option: ['--line <number>', 'the line of that statement'],
        form: { label: 'Line', maxLength: 9 },
      }),
    ),
    order: optional(
      text({
        description: 'An order, instead of a statement and its line.',
        maxLength: 64,
        option: ['--order <id>', 'an order, instead of a statement and its line'],
        form: { label: 'Order', hint: 'Its id, where no statement and line are named.' },
      }),
    ),
    reference: text({
      description: 'What this correction is called; each is booked once for each party.',
      minLength: 1,
      maxLength: 140,
      pattern: '\\S',
      option: ['--reference <text>', 'what this correction is called; each is booked once for a party'],
      form: { label: 'Reference', hint: 'Such as the number of the complaint; each is booked once.' },
    }),
    reason: reason('Kept with it, and in the audit log.', {
      option: ['--reason <text>', 'what was wrong; kept with it'],
      form: { label: 'What was wrong', hint: 'Kept with it.' },
    }),
    dryRun,
  },
  arguments: ['party'],
  isRead: false,
  concluded: ({ adjustment, dryRun: isShown }: RecordedAdjustment) =>
    `${adjustment.amount} ${adjustment.currency} ${adjustment.party}${isShown ? ', only shown' : ''}`,
  async run({ store, operator }, input): Promise<RecordedAdjustment> {
    const party = await findParty(store, input.party, input.kind)
    const { currency } = input
    const amountMinor = readSigned('amount', input.amount, currency)
    const taxMinor = input.tax === undefined ? 0n : readSigned('tax', input.tax, currency)
    if (taxMinor !== 0n && taxMinor > 0n !== amountMinor > 0n) {
      throw new OperationError('invalid', `tax: "${input.tax}" and the amount have different signs.`)
    }
    const named = namedLine(input)
    return adjust(store, {
      party,
      currency,
      kind: input.because,
      amountMinor,
      taxMinor,
      reference: readReference(input.reference),
      named,
      line: await findLine(store, party, currency, named),
      reason: input.reason,
      operator,
      dryRun: input.dryRun ?? false,
    })
  },
})

function namedLine({
  statement,
  line,
  order,
}: {
  statement?: number
  line?: number
  order?: string
}): NamedLine {
  if (order === undefined && statement !== undefined && line !== undefined)
    return { statement, line, order: null }
  if (order !== undefined && statement === undefined && line === undefined)
    return { statement: null, line: null, order: oneOrder(order) }
  throw new OperationError('invalid', 'A correction names one line: a statement and its line, or an order.', {
    hint: '--statement NUMBER --line NUMBER, or --order ID',
  })
}

function oneOrder(written: string): string {
  const order = oneSpelling(written).toLowerCase()
  const odd = writtenProblem(order)
  if (odd === null) return order
  throw new OperationError('invalid', `order: ${JSON.stringify(order)} ${odd}.`)
}

export const adjustmentList = defineOperation({
  name: 'adjustment.list',
  summary: 'List corrections, the newest first.',
  fields: {
    ...pageFields,
    party: optional(text({ option: ['--party <name>', 'only those of this party'] })),
    kind: partyKind,
  },
  isRead: true,
  async run(
    { store },
    { party: name, kind, ...page },
  ): Promise<{ adjustments: AdjustmentDocument[]; next: string | null }> {
    const partyId = name === undefined ? undefined : (await findParty(store, name, kind)).id
    const { items, next } = await readPage<Row<'adjustments'> & { party_name: string }>(
      page,
      (one) => ({ at: one.booked_at, id: one.id }),
      [(request) => store.query(adjustmentsPage({ partyId }, request), {})],
    )
    return { adjustments: items.map((one) => adjustmentDocument(one, one.party_name)), next }
  },
})
