/** Mutants of machines/ that no test can tell from the original: see equivalents.ts. */

/** Of each file: the line, the reason, and the changes. */
export type EquivalentsOfFiles = Readonly<
  Record<string, readonly (readonly [line: string, reason: string, ...changes: string[]])[]>
>

export const equivalentsOfMachines: EquivalentsOfFiles = {
  'machines/blockchains.ts': [
    [
      'export const blockchains: readonly Blockchain[] = Object.keys(table).filter(isBlockchain)',
      'The filter is for the type alone: every key of the table is one.',
      'Object.keys(table).filter(isBlockchain) → Object.keys(table)',
    ],
  ],
  'machines/conversion.ts': [
    [
      'const atRate = resultMinor < 0n ? bookedMinor + resultMinor : bookedMinor',
      'Without a result both are the same.',
      '< → <=',
      '0n → 1n',
    ],
    ['resultMinor > 0n', 'Without a result the posting is left out either way.', '> → >='],
  ],
  'machines/fees.ts': [
    [
      'if (minMinor !== null && amountMinor < minMinor) return minMinor',
      'No amount is below null, which compares as zero does.',
      'minMinor !== null && amountMinor < minMinor → amountMinor < minMinor',
    ],
    [
      'if (minMinor !== null && amountMinor < minMinor) return minMinor',
      'At the bound both are the same.',
      '< → <=',
    ],
    [
      'if (maxMinor !== null && amountMinor > maxMinor) return maxMinor',
      'At the bound both are the same.',
      '> → >=',
    ],
  ],
  'machines/money.ts': [
    [
      "const minor = BigInt((match[2] ?? '') + fraction.padEnd(decimals, '0'))",
      'What matched has digits there; the type check asks for the rest.',
      "match[2] ?? '' → match[2]",
      "'' → 'mutant'",
    ],
    [
      "const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0')",
      'Zero is its own opposite.',
      '< → <=',
      '0n → 1n',
    ],
    [
      "return text.slice(0, Math.max(end, text.indexOf('.') + 3))",
      'There is one point in it.',
      'indexOf → lastIndexOf',
    ],
  ],
  'machines/order.ts': [
    [
      'return orderStatuses.find((status) => status === name) ?? null',
      'Each status is in the list once.',
      'find → findLast',
    ],
    [
      'types: {} as { context: OrderContext; events: OrderEvent; input: OrderInput },',
      'It is for the type check alone.',
      'types: {} as { context: OrderContext; ev … t: OrderInput }, → ',
    ],
    [
      "holdsLock: ({ context, event }) => 'providerId' in event && context.lock?.providerId === event.providerId,",
      'The guard is asked only of events that name a provider.',
      "'providerId' in event && context.lock?.p … event.providerId → context.lock?.providerId === event.providerId",
    ],
    [
      "holdsLock: ({ context, event }) => 'providerId' in event && context.lock?.providerId === event.providerId,",
      'The guard is asked only of orders that are locked.',
      'context.lock?.providerId → context.lock.providerId',
    ],
    [
      "isForced: ({ event }) => event.type === 'operator.cancel' && event.force,",
      'The guard is asked only of that event.',
      "event.type === 'operator.cancel' && event.force → event.force",
    ],
    [
      "isFunded: ({ event }) => 'missing' in event && event.missing === '0',",
      'The guard is asked only of credits, which say it.',
      "'missing' in event && event.missing === '0' → event.missing === '0'",
    ],
    [
      "'merchant.notify': () => {},",
      'It does nothing; what is done for it follows from its name.',
      "'merchant.notify': () => {}, → ",
    ],
    [
      "'funding.request': () => {},",
      'It does nothing; what is done for it follows from its name.',
      "'funding.request': () => {}, → ",
    ],
    [
      "'funding.withdraw': () => {},",
      'It does nothing; what is done for it follows from its name.',
      "'funding.withdraw': () => {}, → ",
    ],
    [
      "'money.move': (_, _params: { movement: Movement }) => {},",
      'It does nothing; what is done for it follows from its name.',
      "'money.move': (_, _params: { movement: Movement }) => {}, → ",
      ", 'exception.open': (_, _params: { kind: … ionKind }) => {} → ",
    ],
  ],
  'machines/payment.ts': [
    [
      'types: {} as { context: PaymentContext; events: PaymentEvent; input: PaymentInput },',
      'It is for the type check alone.',
      'types: {} as { context: PaymentContext;  …  PaymentInput }, → ',
    ],
    [
      "'money.move': (_, _params: { movement: PaymentMovement }) => {},",
      'It does nothing; what is done for it follows from its name.',
      "'money.move': (_, _params: { movement: P … vement }) => {}, → ",
    ],
    [
      "'due.settle': () => {},",
      'It does nothing; what is done for it follows from its name.',
      "'due.settle': () => {}, → ",
      ", 'due.release': () => {} → ",
    ],
  ],
  'machines/rate-doubt.ts': [
    [
      'if (base === null || !isWithin(baseAt, now) || !isBeyond(rate, base, maxJumpPercent)) return null',
      'Both are written at once: there is the one where there is the other.',
      'base === null || !isWithin(baseAt, now) → !isWithin(baseAt, now)',
    ],
    [
      'if (base !== null && baseAt !== null && isWithin(baseAt, now)) return { base, baseAt }',
      'Both are written at once: there is the one where there is the other.',
      'base !== null && baseAt !== null → base !== null',
      'base !== null && baseAt !== null → baseAt !== null',
      'base !== null && baseAt !== null && isWithin(baseAt, now) → isWithin(baseAt, now)',
    ],
    [
      'return baseAt !== null && now >= baseAt && now - baseAt < jumpWindowMs',
      'Without a time, which compares as zero does, no present is within an hour of it.',
      'baseAt !== null && now >= baseAt → now >= baseAt',
    ],
    [
      'const Exact = BigNumber.clone({ DECIMAL_PLACES: 30 })',
      'No rate has so many decimals that the next one would matter.',
      '30 → 31',
    ],
  ],
  'machines/rate-reading.ts': [
    [
      'const Exact = BigNumber.clone({ DECIMAL_PLACES: 30, ROUNDING_MODE: BigNumber.ROUND_DOWN })',
      'What is cut after more digits and then after ten is cut after ten.',
      'DECIMAL_PLACES: 30, → ',
      '30 → 31',
    ],
    [
      'const sorted = values.toSorted((a, b) => a.comparedTo(b) ?? 0)',
      'Decimals can be compared; the type check asks for the rest.',
      'a.comparedTo(b) ?? 0 → a.comparedTo(b)',
      '0 → 1',
    ],
    [
      "if (lower === undefined || upper === undefined) throw new Error('Nothing has no middle.')",
      'It is asked of one rate or more; the type check asks for the rest.',
      'lower === undefined || upper === undefined → false',
      'lower === undefined || upper === undefined → lower === undefined',
      'lower === undefined || upper === undefined → upper === undefined',
      '|| → &&',
      "throw new Error('Nothing has no middle.') → ;",
    ],
  ],
  'machines/rate.ts': [
    [
      String.raw`return /^\s*\d{1,15}(\.\d{1,18})?\s*$/.test(text) ? new BigNumber(text.trim()) : null`,
      'The library takes blanks around a number, too.',
      'text.trim() → text',
    ],
    [
      "const [whole = '', fraction = ''] = rate.split('.')",
      'A text that is split has a first part; the type check asks for the rest.',
      "'' → 'mutant'",
    ],
  ],
  'machines/refusals.ts': [
    [
      "return context.lock?.providerId === event.providerId ? 'locked_by_caller' : 'locked_by_other'",
      'It is asked only of orders that are locked.',
      'context.lock?.providerId → context.lock.providerId',
    ],
  ],
  'machines/retry.ts': [
    [
      'return Math.min(policy.maxGapMs, 1000 * 2 ** Math.min(attempts - 1, 30))',
      'Both are far beyond the longest gap.',
      '30 → 31',
    ],
    [
      'const isAsked = policy.heedsRetryAfter && ended.retryAfter !== null',
      'A gap is never shorter than a second, and so the longer of the two.',
      'policy.heedsRetryAfter && ended.retryAfter !== null → policy.heedsRetryAfter',
    ],
    [
      "const wished = isAsked ? (retryAfterMs(ended.retryAfter ?? '', endedAt) ?? 0) : 0",
      'A gap is never shorter than a second, and so the longer of the two.',
      "retryAfterMs(ended.retryAfter ?? '', endedAt) ?? 0 → retryAfterMs(ended.retryAfter ?? '', endedAt)",
      "ended.retryAfter ?? '' → ended.retryAfter",
      "'' → 'mutant'",
      '0 → 1',
      '0 → 1 (2)',
    ],
    [
      "const [, day, month, year = '', hour, minute, second] = modern",
      'What matched has a year; the type check asks for the rest.',
      "'' → 'mutant'",
    ],
    [
      "const [year, month = '', day, hour, minute, second] = fields",
      'What matched has a month; the type check asks for the rest.',
      "'' → 'mutant'",
    ],
    [
      'const monthIndex = monthNames.indexOf(month)',
      'Each month is in the list once.',
      'indexOf → lastIndexOf',
    ],
  ],
  'machines/statuses.ts': [
    [
      'export const orderStatuses: readonly OrderStatus[] = Object.keys(statuses).filter(isOrderStatus)',
      'The filter is for the type alone: every key is one.',
      'Object.keys(statuses).filter(isOrderStatus) → Object.keys(statuses)',
    ],
  ],
  'machines/time.ts': [
    [
      "const [, year, month, day, hour, minute, second = '00', fraction = '', offset = 'Z'] = match",
      'What has no digits has no hours and no minutes either.',
      "'Z' → ''",
    ],
    ['const read = new Date(0)', 'Every part of it is set afterwards.', '0 → 1'],
    [
      "read.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)))",
      'What is behind the third digit is cut off.',
      '3 → 4',
    ],
    [
      "if (offset.toUpperCase() === 'Z') return 0",
      'What has no digits has no hours and no minutes either.',
      "offset.toUpperCase() === 'Z' → false",
      'toUpperCase → toLowerCase',
      "'Z' → ''",
      'return 0 → ;',
    ],
    [
      "const minutes = Number(offset.slice(3).replace(':', '') || '0')",
      'An empty text is zero as a number, too.',
      "offset.slice(3).replace(':', '') || '0' → offset.slice(3).replace(':', '')",
      "'0' → ''",
    ],
  ],
  'machines/written-names.ts': [
    ['.toLowerCase()', 'It is compared with its like alone.', 'toLowerCase → toUpperCase'],
    [
      "return `U+\u0024{(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`",
      'A character has a code point; the type check asks for the rest.',
      'character.codePointAt(0) ?? 0 → character.codePointAt(0)',
      '0 → 1 (2)',
    ],
  ],
}
