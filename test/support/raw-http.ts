/** HTTP by hand, for what no client would send: bytes into a socket, and the answers that come back. */
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  text: string
}

/** A connection to a test node, already open. */
export async function open(port: string | number): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1')
  // A node that refuses may close while the rest is being written.
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  return socket
}

export interface ExchangeOptions {
  /** Nothing more will be sent: the node sees the end of the connection's input. */
  end?: boolean
  /** Of these requests the answers have no body. */
  isHead?: boolean
}

/** After which an answer that never ended counts as an error, however busy the machine is. */
const timeoutMs = 60_000

/** Sends bytes and reads every answer until the node closes. */
export async function exchange(
  port: string | number,
  bytes: string | Uint8Array,
  { end = false, isHead = false }: ExchangeOptions = {},
): Promise<RawAnswer[]> {
  const socket = await open(port)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  const closed = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`No end within ${timeoutMs} ms of: ${JSON.stringify(String(bytes).slice(0, 200))}`))
    }, timeoutMs)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
  socket.write(bytes)
  if (end) socket.end()
  await closed
  return readAnswers(Buffer.concat(chunks).toString('latin1'), isHead)
}

/** Reads answers one after another; throws on what is no HTTP. */
function readAnswers(text: string, isHead = false): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = text
  while (rest !== '') {
    const [head = '', ...after] = rest.split('\r\n\r\n')
    const [statusLine = '', ...lines] = head.split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
    if (Number.isNaN(status)) throw new Error(`No status line: ${JSON.stringify(rest.slice(0, 100))}`)
    const headers = Object.fromEntries(lines.map(readHeader))
    rest = after.join('\r\n\r\n')
    if (status === 100) continue
    const body = isHead
      ? ''
      : headers['transfer-encoding'] === 'chunked'
        ? null
        : Number(headers['content-length'])
    const [own, left] = body === null ? readChunks(rest) : [rest.slice(0, body || 0), rest.slice(body || 0)]
    answers.push({ status, headers, text: Buffer.from(own, 'latin1').toString() })
    rest = left
  }
  return answers
}

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

function readChunks(text: string): [body: string, rest: string] {
  let body = ''
  let rest = text
  for (;;) {
    const end = rest.indexOf('\r\n')
    const length = Number.parseInt(rest.slice(0, end), 16)
    body += rest.slice(end + 2, end + 2 + length)
    rest = rest.slice(end + 2 + length + 2)
    if (length === 0) return [body, rest]
  }
}
