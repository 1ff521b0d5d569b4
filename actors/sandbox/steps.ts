/** What can be simulated, and how an order's own name asks for it. */

/** What a party of a sandbox asks for. A step brings about by itself what it needs: a confirmation, that the order is held. */
export const simulatedSteps = [
  'fund',
  'start',
  'confirm',
  'cancel',
  /** Starts, and never confirms: past its expiry and the grace the order ends while it is held. */
  'hold',
  'deposit_exact',
  'deposit_short',
  'deposit_over',
  'deposit_late',
  'deposit_wrong_asset',
  'deposit_wrong_sender',
  'deposit_reversed',
  /** No rate is acceptable to this merchant for a while. */
  'rate_outage',
] as const

export type SimulatedStep = (typeof simulatedSteps)[number]

/** Of an order's life at a counter: what a provider may simulate, too. */
export const counterSteps: readonly SimulatedStep[] = ['start', 'confirm', 'cancel', 'hold']

const usualDelayMs = 60_000
/** Thirty days, as long as anybody waits for an order. */
const maxDelaySeconds = 30 * 86_400

const endingPattern = /-sim-([a-z]+(?:[_-][a-z]+)*)(?:-(\d{1,7}))?$/

/**
 * What the ending of a `merchant_order_id` asks for: `order-7-sim-confirm-60` is confirmed after 60 s, and never at once, so
 * that whoever waits sees the order as it is before. `null` for any other text.
 */
export function readEnding(merchantOrderId: string): { step: SimulatedStep; delayMs: number } | null {
  const [, name = '', seconds] = endingPattern.exec(merchantOrderId) ?? []
  const step = simulatedSteps.find((known) => known === name.replaceAll('-', '_'))
  if (step === undefined) return null
  if (seconds === undefined) return { step, delayMs: usualDelayMs }
  return { step, delayMs: Math.min(Math.max(Number(seconds), 1), maxDelaySeconds) * 1000 }
}

/** What each is to people. */
export const stepTexts: readonly (readonly [step: SimulatedStep, text: string])[] = [
  ['fund', 'Funds arrive'],
  ['start', 'A provider starts'],
  ['confirm', 'A provider confirms'],
  ['cancel', 'The provider releases it'],
  ['hold', 'A provider holds it and never confirms'],
  ['deposit_exact', 'Deposit: the exact amount'],
  ['deposit_short', 'Deposit: too little'],
  ['deposit_over', 'Deposit: too much'],
  ['deposit_late', 'Deposit: too late'],
  ['deposit_wrong_asset', 'Deposit: another asset'],
  ['deposit_wrong_sender', 'Deposit: from another wallet'],
  ['deposit_reversed', 'Deposit: taken back by its issuer'],
  ['rate_outage', 'No rate for five minutes'],
]
