/**
 * A hundred connections of strangers, in a process of their own that gives way to whoever else wants the processor:
 * what is measured beside them is what they take from the node, and not from the measuring. `strangers.ts PORT ADDRESS…`, the
 * addresses in turn; the shapes come as the first message, any further message ends it with how many were sent.
 */
import { connect } from 'node:net'
import { setPriority } from 'node:os'

const [portText, ...addresses] = process.argv.slice(2)
const port = Number(portText)
let sent = 0

function sendOnce(bytes: Buffer, localAddress: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () => socket.write(bytes))
    socket.on('error', () => {})
    socket.on('data', () => {})
    socket.once('close', () => resolve())
  })
}

async function attack(shapes: readonly Buffer[], first: number): Promise<void> {
  const address = addresses[first % addresses.length] ?? '127.0.0.1'
  for (let index = first; ; index++) {
    await sendOnce(shapes[index % shapes.length] ?? Buffer.alloc(0), address)
    sent++
  }
}

setPriority(19)
process.on('disconnect', () => process.exit(1))
process.once('message', (shapes: string[]) => {
  process.once('message', () => process.send?.(sent, () => process.exit(0)))
  const bytes = shapes.map((shape) => Buffer.from(shape, 'base64'))
  for (let first = 0; first < 100; first++) void attack(bytes, first)
})
