/** The tables of a sandbox; what columns hold is said in `schema.ts`. */
import type { Instant } from '../machines/time.ts'

export interface SandboxTables {
  simulations: SimulationTable
  receiver_faults: ReceiverFaultTable
  sandbox_deliveries: SandboxDeliveryTable
  inbox_arrivals: InboxArrivalTable
  go_live_steps: GoLiveStepTable
}

/** What is to be simulated with an order of a sandbox, and what came of it. */
interface SimulationTable {
  id: string
  order_id: string
  /** A name of `actors/sandbox/steps.ts`. */
  step: string
  due_at: Instant
  /** Null until it was carried out. */
  settled_at: Instant | null
  /** The order's status then, or why it was refused. */
  outcome: string | null
}

/** What is to go wrong with the next deliveries of a merchant; gone once it has happened as often as it was to. */
interface ReceiverFaultTable {
  id: string
  merchant_id: string
  /** Null for all orders. */
  order_id: string | null
  /** A name of `actors/sandbox/receiver-faults.ts`. */
  fault: string
  /** Of the faults `status` and `redirect`. */
  status: number | null
  /** Of the fault `delay`. */
  seconds: number | null
  deliveries_left: number
  created_at: Instant
  /** `merchant`, or an operator's name. */
  created_by: string
}

/** One request that was made to a receiver, or would have been but for a fault. The last ones of each merchant. */
interface SandboxDeliveryTable {
  id: string
  merchant_id: string
  webhook_id: string
  /** Null for a ping. */
  order_id: string | null
  attempt: number
  sent_at: Instant
  url: string
  /** As sent. */
  headers_json: string
  /** Of orders the body is the webhook's, and goes with it. */
  ping_body: string | null
  /** `status 503`; null where everything was as in life. */
  fault: string | null
  was_sent: 0 | 1
  outcome: string
  status: number | null
  error: string | null
  milliseconds: number
  /** What the inbox of this node has found: `verified`, or what is wrong. Null for other receivers. */
  verdict: string | null
}

/** What came to a merchant's inbox. The last ones of each merchant; without bodies, which name consumers. */
interface InboxArrivalTable {
  id: string
  merchant_id: string
  received_at: Instant
  /** As they were said; null where they were not. */
  webhook_id: string | null
  attempt: string | null
  bytes: number
  /** What is wrong with its signature; null where it was verified. */
  problem: string | null
  /** Its signature by the standard was there, and right. */
  is_standard: 0 | 1
}

/** What an integration has done for the first time. */
interface GoLiveStepTable {
  party_id: string
  /** A name of `actors/sandbox/go-live-steps.ts`. */
  step: string
  done_at: Instant
  /** By what it was seen: `webhook …`, `request …`. */
  evidence: string
}
