/**
 * Tells the other nodes that they may have something to do, by LISTEN and NOTIFY. Only a hint, and no worker depends
 * on it: it is sent behind the commit, many at once, because a NOTIFY inside a transaction makes all commits of the
 * server wait for each other.
 */
import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { isTopic, type Topic } from '../store.ts'
import { type Connections, connect } from './database.ts'
import { Prepared } from './prepared.ts'

const channel = 'ventanilla'
const notify = new Prepared(`SELECT pg_notify('${channel}', $1)`)
const gatherMs = 20
const reconnectMs = 1_000

export class WakeUp {
  readonly #url: string
  readonly #connections: Connections
  readonly #heard: (topics: readonly Topic[]) => void
  /** What this node says it has heard already. */
  readonly #me = randomUUID()
  readonly #topics = new Set<Topic>()
  #timer: NodeJS.Timeout | null = null
  #listening: Promise<Client | null> | null = null
  #isClosed = false

  constructor(url: string, connections: Connections, heard: (topics: readonly Topic[]) => void) {
    this.#url = url
    this.#connections = connections
    this.#heard = heard
  }

  /** Tells the others, soon. */
  tell(topics: readonly Topic[]): void {
    for (const topic of topics) this.#topics.add(topic)
    if (this.#topics.size === 0 || this.#timer !== null || this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#send()
    }, gatherMs)
    this.#timer.unref()
  }

  /** Begins to listen, at the first call; begins again by itself whenever the connection is lost. */
  listen(): void {
    this.#listening ??= this.#connect()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#send()
    const client = await this.#listening
    await client?.end().catch(() => {})
  }

  async #send(): Promise<void> {
    const topics = [...this.#topics]
    this.#topics.clear()
    if (topics.length === 0) return
    // The others look by themselves soon enough.
    await this.#connections.rows(notify, [`${this.#me} ${topics.join(' ')}`]).catch(() => {})
  }

  async #connect(): Promise<Client | null> {
    try {
      const client = await connect(this.#url, { name: 'listener' })
      client.on('notification', ({ payload = '' }) => {
        const [sender, ...topics] = payload.split(' ')
        if (sender !== this.#me) this.#heard(topics.filter(isTopic))
      })
      client.on('end', () => this.#connectAgain())
      await client.query(`LISTEN ${channel}`)
      if (this.#isClosed) await client.end()
      return client
    } catch {
      this.#connectAgain()
      return null
    }
  }

  #connectAgain(): void {
    if (this.#isClosed) return
    const timer = setTimeout(() => {
      if (!this.#isClosed) this.#listening = this.#connect()
    }, reconnectMs)
    timer.unref()
  }
}
