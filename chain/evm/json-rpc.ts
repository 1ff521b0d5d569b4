/**
 * JSON-RPC over HTTP. viem's own client believes the shape of what it is answered, and decides by itself what
 * travels together. Here answers are checked, and what one back end of a pool must answer is one request.
 */
import type { ChainFailure, ChainFailureKind, Outcome } from '../chain.ts'
import { failureOf, HttpRefusal, hostOf, type Requests, wordsOf } from '../requests.ts'

export interface Call {
  readonly method: string
  readonly params: readonly unknown[]
}

export interface RpcError {
  readonly code: number
  readonly message: string
}

export type Answer = Outcome<unknown, RpcError>

/** What an endpoint answered, on its way out of a piece of work; `failureIn` turns it into a value. */
export class RpcFailed extends Error {
  override readonly name = 'RpcFailed'
  readonly kind: ChainFailureKind
  /** `message` continues the endpoint's name: "is behind …". */
  constructor(kind: ChainFailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** A request without an answer; the cause is what `fetch` threw. */
class RequestFailed extends Error {
  override readonly name = 'RequestFailed'
}

/** More than this at once is refused by some providers, and counted call by call by others. */
const maxBatch = 100

/** Providers answer an oversized request with these, and explain it in a JSON-RPC error. */
const explainedStatuses = new Set([400, 413])
const tooMuchStatuses = new Set([413, 429])

export class JsonRpc {
  readonly host: string
  readonly #url: string
  readonly #requests: Requests
  #batchLimit = maxBatch

  constructor(url: string, requests: Requests) {
    this.host = hostOf(url)
    this.#url = url
    this.#requests = requests
  }

  /** How many calls travel together at the moment. */
  get batchLimit(): number {
    return this.#batchLimit
  }

  /** The answer to each call, in their order. Throws when there is none. */
  async ask(calls: readonly Call[]): Promise<readonly Answer[]> {
    const answers: Answer[] = []
    while (answers.length < calls.length) {
      const some = calls.slice(answers.length, answers.length + this.#batchLimit)
      const got = await this.#send(some)
      if (got === null) continue
      answers.push(...got)
      if (some.length === this.#batchLimit && some.length < maxBatch) this.#batchLimit += 1
    }
    return answers
  }

  /** The results of calls that have to succeed. */
  async results(calls: readonly Call[]): Promise<readonly unknown[]> {
    return (await this.ask(calls)).map(resultOf)
  }

  /** `null` when fewer calls have to be tried at once. */
  async #send(calls: readonly Call[]): Promise<readonly Answer[] | null> {
    const [first] = calls
    const body = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
    let answer: unknown
    try {
      answer = await this.#post(calls.length === 1 ? body[0] : body)
    } catch (error) {
      // A batch is counted call by call: a smaller one may find room next time.
      const cause = error instanceof RequestFailed ? error.cause : null
      if (cause instanceof HttpRefusal && tooMuchStatuses.has(cause.status)) this.#shrink(calls.length)
      throw error
    }
    if (Array.isArray(answer)) return inOrder(answer, calls.length, this.#url)
    const error = errorOf(answer, this.#url)
    if (first !== undefined && calls.length === 1)
      return [
        error === null ? { ok: true, value: memberOf(answer, 'result') } : { ok: false, failure: error },
      ]
    if (error === null) throw unreadable('a batch')
    this.#shrink(calls.length)
    if (failureKindOf(error) === 'rate_limited') throw failed(error)
    return null
  }

  #shrink(size: number): void {
    this.#batchLimit = Math.ceil(size / 2)
  }

  async #post(body: unknown): Promise<unknown> {
    const { refusal, text } = await this.#fetch(JSON.stringify(body))
    const answer = parse(text)
    const isExplained = Array.isArray(answer) || errorOf(answer, this.#url) !== null
    if (refusal !== null && !isExplained) throw new RequestFailed('refused', { cause: refusal })
    if (answer === undefined) throw unreadable('what is no JSON')
    return answer
  }

  async #fetch(body: string): Promise<{ refusal: HttpRefusal | null; text: string }> {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    const accept = (status: number): boolean => explainedStatuses.has(status)
    try {
      const response = await this.#requests.fetch(this.#url, init, { accept })
      const refusal = response.ok ? null : new HttpRefusal(response.status, null)
      return { refusal, text: await response.text() }
    } catch (cause) {
      throw new RequestFailed('no answer', { cause })
    }
  }
}

/** The result, or the error as something to throw. */
export function resultOf(answer: Answer): unknown {
  if (answer.ok) return answer.value
  throw failed(answer.failure)
}

export function failed(error: RpcError): RpcFailed {
  return new RpcFailed(failureKindOf(error), `${words[failureKindOf(error)]} (${describe(error)}).`)
}

export function unreadable(what: string): RpcFailed {
  return new RpcFailed('unavailable', `gives an answer that cannot be read: ${what}.`)
}

/**
 * What an error means. Codes are used differently by each provider, so the words count too: those of Monad's
 * own server (monad-bft, monad-rpc/src/types/jsonrpc.rs) and of the usual providers.
 */
export function failureKindOf({ code, message }: RpcError): ChainFailureKind {
  const isQuota =
    /rate.?limit|too many requests|requests per|compute units|capacity|overloaded|try again later/i
  if (code === 429 || isQuota.test(message)) return 'rate_limited'
  const isMissing = /block requested not found|(block|header) not found|unknown block|missing block/i
  if (isMissing.test(message)) return 'inconsistent'
  return code === -32603 ? 'unavailable' : 'refused'
}

/**
 * What went wrong in a piece of work on this endpoint. Anything but its answers is a defect, and thrown on.
 */
export function failureIn(error: unknown, host: string): ChainFailure {
  if (error instanceof RequestFailed) return failureOf(error.cause, host)
  if (!(error instanceof RpcFailed)) throw error
  const { kind, message } = error
  const needsSomebody = kind === 'refused' || kind === 'wrong_network' || kind === 'history_missing'
  return {
    kind,
    endpoint: host,
    message: `${host} ${message}`,
    retryable: !needsSomebody,
    retryAfterMs: null,
  }
}

const words: Readonly<Record<ChainFailureKind, string>> = {
  unavailable: 'has an internal error',
  rate_limited: 'asks for fewer requests',
  wrong_network: 'answers for another network',
  history_missing: 'no longer has what is asked for',
  inconsistent: 'does not have a block that it has named',
  refused: 'refuses the request',
}

function describe({ code, message }: RpcError): string {
  return `error ${code}: ${message}`
}

function inOrder(answers: readonly unknown[], count: number, url: string): readonly Answer[] {
  const byId = new Map(answers.map((answer) => [memberOf(answer, 'id'), answer]))
  return Array.from({ length: count }, (_, id) => {
    const answer = byId.get(id)
    if (answer === undefined) throw unreadable('a batch without an answer to each call')
    const error = errorOf(answer, url)
    return error === null ? { ok: true, value: memberOf(answer, 'result') } : { ok: false, failure: error }
  })
}

function errorOf(answer: unknown, url: string): RpcError | null {
  const error = memberOf(answer, 'error')
  if (error === undefined || error === null) return null
  const [code, message] = [memberOf(error, 'code'), memberOf(error, 'message')]
  return {
    code: typeof code === 'number' ? code : 0,
    message: wordsOf(typeof message === 'string' ? message : JSON.stringify(error), url),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A member of what may be an object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
