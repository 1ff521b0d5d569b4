/** What a run has ordered, or would order: to whom, how much together, and who is left out. */
import type { DueDocument } from '../../../actors/settlement/runs.ts'
import { currencyDecimals, formatPrice, parseAmount } from '../../../machines/money.ts'
import type { Block } from '../blocks.ts'
import { code, day, money, partyLink } from '../cells.ts'
import type { Done } from '../page.ts'
import type { Texts } from '../texts/index.ts'
import { told } from '../wording.ts'
import { dueTable } from './due.ts'
import { postingsBlock } from './posted.ts'

const crumb = { href: '/payments', text: (texts: Texts) => texts.common.payments }

export function runShown({ dryRun, run, due, ordered, problems }: DueDocument): Done {
  const currency = run?.currency ?? ''
  const payments = ordered.map(({ payment }) => payment)
  const leftOut = due.filter((one) => one.currency === currency && one.problem !== null)
  return {
    kind: 'show',
    doIt: (texts) => texts.payments.order,
    view: {
      title: dryRun ? (texts) => texts.run.whatWouldBeOrdered : (texts) => texts.common.ordered,
      crumb,
      blocks: [
        run === null || dryRun
          ? {
              kind: 'text',
              text: (texts) => texts.run.nothingWasOrderedGoBack,
            }
          : {
              kind: 'links',
              items: [{ text: (texts) => texts.run.theRunAndItsFile, href: `/payments?run=${run.id}` }],
            },
        ...(run === null ? [] : [factsOf(run, payments)]),
        ...problems.map(
          ({ party, problem }): Block => ({
            kind: 'notice',
            tone: 'waiting',
            title: party,
            lines: [told(problem)],
          }),
        ),
        paymentsTable(payments),
        ...(leftOut.length === 0
          ? []
          : [
              {
                kind: 'heading',
                text: (texts: Texts) => texts.run.leftOut,
                note: (texts: Texts) => texts.run.dueAndNotOrdered,
              } as const,
              dueTable(leftOut),
            ]),
        { kind: 'heading', text: (texts) => texts.common.postings },
        postingsBlock(ordered.flatMap(({ postings }) => postings)),
      ],
    },
  }
}

type Payment = DueDocument['ordered'][number]['payment']

function factsOf(
  { bank, currency, day: upTo }: NonNullable<DueDocument['run']>,
  payments: readonly Payment[],
): Block {
  return {
    kind: 'facts',
    items: [
      [(texts) => texts.run.bankAccount, bank],
      [(texts) => texts.run.dueUpTo, day(upTo)],
      [(texts) => texts.common.payments, String(payments.length)],
      [(texts) => texts.run.together, money(sumOf(payments, currency), currency)],
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
    label: (texts) => texts.common.payments,
    empty: (texts) => texts.run.nobodyIsPaid,
    columns: [
      { label: (texts) => texts.common.goesTo },
      { label: (texts) => texts.common.account },
      { label: (texts) => texts.common.amount, isRight: true },
    ],
    rows: payments.map(({ kind, party, account, amount, currency }) => [
      partyLink(kind, party),
      code(account),
      money(amount, currency),
    ]),
  }
}
