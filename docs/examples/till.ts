/**
 * A till that pays out: it looks a code up, locks the order, hands out the cash and confirms.
 *
 * API_URL, PROVIDER_KEY, PROVIDER_SECRET and NETWORK_ID name the node and the key to use; the code is the argument.
 */
import { Conflict, createProviderClient, NotFound, PermissionDenied } from '@ventanilla/client'

const env = (name: string): string => process.env[name] ?? ''
const provider = createProviderClient({
  url: env('API_URL'),
  key: env('PROVIDER_KEY'),
  secret: env('PROVIDER_SECRET'),
  // Cash is on the counter: rather wait than not know.
  attempts: 8,
})

async function payOut(code: string): Promise<string> {
  const order = await provider.checkPayOut({ code })
  if (order.status !== 'READY') return `nothing to hand out: the order is ${order.status}`
  const { price, price_currency } = order
  const body = { network_id: env('NETWORK_ID'), price, price_currency }
  await provider.startPayOut({ code, body })
  // From here on the order is this provider's alone. Whoever cannot hand out the cash calls cancelPayOut.
  console.log(`hand out ${price} ${price_currency}`)
  const { paid } = await provider.confirmPayOut({ code, body })
  return `paid at ${paid}`
}

try {
  console.log(await payOut(process.argv[2] ?? ''))
} catch (error) {
  process.exitCode = 1
  if (error instanceof NotFound) console.error('there is no such code')
  else if (error instanceof Conflict) console.error('another counter is at it')
  else if (error instanceof PermissionDenied) console.error('this order is not ours')
  else console.error(error)
}
