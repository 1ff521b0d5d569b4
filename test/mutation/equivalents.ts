/** Mutants that no test can tell from the original: what they change cannot be seen, and why. */
import { type EquivalentsOfFiles, equivalentsOfMachines } from './equivalents-of-machines.ts'

export interface Equivalent {
  file: string
  /** The line that the change begins in, and the change, as the runner prints them. */
  line: string
  change: string
  reason: string
}

const ofFiles: EquivalentsOfFiles = {
  ...equivalentsOfMachines,
  'actors/orders/fees.ts': [
    [
      "if ('commission' in event && event.commission !== undefined) return commissionColumns(event.commission)",
      'An event has a commission or does not have the member; the type check asks for both.',
      "'commission' in event && event.commission !== undefined → 'commission' in event",
      "'commission' in event && event.commission !== undefined → event.commission !== undefined",
      '&& → ||',
    ],
  ],
  'actors/foundation/money-reading.ts': [
    [
      'export const currency = known(/^[A-Z]{3}$/, (code) => currencies.has(code), \'a currency such as "MXN"\')',
      'The list of currencies decides, too, and has none that is longer.',
      '/^[A-Z]{3}$/ → /[A-Z]{3}$/',
      '/^[A-Z]{3}$/ → /^[A-Z]{3}/',
    ],
    [
      "const minor = parseAmount(value, currencyDecimals(of ?? ''))",
      'Without a currency the amount itself does not matter, but its form, and a text that is none has two decimals.',
      "of ?? '' → of",
      "'' → 'mutant'",
    ],
  ],
  'actors/reconciliation/quarantined-orders.ts': [
    ['return { ok: false, problem }', 'What is not there is as little true as false.', 'ok: false, → '],
    [
      "if (status !== 'PAYMENT_STARTED' || told.lock_provider_id === null) {",
      'What is started is held by somebody; the type check asks for the rest.',
      "status !== 'PAYMENT_STARTED' || told.loc … ider_id === null → status !== 'PAYMENT_STARTED'",
    ],
    [
      `if (given.refusal !== null) return impossible(\`it is \${status} (\${given.refusal})\`)`,
      'Whoever holds an order may always give it back; the type check asks for the rest.',
      `impossible(\`it is \${status} (\${given.refusal})\`) → undefined`,
      `\`it is \${status} (\${given.refusal})\` → \`\``,
      'given.refusal !== null → false',
    ],
    [
      'const earned = commission === undefined ? {} : { commission }',
      'A member that is undefined is neither taken nor written.',
      'commission === undefined → false',
    ],
  ],
  'actors/settlement/bank-lines.ts': [
    [
      "if (exception?.state === 'open' && stake !== null) return stake",
      'Whoever asks has looked for the kinds that hold something; the type check asks for the rest.',
      "exception?.state === 'open' && stake !== null → exception?.state === 'open'",
    ],
    [
      "if (exception === null) throw new Error('There is no exception to settle.')",
      'Whoever settles one has found it; the type check asks for the rest.',
      "throw new Error('There is no exception to settle.') → ;",
      'exception === null → false',
    ],
  ],
  'chain/matching.ts': [
    [
      'return candidates.length === 1 ? (candidates[0] ?? null) : null',
      'A list of one has a first element; the type check asks for the rest.',
      'candidates[0] ?? null → candidates[0]',
    ],
  ],
  'client/signature.ts': [
    [
      "return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [usage])",
      'The key is used where it is made, and given to nobody.',
      'false → true',
    ],
    [
      'const bytes = Uint8Array.from(hash.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))',
      'What has 64 digits has pairs; the type check asks for the rest.',
      'hash.match(/../g) ?? [] → hash.match(/../g)',
    ],
  ],
  'http/api/authentication.ts': [
    [
      "const decoySecret = 'a secret that signs nothing at all'",
      'An unknown key is refused whatever is computed for it.',
      "'a secret that signs nothing at all' → ''",
    ],
    [
      "method: request.message.method ?? '',",
      'A request has a method; the type is that of answers, too.',
      "request.message.method ?? '' → request.message.method",
      "'' → 'mutant'",
    ],
    [
      'const offsetMs = saidAt === null ? 0 : saidAt - worldNow(options.clock)',
      'Without a date the offset is neither told nor compared.',
      'saidAt === null → false',
      '0 → 1',
    ],
    [
      "if (Math.abs(offsetMs) > options.toleranceMs) return refused('clock', offsetMs > 0 ? signed : null)",
      'Beyond the tolerance the offset is not zero.',
      '> → >= (2)',
    ],
    [
      "if (Math.abs(offsetMs) > options.toleranceMs) return refused('clock', offsetMs > 0 ? signed : null)",
      'Beyond the tolerance the offset is neither zero nor one.',
      '0 → 1',
    ],
  ],
}

export const equivalents: readonly Equivalent[] = Object.entries(ofFiles).flatMap(([file, ones]) =>
  ones.flatMap(([line, reason, ...changes]) => changes.map((change) => ({ file, line, change, reason }))),
)
