/** What parties of a sandbox see: protocol 18. */
import type { GoLiveLine } from '../../actors/sandbox/go-live-steps.ts'
import { bodyArrived, bodyOf, type ShownArrival, type ShownDelivery } from '../../actors/sandbox/looking.ts'
import type { Fault } from '../../actors/sandbox/receiver-faults.ts'
import type { LoggedRequest } from '../../actors/sandbox/request-log.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'

export interface RequestView {
  request_id: string
  at: string
  key: string
  method: string
  path: string
  status: number
  refused: string | null
  milliseconds: number
  body: string | null
  mistake: string | null
  signed_string: string | null
  differs_at: number | null
  clock_offset: string | null
}

export function viewOfRequest(request: LoggedRequest): RequestView {
  const { id, at, key, method, path, status, refused, milliseconds, body, signature } = request
  const offset = signature?.clockOffsetSeconds ?? null
  return {
    request_id: id,
    at: formatInstant(at),
    ...{ key, method, path, status, refused, milliseconds, body },
    mistake: signature?.mistake ?? null,
    signed_string: signature?.signedString ?? null,
    differs_at: signature?.differsAt ?? null,
    clock_offset: offset === null ? null : `${offset} s`,
  }
}

export interface FaultView {
  id: string
  fault: string
  status: number | null
  seconds: number | null
  order: string | null
  deliveries: number
  created: string
  created_by: string
}

export function viewOfFault(fault: Fault): FaultView {
  return {
    id: fault.id,
    fault: fault.fault,
    status: fault.status,
    seconds: fault.seconds,
    order: fault.order_id,
    deliveries: fault.deliveries_left,
    created: formatInstant(fault.created_at),
    created_by: fault.created_by,
  }
}

export interface DeliveryView {
  id: string
  webhook_id: string
  order: string | null
  order_status: string | null
  attempt: number
  sent: string
  notify_url: string
  headers: string
  body: string | null
  fault: string | null
  was_sent: boolean
  outcome: string
  status: number | null
  error: string | null
  milliseconds: number
  answer: string | null
  verdict: string | null
}

export function viewOfDelivery(delivery: ShownDelivery): DeliveryView {
  return {
    id: delivery.id,
    webhook_id: delivery.webhook_id,
    order: delivery.order_id,
    order_status: delivery.order_status,
    attempt: delivery.attempt,
    sent: formatInstant(delivery.sent_at),
    notify_url: delivery.url,
    headers: headerLines(delivery.headers_json),
    body: bodyOf(delivery),
    fault: delivery.fault,
    was_sent: delivery.was_sent === 1,
    outcome: delivery.outcome,
    status: delivery.status,
    error: delivery.error,
    milliseconds: delivery.milliseconds,
    answer: delivery.answer,
    verdict: delivery.verdict,
  }
}

export interface ArrivalView {
  id: string
  received: string
  webhook_id: string | null
  attempt: string | null
  order: string | null
  order_status: string | null
  is_verified: boolean
  problem: string | null
  is_standard: boolean
  bytes: number
  body: string | null
}

export function viewOfArrival(arrival: ShownArrival): ArrivalView {
  return {
    id: arrival.id,
    received: formatInstant(arrival.received_at),
    webhook_id: arrival.webhook_id,
    attempt: arrival.attempt,
    order: arrival.order_id,
    order_status: arrival.order_status,
    is_verified: arrival.problem === null,
    problem: arrival.problem,
    is_standard: arrival.is_standard === 1,
    bytes: arrival.bytes,
    body: bodyArrived(arrival),
  }
}

export interface GoLiveView {
  step: string
  what: string
  how: string
  done: string | null
  evidence: string | null
}

export function viewOfGoLive({ step, what, how, doneAt, evidence }: GoLiveLine): GoLiveView {
  return { step, what, how, done: timeOf(doneAt), evidence }
}

function timeOf(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at)
}

/** A line a header, as they are sent. */
function headerLines(json: string): string {
  const headers: Record<string, string> = JSON.parse(json)
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
