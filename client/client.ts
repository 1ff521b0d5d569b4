/** Clients of a node: a method for each operation of the API's document, by its id. */
import {
  type MerchantOperations,
  merchantOperations,
  type OperationEntry,
  type ProviderOperations,
  providerOperations,
} from './api.ts'
import { Misuse } from './errors.ts'
import { type CallOptions, type ClientOptions, type Message, send } from './sending.ts'

/** A method an operation; `input` may be left out where nothing in it is required. */
export type Client<Operations extends { [Id in keyof Operations]: { input: object; answer: unknown } }> = {
  readonly [Id in keyof Operations]: Record<string, never> extends Operations[Id]['input']
    ? (input?: Operations[Id]['input'], options?: CallOptions) => Promise<Operations[Id]['answer']>
    : (input: Operations[Id]['input'], options?: CallOptions) => Promise<Operations[Id]['answer']>
}

export type MerchantClient = Client<MerchantOperations>
export type ProviderClient = Client<ProviderOperations>

/**
 * What a merchant asks.
 *
 * ```ts
 * const merchant = createMerchantClient({ url: 'https://pay.example', key, secret })
 * const order = await merchant.createPayOutOrder({ body: { … } }, { idempotencyKey: 'order-1234' })
 * ```
 *
 * @throws Misuse at once where `url`, `key` or `secret` cannot be; each method ApiError of the class of its status, or
 *   NoAnswer
 */
export function createMerchantClient(options: ClientOptions): MerchantClient {
  // The table and the type are made from one document: each entry takes and answers what its type says.
  return methods(options, 'Merchant-Key', merchantOperations) as MerchantClient
}

/** What a payment provider asks; like `createMerchantClient`. */
export function createProviderClient(options: ClientOptions): ProviderClient {
  return methods(options, 'Provider-Key', providerOperations) as ProviderClient
}

interface Input {
  body?: unknown
  query?: Readonly<Record<string, string | number | undefined>>
  [parameter: string]: unknown
}

function methods(
  given: ClientOptions,
  keyHeader: Message['keyHeader'],
  operations: Readonly<Record<string, OperationEntry>>,
): object {
  const options = checked(given)
  const entries = Object.entries(operations).map(([id, operation]) => [
    id,
    async (input: Input = {}, call: CallOptions = {}) => {
      const { format } = operation
      const query = { ...input.query, ...(format === undefined ? {} : { format }) }
      const path = pathOf(operation.path, input) + queryOf(query)
      const body = input.body === undefined ? null : JSON.stringify(input.body)
      return send(options, { keyHeader, operation, path, body }, call)
    },
  ])
  return Object.fromEntries(entries)
}

/** Each of them often comes from a variable that is not set. */
function checked(options: ClientOptions): ClientOptions {
  for (const name of ['key', 'secret'] as const) {
    if (typeof options[name] !== 'string' || options[name] === '') throw new Misuse(`${name}: it is empty.`)
  }
  const url = URL.canParse(options.url) && !/[?#]/.test(options.url) ? new URL(options.url) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Misuse(`url: “${options.url}” is not where a node can be; it looks like https://pay.example.`)
  }
  // No request can be made to it.
  if (url.username !== '' || url.password !== '') throw new Misuse('url: it holds a user name or a password.')
  // The paths of the operations have the API's base already.
  const base = (url.origin + url.pathname)
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/, '')
    .replace(/\/+$/, '')
  return { ...options, url: base }
}

function pathOf(template: string, input: Input): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name] === undefined ? '' : String(input[name])
    // URLs take dots for steps between folders, however they are written, so that another path would be sent than signed.
    if (/^\.{0,2}$/.test(value)) throw new Misuse(`${name}: “${value}” cannot stand in a path.`)
    return encodeURIComponent(value)
  })
}

/** In the form in which `fetch` sends it, because it is signed. */
function queryOf(query: NonNullable<Input['query']>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(name, String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
