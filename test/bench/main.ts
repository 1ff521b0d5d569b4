/** `npm run bench [-- NAME]`: measures, and prints a table. Nothing here is a test. */
import { benchOrders } from './orders.ts'

const benches: Record<string, () => Promise<unknown>> = {
  orders: () => benchOrders(),
}

const name = process.argv[2] ?? 'orders'
const bench = benches[name]
if (bench === undefined) {
  console.error(`There is no bench ${name}; there are ${Object.keys(benches).join(', ')}.`)
  process.exit(2)
}
await bench()
