import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { retryAfterMs } from '../../chain/requests.ts'

const answeredAt = Date.UTC(2026, 10, 27, 12)

const table: [header: string | null, waitMs: number | null][] = [
  [null, null],
  ['0', 0],
  ['5', 5000],
  [' 5 ', 5000],
  ['600', 600_000],
  ['3600', 600_000],
  ['9'.repeat(400), 600_000],
  ['-1', 0],
  ['soon', null],
  ['', null],
  ['Fri, 27 Nov 2026 12:00:30 GMT', 30_000],
  ['Fri, 27 Nov 2026 11:00:00 GMT', 0],
  ['Fri, 27 Nov 2999 12:00:00 GMT', 600_000],
]

for (const [header, waitMs] of table)
  test(`an endpoint's Retry-After of ${JSON.stringify(header)?.slice(0, 40)} is a pause of ${waitMs} ms`, () =>
    assert.is(retryAfterMs(header, answeredAt), waitMs))

test('no text in Retry-After keeps an endpoint away for longer than ten minutes', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.integer().map(String), fc.bigInt().map(String), fc.date().map(String)),
      fc.oneof(fc.constant(answeredAt), fc.constant(Number.NaN)),
      (header, serverDate) => {
        const waitMs = retryAfterMs(header, serverDate)
        assert.ok(waitMs === null || (waitMs >= 0 && waitMs <= 600_000), `${header}: ${waitMs}`)
      },
    ),
  )
})

test.run()
