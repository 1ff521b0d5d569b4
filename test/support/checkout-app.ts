/** The checkout page's routes on a listener of their own, with one order. */
import { createServer as createHttpServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { test } from 'uvu'
import { type CheckoutOptions, checkoutRoutes } from '../../http/checkout/routes.ts'
import type { CheckoutOrder, CheckoutSigning } from '../../http/checkout/view.ts'

export const now = Date.UTC(2026, 1, 2, 2, 40)
export const id = '3f2b8c1e-9a4d-4c1b-8a1e-0000000000ab'
export const broken = '3f2b8c1e-9a4d-4c1b-8a1e-0000000000ff'

export const order: CheckoutOrder = {
  id,
  status: 'READY',
  direction: 'PAY_OUT',
  country: 'MX',
  price: '1250.50',
  currency: 'MXN',
  description: 'Order 4711',
  code: '840129375561204',
  expiryAt: now + 60_000,
  paidAt: null,
  returnUrl: 'https://shop.example/',
  merchantName: 'Demo Shop',
  merchantContact: '',
  places: null,
  version: '3...',
  funding: null,
  refund: null,
}

export const signing: CheckoutSigning = {
  blockchain: 'SOLANA',
  network: 'solana:devnet',
  recipient: '4Nd1mYQzbbEYoBsDwgJ7p8pE9F2uBz5Fv3mDwWQ8qkJb',
  transaction: 'AQAB',
}

export const funding: NonNullable<CheckoutOrder['funding']> = {
  network: 'Solana',
  asset: 'USDC',
  expected: '20.00',
  received: '0.00',
  missing: '20.00',
  wallet: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
  isOffered: true,
  isSeen: false,
  deadlineAt: now + 29 * 60_000,
  signing,
}

const servers: Server[] = []

/** Files of one process share this module, and each closes its own servers: a file calls it once. */
export function closeServersAfter(): void {
  test.after(() => {
    for (const server of servers.splice(0)) {
      server.close()
      server.closeAllConnections()
    }
  })
}

export interface Started {
  port: number
  asked: string[]
  errors: unknown[]
}

export async function start(options: Partial<CheckoutOptions> = {}): Promise<Started> {
  const asked: string[] = []
  const errors: unknown[] = []
  const app = new Koa()
  app.on('error', (error) => errors.push(error))
  app.use(
    checkoutRoutes({
      checkoutUrl: 'https://pay.example/checkout',
      frameAncestors: ['*'],
      relay: async () => null,
      clock: { now: () => now },
      streams: {
        async open(context, asking) {
          if (asking !== id) return false
          context.body = `a stream of ${asking}`
          return true
        },
      },
      async findOrder(asking) {
        asked.push(asking)
        if (asking === broken) throw new Error('the disk is gone')
        return asking === id ? order : null
      },
      ...options,
    }),
  )
  app.use((context) => {
    context.status = 418
    context.body = 'not the checkout page'
  })
  const server = createHttpServer(app.callback())
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { port, asked, errors }
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** Sends the path as it is: a URL would tidy it up. */
export function send(
  port: number,
  path: string,
  method = 'GET',
  headers: Record<string, string> = {},
  body = '',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}
