/** Two ends of one beginning, compared: what stands, and when orders were told what. */
import * as assert from 'uvu/assert'
import type { End } from './moved-clock.ts'

/** Workers look each second, and time passes in steps of a minute and a half: nothing is told later than that, a tick, and a block. */
const mostApartMs = 180_000

export function assertAlike(one: End, other: End, { isKilled = false } = {}): void {
  // What was sent by a node that did not live to know is sent again; and each start sweeps what is too old.
  const kept = (lines: readonly string[]) =>
    isKilled ? lines.filter((line) => !/^(attempt|webhook|quote) /.test(line)) : lines
  const [lines, others] = [new Set(kept(one.lines)), new Set(kept(other.lines))]
  const only = (of: ReadonlySet<string>, without: ReadonlySet<string>) =>
    [...of].filter((line) => !without.has(line)).slice(0, 20)
  assert.equal({ here: only(lines, others), there: only(others, lines) }, { here: [], there: [] })
  assert.is(kept(one.lines).length, kept(other.lines).length)
  const apart = [...one.told].flatMap(([what, at]) => {
    const ms = Math.abs(at - (other.told.get(what) ?? Number.NaN))
    return ms <= mostApartMs ? [] : [`${what}: ${at} and ${other.told.get(what)}`]
  })
  assert.equal(apart.slice(0, 10), [])
  assert.ok(one.expired > 0, 'no order has ended by itself')
}
