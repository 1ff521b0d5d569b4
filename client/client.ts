/** Clients of a node: a method for each operation of the API's document, by its id. */
import {
  type MerchantOperations,
  merchantOperations,
  type OperationEntry,
  type ProviderOperations,
  providerOperations,
} from './api.ts'
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
 * @throws ApiError of the class of its status, or NoAnswer
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
  options: ClientOptions,
  keyHeader: Message['keyHeader'],
  operations: Readonly<Record<string, OperationEntry>>,
): object {
  const entries = Object.entries(operations).map(([id, operation]) => [
    id,
    (input: Input = {}, call: CallOptions = {}) => {
      const path = pathOf(operation.path, input) + queryOf(input.query ?? {})
      const body = input.body === undefined ? null : JSON.stringify(input.body)
      return send(options, { keyHeader, operation, path, body }, call)
    },
  ])
  return Object.fromEntries(entries)
}

function pathOf(template: string, input: Input): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
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
