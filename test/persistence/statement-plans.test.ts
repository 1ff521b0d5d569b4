/**
 * However many orders there are, no statement looks through a whole table of what becomes more with each of them, by the plans SQLite
 * makes: every statement of `persistence/queries` that is not built from what somebody asks for. One that every pass of the expiry asks
 * kept a node of a million orders busy for half a second each time.
 */
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Statement } from '../../persistence/statement.ts'
import { partialIndexes, planOf } from '../support/query-plan.ts'

/** A row and more for each order, message, delivery or line. */
const growing = new Set([
  'archived_orders',
  'claims',
  'consumers',
  'deposits',
  'exceptions',
  'foreign_orders',
  'idempotency_keys',
  'journal',
  'notifications',
  'orders',
  'postings',
  'quotes',
  'repeated_messages',
  'report_lines',
  'simulations',
  'statement_allocations',
  'statements',
  'webhook_attempts',
  'webhooks',
])

/** `verify` looks at everything, and an export at what it exports, both in a thread of their own. */
const thorough = new Set([
  'adjustments.ts',
  'archive.ts',
  'claims.ts',
  'conversions.ts',
  'ledger-export.ts',
  'payment-verification.ts',
  'statement-verification.ts',
  'verification.ts',
])

/** By name, why each may. */
const others = new Map([
  ['anchors.ts: journalEnd', 'its last row only, from the end'],
  ['exposure.ts: exposureOf', 'payments in doubt that nobody has resolved yet'],
  ['exposure.ts: exposuresOfAll', 'payments in doubt that nobody has resolved yet'],
  ['inspection.ts: latestJournal', 'its last rows only, from the end'],
  ['sandbox.ts: attemptsUnderWay', 'when the clock of a sandbox is moved'],
  ['sandbox.ts: cameAbout', 'when the clock of a sandbox is moved'],
  ['sandbox.ts: datedAfter', 'when the clock of a sandbox is moved'],
  ['treasuries.ts: chainDeposits', '`verify` alone'],
  ['treasuries.ts: writtenOffRefunds', '`verify` alone'],
])

/** By none of these alone is little found. */
const ofMany = /^(direction|kind|state|status)=\?$/

/** Steps that go through a table of `growing`, or through an index that has all of it; or, for each row of another, by `ofMany`. */
function wholeTables(statement: Statement<object, unknown>): string[] {
  return planOf(statement).filter((step, place) => isWhole(step) || (place > 0 && isOfMany(step)))
}

function isOfMany(step: string): boolean {
  const [, table = '', sought = ''] = /^SEARCH (\w+) .*\(([^()]*)\)/.exec(step) ?? []
  return growing.has(table) && sought.split(' AND ').every((part) => ofMany.test(part))
}

function isWhole(step: string): boolean {
  const [, table = '', index = ''] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(step) ?? []
  return growing.has(table) && !partialIndexes.has(index)
}

const isStatement = (value: unknown): value is Statement<object, unknown> =>
  typeof value === 'object' && value !== null && 'build' in value

for (const path of globSync('persistence/queries/**/*.ts').sort()) {
  const module = basename(path)
  if (thorough.has(module)) continue
  const found: Record<string, unknown> = await import(join(process.cwd(), path))
  for (const [export_, statement] of Object.entries(found)) {
    if (!isStatement(statement)) continue
    const name = `${module}: ${export_}`
    test(name, () => assert.equal(wholeTables(statement).length > 0, others.has(name)))
  }
}

test.run()
