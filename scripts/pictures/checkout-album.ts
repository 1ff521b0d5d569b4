/** The checkout's pages, each status of an order on one, from fixed data and a fixed clock. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import Koa from 'koa'
import type { Page } from 'playwright-core'
import { checkoutRoutes } from '../../http/checkout/routes.ts'
import type { CheckoutFunding, CheckoutOrder } from '../../http/checkout/view.ts'
import { installWallet } from '../../test/support/browser-wallets.ts'
import type { Album } from './camera.ts'

const now = Date.UTC(2026, 1, 2, 2, 40)
const minuteMs = 60_000

const base: Omit<CheckoutOrder, 'id'> = {
  status: 'READY',
  direction: 'PAY_OUT',
  country: 'MX',
  price: '1250.50',
  currency: 'MXN',
  description: 'Retiro de saldo, pedido 4711',
  code: '840129375561204',
  expiryAt: now + 26 * 60 * minuteMs,
  paidAt: null,
  returnUrl: 'https://shop.example/orders/4711',
  merchantName: 'Demo Shop',
  merchantContact: '',
  places: null,
  version: '3...',
  funding: null,
  refund: null,
}

const funding: CheckoutFunding = {
  network: 'Solana',
  asset: 'USDC',
  expected: '75.500000',
  received: '0.00',
  missing: '75.500000',
  wallet: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  isOffered: true,
  isSeen: false,
  deadlineAt: now + 29 * minuteMs,
  signing: {
    blockchain: 'SOLANA',
    network: 'solana:devnet',
    recipient: '4Nd1mYQzbbEYoBsDwgJ7p8pE9F2uBz5Fv3mDwWQ8qkJb',
    transaction: 'AQAB',
  },
}

const places: CheckoutOrder['places'] = {
  count: 3,
  listed: [
    {
      name: 'Tiendas Demo',
      min: '20.00',
      max: '10000.00',
      counterFee: '12.00',
      hours: '8–22 h, domingos 9–15 h',
      text: { es: 'Pida un retiro Demo en la caja y dicte el código.' },
    },
    { name: 'Farmacias Ejemplo', min: null, max: '5000.00', counterFee: '0.00', hours: null, text: {} },
    { name: 'Red sin condiciones', min: null, max: null, counterFee: null, hours: null, text: {} },
  ],
}

const crowd: CheckoutOrder['places'] = {
  count: 40,
  listed: Array.from({ length: 12 }, (_, index) => ({
    name: `<b>Red ${index + 1}</b> ${'Súper & Cía. '.repeat(7)}`.slice(0, 100),
    min: '1.00',
    max: '123456789012.50',
    counterFee: '12.50',
    hours: 'L–D, de 8 a 22 h'.repeat(6).slice(0, 100),
    text: { es: 'Diga «pago de servicio» en la caja. '.repeat(14) },
  })),
}

const orders: Readonly<Record<string, Partial<CheckoutOrder>>> = {
  created: { status: 'CREATED' },
  ready: {},
  'ready-places': { places, merchantContact: 'ayuda@shop.example' },
  'ready-crowd': { places: crowd, direction: 'PAY_IN', merchantContact: '+52 55 0000 0000' },
  'ready-soon': { expiryAt: now + 7 * minuteMs, country: 'CL', currency: 'CLP', price: '150000.00' },
  started: { status: 'PAYMENT_STARTED' },
  completed: { status: 'COMPLETED', paidAt: now - 2 * minuteMs },
  cancelled: { status: 'CANCELLED' },
  expired: { status: 'EXPIRED', expiryAt: now - 60 * minuteMs },
  'pay-in-ready': { direction: 'PAY_IN' },
  'pay-in-started': { direction: 'PAY_IN', status: 'PAYMENT_STARTED' },
  'pay-in-completed': { direction: 'PAY_IN', status: 'COMPLETED', paidAt: now - minuteMs },
  'pay-in-cancelled': { direction: 'PAY_IN', status: 'CANCELLED' },
  'pay-in-expired': { direction: 'PAY_IN', status: 'EXPIRED', expiryAt: now - 60 * minuteMs },
  'foreign-building': { status: 'CREATED', funding: { ...funding, isOffered: false } },
  'foreign-waiting': { status: 'CREATED', funding },
  'foreign-stellar': {
    status: 'CREATED',
    funding: {
      ...funding,
      network: 'Stellar',
      wallet: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5',
      signing: {
        blockchain: 'STELLAR',
        network: 'Test SDF Network ; September 2015',
        recipient: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
        transaction: 'AAAAAgAAAAB'.repeat(30),
      },
    },
  },
  'foreign-monad': {
    status: 'CREATED',
    funding: {
      ...funding,
      network: 'Monad',
      wallet: '0x534b2f3A21130d7a60830c2Df862319e593943A3',
      signing: {
        blockchain: 'MONAD',
        network: '0x279f',
        recipient: '0x754704Bc059F8C67012fEd69BC8A327a5aafb603',
        transaction: '{}',
      },
    },
  },
  'foreign-partial': {
    status: 'CREATED',
    funding: { ...funding, received: '50.000000', missing: '25.500000' },
  },
  'foreign-seen': { status: 'CREATED', funding: { ...funding, isSeen: true } },
  'foreign-closed': { status: 'CREATED', funding: { ...funding, deadlineAt: now - minuteMs } },
  'foreign-ready': { funding: { ...funding, received: '75.500000', missing: null } },
  hostile: {
    price: '123456789012.50',
    merchantName: '<script>alert(1)</script> & "Söhne" Comercializadora Internacional S.A. de C.V.',
    description: '"><img src=x onerror=alert(1)> '.repeat(20),
  },
}

const names = Object.keys(orders)
const idOf = (name: string): string =>
  `3f2b8c1e-9a4d-4c1b-8a1e-${String(names.indexOf(name) + 1).padStart(12, '0')}`
const unreadable = '3f2b8c1e-9a4d-4c1b-8a1e-999999999999'

async function findOrder(id: string): Promise<CheckoutOrder | null> {
  if (id === unreadable) throw new Error('an order that cannot be read, for its picture')
  const name = names.find((each) => idOf(each) === id)
  return name === undefined ? null : { ...base, id, ...orders[name] }
}

const pages: readonly [name: string, path: string][] = [
  ...names.map((name): [string, string] => [name, `/checkout/${idOf(name)}`]),
  ['form', '/checkout'],
  ['not-found', '/checkout/unknown'],
  ['unavailable', `/checkout/${unreadable}`],
]

/** A connected wallet on Solana; the other chains have none in this browser, and are paid with another app or device. */
async function prepareWallets(page: Page, name: string): Promise<void> {
  if ((await page.locator('#wallet').count()) === 0) return
  // Looking for wallets takes a moment, and is no picture; what is for phones is opened.
  await page.clock.runFor(5_000)
  if (name === 'foreign-waiting') {
    await page.getByRole('button', { name: /^Conectar/ }).click()
    await page.getByRole('button', { name: /^Firmar y enviar/ }).waitFor()
    return
  }
  if (name === 'foreign-partial') return
  await page.getByText('Pagar con una billetera en otro dispositivo').click()
}

export async function checkoutAlbum(): Promise<Album> {
  const app = new Koa()
  app.silent = true
  app.use(
    checkoutRoutes({
      checkoutUrl: 'https://pay.example/checkout',
      frameAncestors: ['*'],
      relay: async () => null,
      streams: {
        async open(context) {
          // It stays open and says nothing: where there is none, pages ask anew after a random while.
          const stream = new PassThrough()
          stream.write(':\n\n')
          context.type = 'text/event-stream'
          context.body = stream
          return true
        },
      },
      clock: { now: () => now },
      findOrder,
    }),
  )
  const server = createServer(app.callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    now,
    locale: 'es-MX',
    isForFingers: true,
    pictures: pages.map(([name, path]) => ({
      name: `checkout-${name}`,
      url: `http://127.0.0.1:${port}${path}`,
      prepare: (page) => prepareWallets(page, name),
    })),
    async enter(page) {
      const { wallet: address } = funding
      const sign = () => Promise.reject(new Error('this wallet is for pictures'))
      await installWallet(page, { blockchain: 'SOLANA', address, network: 'solana:devnet', sign })
    },
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
