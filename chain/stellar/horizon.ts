/** One Horizon: a server of Stellar's history and state. */
import type { Instant } from '../../machines/time.ts'
import { hostOf, type Requests } from '../requests.ts'
import { Fields } from './fields.ts'

/** What Horizon says of itself. */
export interface Root {
  readonly version: string
  readonly passphrase: string
  /** The newest ledger whose history it serves, and its close time. */
  readonly head: number
  readonly headAt: Instant
  /** The oldest ledger whose history it serves. */
  readonly elder: number
  /** The newest ledger of the node that it follows. */
  readonly core: number
}

/** What is done with every answer: it throws on one that is not to be used. */
export interface Watch {
  readonly requests: Requests
  /** The answer is of the network with this passphrase. */
  recognize(passphrase: string, setting: 'horizon'): void
  /** The answer is as of this ledger. */
  saw(ledger: number): void
}

export class Horizon {
  readonly host: string
  readonly #url: string
  readonly #watch: Watch

  constructor(url: string, watch: Watch) {
    this.host = hostOf(url)
    this.#url = url
    this.#watch = watch
  }

  async root(): Promise<Root> {
    const root = await this.get('/', {}, 'the root')
    const passphrase = root.text('network_passphrase')
    // A name may lead to several machines, so each answer is looked at.
    this.#watch.recognize(passphrase, 'horizon')
    const head = root.integer('history_latest_ledger')
    this.#watch.saw(head)
    return {
      version: root.optionalText('horizon_version') ?? 'unknown',
      passphrase,
      head,
      headAt: root.instant('history_latest_ledger_closed_at'),
      elder: root.integer('history_elder_ledger'),
      core: root.integer('core_latest_ledger'),
    }
  }

  async get(path: string, query: Readonly<Record<string, string>>, what: string): Promise<Fields> {
    const { found } = await this.#ask(path, query, what, false)
    if (found === null) throw new Error('404 was not accepted')
    return found
  }

  /** `null` when Horizon knows no such thing. */
  async find(path: string, query: Readonly<Record<string, string>>, what: string): Promise<Fields | null> {
    return (await this.#ask(path, query, what, true)).found
  }

  /** A state, and the ledger behind which it is so; `null` where the answer does not say. */
  async findAsOf(path: string, what: string): Promise<{ found: Fields | null; asOf: number | null }> {
    return await this.#ask(path, {}, what, true)
  }

  /** Sends a signed transaction; the result codes that refused it, or `null` when it is in a ledger. */
  async submit(envelope: string): Promise<readonly string[] | null> {
    const url = new URL(this.#url)
    url.pathname = `${url.pathname.replace(/\/$/, '')}/transactions`
    const response = await this.#watch.requests.fetch(
      url.href,
      {
        method: 'POST',
        body: new URLSearchParams({ tx: envelope }),
        headers: { accept: 'application/json' },
      },
      { accept: (status) => status === 400 },
    )
    if (response.ok) {
      await response.body?.cancel()
      return null
    }
    const problem: unknown = await response.json()
    return codesIn(problem)
  }

  async #ask(
    path: string,
    query: Readonly<Record<string, string>>,
    what: string,
    mayBeMissing: boolean,
  ): Promise<{ found: Fields | null; asOf: number | null }> {
    const url = new URL(this.#url)
    url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const response = await this.#watch.requests.fetch(
      url.href,
      { headers: { accept: 'application/json' } },
      { accept: (status) => mayBeMissing && status === 404 },
    )
    const ledger = Number(response.headers.get('latest-ledger') ?? Number.NaN)
    this.#watch.saw(ledger)
    const asOf = Number.isSafeInteger(ledger) ? ledger : null
    if (response.status === 404) {
      await response.body?.cancel()
      return { found: null, asOf }
    }
    return { found: new Fields(await response.json(), what), asOf }
  }
}

/** Every text in the `result_codes` of a refusal. */
function codesIn(problem: unknown): readonly string[] {
  if (typeof problem !== 'object' || problem === null) return []
  if ('extras' in problem) return codesIn(problem.extras)
  if ('result_codes' in problem) return codesIn(problem.result_codes)
  return Object.values(problem)
    .flat()
    .filter((code) => typeof code === 'string')
}
