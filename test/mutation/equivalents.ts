/** Mutants that no test can tell from the original: what they change cannot be seen, and why. */
export interface Equivalent {
  file: string
  /** The line that the change begins in, and the change, as the runner prints them. */
  line: string
  change: string
  reason: string
}

/** Each file's, as `[line, change, reason]`. */
const ofFiles: Readonly<
  Record<string, readonly (readonly [line: string, change: string, reason: string])[]>
> = {
  'actors/foundation/money-reading.ts': [
    [
      'export const currency = known(/^[A-Z]{3}$/, (code) => currencies.has(code), \'a currency such as "MXN"\')',
      '/^[A-Z]{3}$/ → /[A-Z]{3}$/',
      'The list of currencies decides, too, and has none that is longer.',
    ],
    [
      'export const currency = known(/^[A-Z]{3}$/, (code) => currencies.has(code), \'a currency such as "MXN"\')',
      '/^[A-Z]{3}$/ → /^[A-Z]{3}/',
      'The list of currencies decides, too, and has none that is longer.',
    ],
    [
      "const minor = parseAmount(value, currencyDecimals(of ?? ''))",
      "of ?? '' → of",
      'Without a currency the amount itself does not matter, but its form, and a text that is none has two decimals.',
    ],
    [
      "const minor = parseAmount(value, currencyDecimals(of ?? ''))",
      "'' → 'mutant'",
      'Without a currency the amount itself does not matter, but its form, and a text that is none has two decimals.',
    ],
  ],
  'chain/matching.ts': [
    [
      'return candidates.length === 1 ? (candidates[0] ?? null) : null',
      'candidates[0] ?? null → candidates[0]',
      'A list of one has a first element; the type check asks for the rest.',
    ],
  ],
  'client/signature.ts': [
    [
      'if (!/^[0-9a-f]{64}$/.test(hash)) return false',
      '/^[0-9a-f]{64}$/ → /[0-9a-f]{64}$/',
      'With more before it the bytes are shifted or too many, and never those of the digest.',
    ],
    [
      'const bytes = Uint8Array.from(hash.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))',
      'hash.match(/../g) ?? [] → hash.match(/../g)',
      'What has 64 digits has pairs; the type check asks for the rest.',
    ],
  ],
  'http/api/authentication.ts': [
    [
      "const decoySecret = 'a secret that signs nothing at all'",
      "'a secret that signs nothing at all' → ''",
      'An unknown key is refused whatever is computed for it.',
    ],
    [
      "method: request.message.method ?? '',",
      "request.message.method ?? '' → request.message.method",
      'A request has a method; the type is that of answers, too.',
    ],
    [
      "method: request.message.method ?? '',",
      "'' → 'mutant'",
      'A request has a method; the type is that of answers, too.',
    ],
    [
      'const offsetMs = saidAt === null ? 0 : saidAt - options.clock.now()',
      'saidAt === null → false',
      'Without a date the offset is neither told nor compared.',
    ],
    [
      'const offsetMs = saidAt === null ? 0 : saidAt - options.clock.now()',
      '0 → 1',
      'Without a date the offset is neither told nor compared.',
    ],
    [
      "if (Math.abs(offsetMs) > options.toleranceMs) return refused('clock', offsetMs > 0 ? signed : null)",
      '> → >= (2)',
      'Beyond the tolerance the offset is not zero.',
    ],
    [
      "if (Math.abs(offsetMs) > options.toleranceMs) return refused('clock', offsetMs > 0 ? signed : null)",
      '0 → 1',
      'Beyond the tolerance the offset is neither zero nor one.',
    ],
  ],
  'machines/blockchains.ts': [
    [
      'export const blockchains: readonly Blockchain[] = Object.keys(table).filter(isBlockchain)',
      'Object.keys(table).filter(isBlockchain) → Object.keys(table)',
      'The filter is for the type alone: every key of the table is one.',
    ],
  ],
  'machines/conversion.ts': [
    [
      'const atRate = resultMinor < 0n ? bookedMinor + resultMinor : bookedMinor',
      '< → <=',
      'Without a result both are the same.',
    ],
    [
      'const atRate = resultMinor < 0n ? bookedMinor + resultMinor : bookedMinor',
      '0n → 1n',
      'Without a result both are the same.',
    ],
    ['resultMinor > 0n', '> → >=', 'Without a result the posting is left out either way.'],
  ],
  'machines/fees.ts': [
    [
      'if (minMinor !== null && amountMinor < minMinor) return minMinor',
      'minMinor !== null && amountMinor < minMinor → amountMinor < minMinor',
      'No amount is below null, which compares as zero does.',
    ],
    [
      'if (minMinor !== null && amountMinor < minMinor) return minMinor',
      '< → <=',
      'At the bound both are the same.',
    ],
    [
      'if (maxMinor !== null && amountMinor > maxMinor) return maxMinor',
      '> → >=',
      'At the bound both are the same.',
    ],
  ],
  'machines/money.ts': [
    [
      "const minor = BigInt((match[2] ?? '') + fraction.padEnd(decimals, '0'))",
      "match[2] ?? '' → match[2]",
      'What matched has digits there; the type check asks for the rest.',
    ],
    [
      "const minor = BigInt((match[2] ?? '') + fraction.padEnd(decimals, '0'))",
      "'' → 'mutant'",
      'What matched has digits there; the type check asks for the rest.',
    ],
    [
      "const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0')",
      '< → <=',
      'Zero is its own opposite.',
    ],
    [
      "const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0')",
      '0n → 1n',
      'Zero is its own opposite.',
    ],
    [
      "return text.slice(0, Math.max(end, text.indexOf('.') + 3))",
      'indexOf → lastIndexOf',
      'There is one point in it.',
    ],
  ],
  'machines/rate.ts': [
    [
      String.raw`return /^\s*\d{1,15}(\.\d{1,18})?\s*$/.test(text) ? new BigNumber(text.trim()) : null`,
      'text.trim() → text',
      'The library takes blanks around a number, too.',
    ],
    [
      "const [whole = '', fraction = ''] = rate.split('.')",
      "'' → 'mutant'",
      'A text that is split has a first part; the type check asks for the rest.',
    ],
  ],
  'machines/order.ts': [
    [
      'return orderStatuses.find((status) => status === name) ?? null',
      'find → findLast',
      'Each status is in the list once.',
    ],
    [
      'types: {} as { context: OrderContext; events: OrderEvent; input: OrderInput },',
      'types: {} as { context: OrderContext; ev … t: OrderInput }, → ',
      'It is for the type check alone.',
    ],
    [
      "holdsLock: ({ context, event }) => 'providerId' in event && context.lock?.providerId === event.providerId,",
      "'providerId' in event && context.lock?.p … event.providerId → context.lock?.providerId === event.providerId",
      'The guard is asked only of events that name a provider.',
    ],
    [
      "holdsLock: ({ context, event }) => 'providerId' in event && context.lock?.providerId === event.providerId,",
      'context.lock?.providerId → context.lock.providerId',
      'The guard is asked only of orders that are locked.',
    ],
    [
      "isForced: ({ event }) => event.type === 'operator.cancel' && event.force,",
      "event.type === 'operator.cancel' && event.force → event.force",
      'The guard is asked only of that event.',
    ],
    [
      "isFunded: ({ event }) => 'missing' in event && event.missing === '0',",
      "'missing' in event && event.missing === '0' → event.missing === '0'",
      'The guard is asked only of credits, which say it.',
    ],
    [
      "'merchant.notify': () => {},",
      "'merchant.notify': () => {}, → ",
      'It does nothing; what is done for it follows from its name.',
    ],
    [
      "'funding.request': () => {},",
      "'funding.request': () => {}, → ",
      'It does nothing; what is done for it follows from its name.',
    ],
    [
      "'funding.withdraw': () => {},",
      "'funding.withdraw': () => {}, → ",
      'It does nothing; what is done for it follows from its name.',
    ],
    [
      "'money.move': (_, _params: { movement: Movement }) => {},",
      "'money.move': (_, _params: { movement: Movement }) => {}, → ",
      'It does nothing; what is done for it follows from its name.',
    ],
    [
      "'money.move': (_, _params: { movement: Movement }) => {},",
      ", 'exception.open': (_, _params: { kind: … ionKind }) => {} → ",
      'It does nothing; what is done for it follows from its name.',
    ],
  ],
}

export const equivalents: readonly Equivalent[] = Object.entries(ofFiles).flatMap(([file, ones]) =>
  ones.map(([line, change, reason]) => ({ file, line, change, reason })),
)
