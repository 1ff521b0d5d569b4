/** A load generator: signed requests over keep-alive connections, as cheap as one core allows. */
import { connect, type Socket } from 'node:net'
import { sign } from '../../actors/keys/signature.ts'

export interface Credential {
  header: 'Merchant-Key' | 'Provider-Key'
  key: string
  secret: string
}

export interface Request {
  credential: Credential
  path: string
  body: string
}

export interface Answer {
  status: number
  body: string
}

/** One connection, one request at a time. */
export class Connection {
  readonly #socket: Socket
  #received = ''
  #settle: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => this.#read(String(chunk)))
    socket.on('close', () => this.#settle?.reject(new Error('the server closed the connection')))
    socket.on('error', (error) => this.#settle?.reject(error))
  }

  /** As many connections, over the servers in turn. */
  static openAll(ports: number | readonly number[], count: number): Promise<Connection[]> {
    const all = typeof ports === 'number' ? [ports] : ports
    return Promise.all(
      Array.from({ length: count }, (_, index) => Connection.open(all[index % all.length] ?? Number.NaN)),
    )
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket)))
      socket.once('error', reject)
    })
  }

  send({ credential, path, body }: Request): Promise<Answer> {
    const { header, key, secret } = credential
    const messageDate = (Date.now() / 1000).toFixed(6)
    const digest = sign({ key, messageDate, method: 'POST', path, body }, secret)
    this.#socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${header}: ${key}\r\nMessage-Date: ${messageDate}\r\n` +
        `Message-Hash: ${digest}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(chunk: string): void {
    this.#received += chunk
    const headEnd = this.#received.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received)?.[1] ?? 0)
    const end = headEnd + 4 + length
    if (this.#received.length < end) return
    const answer = {
      status: Number(this.#received.slice(9, 12)),
      body: this.#received.slice(headEnd + 4, end),
    }
    this.#received = this.#received.slice(end)
    const settle = this.#settle
    this.#settle = null
    settle?.resolve(answer)
  }
}

/** What one unit of load is: a creation, or a start and its confirmation. */
export type Work = (connection: Connection, index: number) => Promise<void>

export interface LoadResult {
  /** Units finished. */
  count: number
  seconds: number
  /** Milliseconds of each unit, from when it was due. */
  latencies: number[]
}

/** Closed loop: each connection begins its next unit when the last one ended. */
export async function closedLoop(
  ports: number | readonly number[],
  { connections, units }: { connections: number; units: number },
  work: Work,
): Promise<LoadResult> {
  const open = await Connection.openAll(ports, connections)
  const latencies: number[] = []
  let next = 0
  const startedAt = performance.now()
  await Promise.all(
    open.map(async (connection) => {
      for (let index = next++; index < units; index = next++) {
        const begunAt = performance.now()
        await work(connection, index)
        latencies.push(performance.now() - begunAt)
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  for (const connection of open) connection.close()
  return { count: units, seconds, latencies }
}

/** Open loop: units fall due at a fixed rate whether or not the server keeps up; waiting counts. */
export async function openLoop(
  ports: number | readonly number[],
  { connections, units, ratePerSecond }: { connections: number; units: number; ratePerSecond: number },
  work: Work,
): Promise<LoadResult> {
  const idle = await Connection.openAll(ports, connections)
  const all = [...idle]
  const latencies: number[] = []
  const waiting: { index: number; dueAt: number }[] = []
  const startedAt = performance.now()
  await new Promise<void>((resolve, reject) => {
    const serve = () => {
      while (idle.length > 0 && waiting.length > 0) {
        const connection = idle.shift()
        const unit = waiting.shift()
        if (connection === undefined || unit === undefined) return
        work(connection, unit.index).then(() => {
          latencies.push(performance.now() - unit.dueAt)
          idle.push(connection)
          if (latencies.length === units) resolve()
          else serve()
        }, reject)
      }
    }
    let begun = 0
    const timer = setInterval(() => {
      const due = Math.min(units, Math.floor(((performance.now() - startedAt) / 1000) * ratePerSecond))
      for (; begun < due; begun++)
        waiting.push({ index: begun, dueAt: startedAt + (begun / ratePerSecond) * 1000 })
      serve()
      if (begun === units) clearInterval(timer)
    }, 1)
  })
  const seconds = (performance.now() - startedAt) / 1000
  for (const connection of all) connection.close()
  return { count: units, seconds, latencies }
}
