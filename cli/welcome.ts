/** What a newcomer reads after `npm start`: where everything is, and commands that work when pasted. */
import demoParties from '../data/demo.json' with { type: 'json' }
import type { Instant } from '../machines/time.ts'
import { commandHere } from '../node/own-name.ts'
import { fields, section, table } from './table.ts'

export const demoMerchant = 'Demo Shop'
export const demoProvider = 'Demo Network'
export const demoMerchantKey = 'mk_demo'
const demoProviderKey = 'pk_demo'

export interface DemoParty {
  name: string
  key: string
  secret: string
}

export interface Welcome {
  mode: string
  publicUrl: string
  checkoutUrl: string
  operatorUrl: string
  /** `null` where there are no demo parties. */
  demo: {
    /** Just made; empty when they were there already. */
    made: readonly DemoParty[]
    receiverUrl: string
  } | null
}

export interface WelcomeContext {
  /** What `--config` named. */
  config: string | undefined
  env: Readonly<Record<string, string | undefined>>
  now: Instant
  /** Whether this is the one executable. */
  isPacked?: boolean
}

export function welcomeText(welcome: Welcome & WelcomeContext): string {
  const places = fields([
    ['  API', `${welcome.publicUrl}/api/v1`],
    ['  its documentation', `${welcome.publicUrl}/api/v1/docs`],
    ['  checkout', welcome.checkoutUrl],
    ['  console', welcome.operatorUrl],
    ['  demo webhook receiver', welcome.demo?.receiverUrl ?? null],
  ])
  return `Ventanilla is running (${welcome.mode}).\n${places}${welcome.demo === null ? '' : demoText(welcome, welcome.demo)}`
}

function demoText(welcome: WelcomeContext, { made, receiverUrl }: NonNullable<Welcome['demo']>): string {
  const parties = table(made, [
    { title: '  PARTY', value: (party) => `  ${party.name}` },
    { title: 'KEY', value: (party) => party.key },
    { title: 'SECRET', value: (party) => party.secret },
  ])
  return [
    section(
      'The database was empty, so it has two parties to try things with. Their secrets are shown only once:',
      made.length === 0 ? '' : parties,
    ),
    `\nTo play a pay-out, paste this into another terminal, in this folder:\n\n`,
    script(welcome, receiverUrl),
    '\n',
  ].join('')
}

/** The story of one order, in a shell. */
function script({ config, env, now, isPacked }: WelcomeContext, receiverUrl: string): string {
  const settings = ['VENTANILLA_CONFIG', 'VENTANILLA_DATABASE'].flatMap((name) => {
    const value = env[name]
    return value === undefined ? [] : [`export ${name}=${quoted(value)}`]
  })
  const withConfig = config === undefined ? '' : ` --config ${quoted(config)}`
  const ventanilla = (command: string) => `${commandHere(command, isPacked)}${withConfig}`
  const provider = (method: string, step: string, more = '') =>
    ventanilla(
      `request --as ${demoProviderKey} ${method} /api/v1/providers/orders/pay-out/$CODE/${step}${more}`,
    )
  // Not as comments: a shell that is typed into may not know them.
  const say = (text: string) => `echo '== ${text}'`
  const payment = JSON.stringify({ network_id: network(), price: '500.00', price_currency: 'MXN' })
  const order = {
    order_type: 'LocalCurrencyOrder',
    country: 'MX',
    price: '500.00',
    price_currency: 'MXN',
    description: 'Refund of a pair of shoes',
    merchant_order_id: '$ORDER',
    notify_url: `${receiverUrl}/webhooks`,
    return_url: 'https://shop.example/thanks',
    expiry: inADay(now),
    consumer_email: 'ana@example.com',
  }
  return [
    ...settings,
    say(
      'The merchant owes Ana 500 pesos, and creates an order for it. Its redirect_url is the page Ana sees.',
    ),
    'ORDER=demo-$(date +%s)',
    `${ventanilla(`request --as ${demoMerchantKey} POST /api/v1/merchants/orders/pay-out/ -`)} <<JSON`,
    JSON.stringify(order, null, 2),
    'JSON',
    say('Ana shows this code at a counter; the merchant never sees it.'),
    `CODE=$(${ventanilla('order list --merchant-order-id "$ORDER" --field orders.0.code')})`,
    'echo "$CODE"',
    say('The till looks it up, locks it, hands over the cash, and confirms.'),
    provider('GET', ''),
    `echo '${payment}' | ${provider('POST', 'start-payment/', ' -')}`,
    `echo '${payment}' | ${provider('POST', 'confirm-payment/', ' -')}`,
    say('The merchant got a signed webhook, and everything is on record.'),
    `curl -s ${receiverUrl}/`,
    ventanilla('webhook list'),
    ventanilla('order show "$CODE"'),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

function network(): string {
  const first = demoParties.providers[0]?.networks[0] ?? ''
  return typeof first === 'string' ? first : first.id
}

const dayMs = 24 * 60 * 60 * 1000

function inADay(now: Instant): string {
  return new Date(now + dayMs).toISOString().replace(/\.\d+Z$/, 'Z')
}

function quoted(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
