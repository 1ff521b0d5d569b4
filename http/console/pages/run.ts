/** What a run has ordered, or would order: to whom, how much together, and who is left out. */
import type { DueDocument } from '../../../actors/settlement/runs.ts'
import { currencyDecimals, formatPrice, parseAmount } from '../../../machines/money.ts'
import type { Block } from '../blocks.ts'
import { code, money, partyLink } from '../cells.ts'
import type { Done } from '../page.ts'
import { dueTable } from './due.ts'
import { postingsBlock } from './posted.ts'

const crumb = { href: '/payments', text: 'Payments' }

export function runShown({ dryRun, run, due, ordered, problems }: DueDocument): Done {
  const currency = run?.currency ?? ''
  const payments = ordered.map(({ payment }) => payment)
  const leftOut = due.filter((one) => one.currency === currency && one.problem !== null)
  return {
    kind: 'show',
    view: {
      title: dryRun ? 'What would be ordered' : 'Ordered',
      crumb,
      blocks: [
        run === null || dryRun
          ? {
              kind: 'text',
              text: 'Nothing was ordered. Go back and send the form without its last box to order it.',
            }
          : { kind: 'links', items: [{ text: 'The run, and its file', href: `/payments?run=${run.id}` }] },
        ...(run === null ? [] : [factsOf(run, payments)]),
        ...problems.map(
          ({ party, problem }): Block => ({
            kind: 'notice',
            tone: 'waiting',
            title: party,
            lines: [problem],
          }),
        ),
        paymentsTable(payments),
        ...(leftOut.length === 0
          ? []
          : [
              { kind: 'heading', text: 'Left out', note: 'due, and not ordered' } as const,
              dueTable(leftOut),
            ]),
        { kind: 'heading', text: 'Postings' },
        postingsBlock(ordered.flatMap(({ postings }) => postings)),
      ],
    },
  }
}

type Payment = DueDocument['ordered'][number]['payment']

function factsOf(
  { bank, currency, day }: NonNullable<DueDocument['run']>,
  payments: readonly Payment[],
): Block {
  return {
    kind: 'facts',
    items: [
      ['Bank account', bank],
      ['Due up to', day],
      ['Payments', String(payments.length)],
      ['Together', money(sumOf(payments, currency), currency)],
    ],
  }
}

function sumOf(payments: readonly Payment[], currency: string): string {
  const minor = payments.reduce((sum, { id, amount }) => {
    const read = parseAmount(amount, currencyDecimals(currency))
    if (typeof read !== 'bigint') throw new Error(`Payment ${id} has the amount ${amount}.`)
    return sum + read
  }, 0n)
  return formatPrice(minor, currency)
}

function paymentsTable(payments: readonly Payment[]): Block {
  return {
    kind: 'table',
    label: 'Payments',
    empty: 'Nobody is paid.',
    columns: [{ label: 'To' }, { label: 'Account' }, { label: 'Amount', isRight: true }],
    rows: payments.map(({ kind, party, account, amount, currency }) => [
      partyLink(kind, party),
      code(account),
      money(amount, currency),
    ]),
  }
}
