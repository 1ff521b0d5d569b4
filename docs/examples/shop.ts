/**
 * A shop that owes a customer cash: it creates a pay-out and waits until its webhook says how it ended.
 *
 * API_URL, MERCHANT_KEY and MERCHANT_SECRET name the node and the key to use; HOOK_URL is where this program is reached
 * (https and public in production), and HOOK_PORT where it listens.
 */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { createMerchantClient, InvalidRequest, verifyWebhook } from '@ventanilla/client'

const env = (name: string): string => process.env[name] ?? ''
const key = env('MERCHANT_KEY')
const secret = env('MERCHANT_SECRET')
const merchant = createMerchantClient({ url: env('API_URL'), key, secret })

/** Webhooks that were handled: in a real shop, rows of its database. */
const handled = new Set<string>()

/** No webhook is near it; a stranger's body may have no end. */
const maxBodyBytes = 256 * 1024

async function rawBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    length += part.length
    if (length > maxBodyBytes) throw new Error('its body is too long')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Anybody may send anything here: whatever is not the node's is refused, and the program goes on. */
async function receive(request: IncomingMessage): Promise<number> {
  try {
    const body = await rawBody(request)
    const path = request.url?.split('?')[0] ?? ''
    const { id, order } = await verifyWebhook(
      { path, headers: request.headers, body },
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
