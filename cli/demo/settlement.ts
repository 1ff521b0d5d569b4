/** The demo's last story: the day is closed, whoever is owed is paid by bank, and the books add up. */
import { OperationError } from '../../actors/foundation/operation.ts'
import { overview } from '../../actors/operations/overview.ts'
import { merchantShow } from '../../actors/parties/merchants.ts'
import { providerShow } from '../../actors/parties/providers.ts'
import type { PaymentSummary } from '../../actors/settlement/payment-documents.ts'
import { paymentBook, paymentSent } from '../../actors/settlement/payment-operations.ts'
import { paymentDue, paymentExport } from '../../actors/settlement/runs.ts'
import {
  type StatementDocument,
  statementClose,
  statementList,
  statementShow,
} from '../../actors/settlement/statement-operations.ts'
import { verify } from '../../actors/verification/operations.ts'
import { formatPrice } from '../../machines/money.ts'
import { closingText, dueText, statementText } from '../settlement-text.ts'
import { table } from '../table.ts'
import { demoMerchant, demoProvider } from '../welcome.ts'
import type { Stage } from './stage.ts'
import { patiently, type World } from './world.ts'

interface Scene {
  stage: Stage
  world: World
  /** What the network is owed, in pesos. */
  owed: string
}

const currency = 'MXN'
const parties = [demoMerchant, demoProvider] as const
const reason = 'the demo'

/**
 * By the terms of data/demo.json: of the pay-out of 500.00 a fee of 7.50 and its tax of 1.20, and of the pay-in of
 * 300.00 the same; what is above the 10,000.00 that stay is paid.
 */
const shop = { closing: '99782.60', paid: '89782.60', kept: '10000.00' } as const
/** 500.00 handed out and 300.00 taken in, with commissions of 9.00 and 7.40 and their taxes of 1.44 and 1.18. */
const owedForLocal = 219_02n
/** 1,699.00 handed out, a commission of 18.59 and its tax of 2.97. */
const owedForForeign = 1_720_56n

/** @param foreignOrders how many orders from quotes were paid before */
export async function playSettlement(stage: Stage, world: World, foreignOrders: number): Promise<void> {
  const owedMinor = owedForLocal + BigInt(foreignOrders) * owedForForeign
  const scene: Scene = { stage, world, owed: formatPrice(owedMinor, currency) }
  const statement = await closeTheDay(scene, foreignOrders)
  const payments = await orderWhatIsDue(scene, statement)
  await bookTheBank(scene, payments)
  await tellBalances(scene)
  await addUp(scene)
}

/** As a sentence has it. */
function said(amount: string): string {
  return amount.replace(/\B(?=(\d{3})+\.)/g, ',')
}

function command(line: string, output: string): string {
  return `ventanilla ${line}\n\n${output}`
}

/** @returns the shop's, as it is sealed */
async function closeTheDay({ stage, world, owed }: Scene, foreignOrders: number): Promise<StatementDocument> {
  const { operations } = world
  stage.chapter('The day is closed')
  stage.say(
    'What the orders have moved is in the books alone: the shop has money with the operator, and the Demo Network',
  )
  stage.say(
    'handed out more cash than it took in. Their terms say what orders cost, when a day ends, and where they are paid.',
  )
  stage.say('A node closes days by itself, or when the operator asks; here nobody waits for the night:')
  for (const party of parties) {
    const closed = await operations.perform(statementClose, { party, currency })
    stage.show(command(`statement close "${party}" --currency ${currency}`, closingText(closed)))
  }
  stage.say(
    'Nothing is due by a statement that is not sealed: its number is noted outside of the database, its lines',
  )
  stage.say('are stored for good, and a digest binds them to the statement before.')
  const isSealed = await patiently(async () => {
    const listed = await Promise.all(parties.map((party) => operations.perform(statementList, { party })))
    return listed.every(({ statements }) => statements[0]?.state === 'sealed')
  })
  stage.check('both statements are sealed', isSealed)
  const [ofShop, ofNetwork] = await Promise.all(
    parties.map((party) => operations.perform(statementShow, { party, number: '1', currency })),
  )
  if (ofShop === undefined || ofNetwork === undefined) throw new Error('There are two parties.')
  for (const shown of [ofShop, ofNetwork]) {
    stage.show(command(`statement show "${shown.party}" 1 --currency ${currency}`, statementText(shown)))
  }
  if (foreignOrders > 0) {
    stage.say(
      'An order from a quote brings its own pesos, and its fee was in USDC: the shop pays no other for it.',
    )
  }
  stage.check(
    `the shop's statement has each order with its fee and tax, and ends with ${said(shop.closing)}`,
    ofShop.closing === shop.closing && ofShop.entries.length === 3 + 2 * foreignOrders,
    ofShop,
  )
  stage.check(
    `10,000.00 stay for its next pay-outs; the other ${said(shop.paid)} are due to it`,
    ofShop.due === shop.paid,
    ofShop.due,
  )
  stage.check(
    `to the Demo Network ${said(owed)} are due: the cash it handed out, without what it took in, and its commissions`,
    ofNetwork.due === owed && ofNetwork.closing === owed,
    ofNetwork,
  )
  return ofShop
}

async function orderWhatIsDue(
  { stage, world: { operations }, owed }: Scene,
  { dueOn }: StatementDocument,
): Promise<readonly PaymentSummary[]> {
  stage.chapter('What is due is ordered')
  const on = dueOn ?? ''
  stage.say(
    `By the terms both are paid within one banking day, by ${on}. The operator orders all that is due by then`,
  )
  stage.say('as one run, from its bank account, which it calls main:')
  const due = await operations.perform(paymentDue, { on, order: true, bank: 'main' })
  stage.show(command(`payment due --on ${on} --order --bank main`, dueText(due)))
  const payments = due.ordered.map(({ payment }) => payment)
  stage.check(
    `two payments are ordered: ${said(shop.paid)} to the shop, and ${said(owed)} to the network`,
    payments.length === 2 &&
      payments.find(({ party }) => party === demoMerchant)?.amount === shop.paid &&
      payments.find(({ party }) => party === demoProvider)?.amount === owed,
    due,
  )
  const run = due.run?.id ?? ''
  const first = await operations.perform(paymentExport, { run })
  const second = await operations.perform(paymentExport, { run })
  stage.show(command(`payment export ${run}`, first.file.replace('\uFEFF', '').replaceAll('\r', '')))
  stage.check(
    'the file for the bank is the same each time it is made',
    first.file === second.file,
    second.file,
  )
  const again = await operations.perform(paymentDue, { on })
  stage.check('what is ordered is due no more: nobody is paid twice', again.due.length === 0, again.due)
  return payments
}

async function bookTheBank(
  { stage, world: { operations } }: Scene,
  payments: readonly PaymentSummary[],
): Promise<void> {
  stage.chapter('The bank pays')
  stage.say(
    "The operator uploads the file at its bank. A payment is done once a line of the bank's own statement says",
  )
  stage.say('so, and each line is booked once:')
  for (const [index, { id, party, amount }] of payments.entries()) {
    const reference = `SPEI ${4711 + index}`
    await operations.perform(paymentSent, { id, reason })
    stage.show(`ventanilla payment sent ${id} --reason "${reason}"`)
    if (index > 0) {
      const refused = await operations
        .perform(paymentBook, { id, reference: 'SPEI 4711', reason })
        .then(() => 'it was booked', problemOf)
      stage.check('the line SPEI 4711 is not booked a second time', /booked already/.test(refused), refused)
    }
    const { payment, postings } = await operations.perform(paymentBook, { id, reference, reason })
    stage.show(
      [
        `ventanilla payment book ${id} --reference "${reference}" --reason "${reason}"`,
        ...postings.map((it) => `${it.kind}: ${it.amount} ${it.currency} from ${it.debit} to ${it.credit}`),
      ].join('\n'),
    )
    stage.check(`${said(amount)} to the ${party} are booked`, payment.state === 'booked', payment)
  }
}

function problemOf(error: unknown): string {
  if (error instanceof OperationError) return error.message
  throw error
}

async function tellBalances({ stage, world: { operations }, owed }: Scene): Promise<void> {
  stage.chapter('The shop is paid')
  const { balances: ofShop } = await operations.perform(merchantShow, { name: demoMerchant })
  const { balances: ofNetwork } = await operations.perform(providerShow, { name: demoProvider })
  const pesos = ofShop.find((one) => one.currency === currency)
  const network = ofNetwork.find((one) => one.currency === currency)
  const lines = [
    [demoMerchant, 'paid to its bank account', shop.paid],
    [demoMerchant, 'available for its next pay-outs', pesos?.available ?? ''],
    [demoMerchant, 'due, or on its way', sum(pesos?.payable, pesos?.transit)],
    [demoProvider, 'paid to its bank account', owed],
    [demoProvider, 'owed to it, or on its way', sum(network?.amount, network?.transit)],
  ] as const
  stage.show(
    table(lines, [
      { title: 'WHO', value: ([who]) => who },
      { title: 'WHAT', value: ([, what]) => what },
      { title: 'PESOS', value: ([, , amount]) => amount, right: true },
    ]),
  )
  stage.check(
    'the Demo Network is paid: it is owed nothing',
    network?.amount === '0.00' && network.transit === '0.00',
    network,
  )
  stage.check(
    `the shop is paid: ${said(shop.paid)} at its bank, 10,000.00 here, and nothing on its way`,
    pesos?.available === shop.kept && pesos.payable === '0.00' && pesos.transit === '0.00',
    pesos,
  )
}

function sum(...amounts: readonly (string | undefined)[]): string {
  const minor = amounts.reduce((total, amount = '0.00') => total + BigInt(amount.replace('.', '')), 0n)
  return formatPrice(minor, currency)
}

async function addUp({ stage, world: { operations } }: Scene): Promise<void> {
  const { money } = await operations.perform(overview, {})
  const pesos = money.find((one) => one.currency === currency)?.balances ?? []
  stage.say(
    'All accounts in pesos. What the operator owes or has earned is above zero; what it has or has spent, below:',
  )
  stage.show(
    table(pesos, [
      { title: 'ACCOUNTS', value: ({ kind }) => kind.replaceAll('_', ' ') },
      { title: 'PESOS', value: ({ amount }) => amount, right: true },
    ]),
  )
  const total = sum(...pesos.map(({ amount }) => amount))
  const { ok, checks } = await operations.perform(verify, {})
  stage.check(
    'the books add up: all accounts come to zero, and verify finds nothing wrong',
    ok && total === '0.00' && pesos.length > 0,
    { total, checks },
  )
}
