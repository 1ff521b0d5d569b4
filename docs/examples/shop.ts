/**
 * A shop that owes a customer cash: it creates a pay-out and waits until its webhook says how it ended.
 *
 * VENTANILLA_URL, MERCHANT_KEY and MERCHANT_SECRET say whom to ask and as whom; HOOK_URL is where this program is reached
 * (https and public in production), and HOOK_PORT where it listens.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createMerchantClient, InvalidRequest, verifyWebhook } from '@ventanilla/client'

const env = (name: string): string => process.env[name] ?? ''
const key = env('MERCHANT_KEY')
const secret = env('MERCHANT_SECRET')
const merchant = createMerchantClient({ url: env('VENTANILLA_URL'), key, secret })

/** Webhooks that were handled: in a real shop, rows of its database. */
const handled = new Set<string>()

async function receive(request: IncomingMessage): Promise<number> {
  const body = await buffer(request)
  try {
    const { id, order } = await verifyWebhook(
      { path: request.url?.split('?')[0] ?? '', headers: request.headers, body },
      { secrets: { [key]: secret } },
    )
    // The same one may come again: acknowledge it, and do nothing twice.
    if (!handled.has(id)) {
      handled.add(id)
      console.log(`${order.merchant_order_id} is ${order.status}`)
      if (order.status !== 'CREATED' && order.status !== 'READY') server.close()
    }
    return 200
  } catch (error) {
    console.error(`refused: ${String(error)}`)
    return 403
  }
}

const server = createServer(async (request, response) => {
  response.writeHead(await receive(request), { Connection: 'close' }).end()
})
await new Promise<void>((resolve) => server.listen(Number(env('HOOK_PORT')), resolve))

try {
  const merchantOrderId = `refund-${randomUUID()}`
  const order = await merchant.createPayOutOrder(
    {
      body: {
        order_type: 'LocalCurrencyOrder',
        country: 'MX',
        price: '500.00',
        price_currency: 'MXN',
        description: 'Refund of a pair of shoes',
        merchant_order_id: merchantOrderId,
        notify_url: env('HOOK_URL'),
        return_url: 'https://shop.example/thanks',
        expiry: new Date(Date.now() + 48 * 60 * 60 * 1000).toISOString(),
        consumer_email: 'ana@example.com',
      },
    },
    // Kept with the refund, so that a repetition after a crash creates no second order.
    { idempotencyKey: merchantOrderId },
  )
  console.log(`send the customer to ${order.redirect_url}`)
  console.log(`order ${order.id}`)
} catch (error) {
  if (error instanceof InvalidRequest) console.error(error.errors)
  else console.error(error)
  process.exitCode = 1
  server.close()
}
