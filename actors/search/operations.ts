/** Looks through everything for what somebody has in hand: an id, its last digits, a code, a reference, a name. */
import { text } from '../foundation/fields.ts'
import { defineOperation } from '../foundation/operation.ts'
import type { OrderContext } from '../orders/operations.ts'
import type { FoundBy, Hit } from './hits.ts'
import { lookThrough } from './looking.ts'
import { readSought, type Sought } from './written.ts'

export interface Found {
  hits: Hit[]
  /** What the text was looked for as. */
  soughtAs: FoundBy[]
  /** There are more than are shown. */
  more: boolean
}

export const recordFind = defineOperation({
  name: 'record.find',
  summary:
    'Find orders, webhooks, exceptions, payments, statements and parties by an id or its last digits, a code, a reference, an e-mail, a telephone number or a name.',
  examples: ['record find bbad6185', 'record find "1234 5678 9012 345"', 'record find "Demo Shop"'],
  fields: {
    text: text({
      description:
        'An id, its first digits or its last 6 to 12; a code; a merchant_order_id; a transaction; a bank reference; the ' +
        "number of a statement; an amount with its currency; a consumer's e-mail or telephone number; a merchant's or provider's name, or a part of it.",
      minLength: 1,
      maxLength: 500,
    }),
  },
  arguments: ['text'],
  isRead: true,
  // A code is worth cash, and an e-mail and a telephone number are a person's: who may not see them does not learn whose they are either.
  forViewers: ({ hits, soughtAs, more }: Found): Found => ({
    hits: hits.filter(({ by }) => isForViewers(by)),
    soughtAs: soughtAs.filter(isForViewers),
    more,
  }),
  async run(context: OrderContext, { text: written }): Promise<Found> {
    const sought = readSought(written)
    return { ...(await lookThrough(context, sought)), soughtAs: kindsOf(sought) }
  },
})

const isForViewers = (by: FoundBy) => by !== 'code' && by !== 'email' && by !== 'phone'

function kindsOf({
  id,
  code,
  email,
  phone,
  transaction,
  statement,
  reference,
  amount,
  party,
}: Sought): FoundBy[] {
  const sought: Readonly<Record<FoundBy, unknown>> = {
    ...{
      id,
      code,
      merchantOrderId: reference,
      email,
      phone,
      transaction,
      reference,
      statement,
      amount,
      name: party,
    },
  }
  return (Object.keys(sought) as FoundBy[]).filter((by) => sought[by] !== undefined)
}
