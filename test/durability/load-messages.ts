/** What merchants and providers under load send, and what they remember of an order. */
import { randomUUID } from 'node:crypto'
import { formatInstant } from '../../machines/time.ts'
import { systemClock } from '../../node/system-clock.ts'
import type { TestAnswer, TestRequest } from '../support/node.ts'

export type Direction = 'pay-out' | 'pay-in'
export type Till = 'A' | 'B'

export type Step =
  | { kind: 'create' | 'await funds' | 'race' | 'let it expire' }
  | { kind: 'start' | 'confirm' | 'confirm again' | 'cancel'; till: Till }
  | { kind: 'operator cancels'; force: boolean }

export interface Order {
  direction: Direction
  body: Record<string, unknown>
  steps: Step[]
  /** The step that was begun and not answered. */
  isUnsure: boolean
  /** Its messages have idempotency keys that begin with it; '' where they have none. */
  key: string
  id: string
  code: string
  revision: number
  paid: string | null
}

export const price = '10.00'

/** One key for a message, however often it is sent. */
export function withKey(request: TestRequest, { key }: Order, message: string): TestRequest {
  if (key === '') return request
  return { ...request, headers: { 'Idempotency-Key': `${key} ${message}`.replaceAll(' ', '-') } }
}

export function bodyOf(expiresInMs: number, notifyUrl: string): Record<string, unknown> {
  return {
    order_type: 'LocalCurrencyOrder',
    country: 'MX',
    price,
    price_currency: 'MXN',
    description: 'Refund',
    merchant_order_id: randomUUID(),
    notify_url: notifyUrl,
    return_url: 'https://shop.example/done',
    expiry: formatInstant(systemClock.now() + expiresInMs),
    consumer_email: 'ana@example.com',
  }
}

export function expect(answer: TestAnswer, code: number, status?: string): void {
  if (answer.status === code && (status === undefined || answer.json.status === status)) return
  throw new Error(`wrong: ${answer.status} ${answer.text} instead of ${code} ${status ?? ''}`)
}
