/** Counts nobody's requests, signatures and codes, and tells no one of a limit. */
import type * as limits from '../../../../http/limits/limits.ts'

export * from '../../../../http/limits/limits.ts'

const nothing = { limit: 1, remaining: 1, isOver: false, resetMs: 0, windowMs: 60_000 }

export const createLimits: typeof limits.createLimits = () => ({
  request: () => nothing,
  refusalBeyond: () => nothing,
  refusedSignature: () => nothing,
  hasRefused: () => false,
  isDoubted: () => false,
  accept: () => {},
  isAccepted: () => true,
  noteOrder: () => {},
  ofOrder: () => true,
  strangerOfAll: () => false,
  turnOfAll: () => Promise.resolve(),
  stranger: () => nothing,
  turnToBeTold: () => Promise.resolve(),
})

export const rateLimitHeaders: typeof limits.rateLimitHeaders = () => ({})
