/** What matters in the morning: what is due, near a limit and not reconciled, and yesterday beside the same day last week. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { barsMarkup } from '../../../http/console/bars-markup.ts'
import { comparedBlocks } from '../../../http/console/pages/morning.ts'
import { say, viewFor } from '../../../http/console/view.ts'
import { startConsoleWorld, visitorAs } from '../../support/console.ts'
import { closerOf } from '../../support/statement-world.ts'

const view = viewFor({ language: 'en', timeZone: null }, '')

/** Created, completed and failed on the day a week before, and yesterday; what is told of each. */
const rows: [before: [number, number, number], yesterday: [number, number, number], told: string[]][] = [
  [
    [100, 80, 10],
    [150, 120, 10],
    ['150 plain +50 %', '120 good +50 %', '10 plain ±0 %'],
  ],
  [
    [100, 80, 10],
    [90, 40, 30],
    ['90 plain −10 %', '40 waiting −50 %', '30 waiting +200 %'],
  ],
  [
    [0, 0, 0],
    [3, 0, 0],
    ['3 plain +∞', '0 plain ±0 %', '0 plain ±0 %'],
  ],
]

for (const [before, yesterday, expected] of rows) {
  test(`yesterday with ${yesterday.join(', ')} beside ${before.join(', ')} a week before`, () => {
    const dayOf = (index: number, [created = 0, completed = 0, failed = 0]: number[]) => ({
      day: `2026-03-${String(index + 1).padStart(2, '0')}`,
      ...{ created, completed, failed },
    })
    const days = Array.from({ length: 14 }, (_, index) =>
      dayOf(index, index === 12 ? yesterday : index === 5 ? before : [7, 7, 7]),
    )
    const [block] = comparedBlocks({ days })
    if (block?.kind !== 'tiles') throw new Error('there are tiles')
    assert.equal(
      block.items.map(
        ({ value, tone, note }) =>
          `${say(value, view)} ${tone} ${say(note ?? '', view).split(' against')[0]}`,
      ),
      expected,
    )
    assert.match(say(block.items[0]?.note ?? '', view), /against 2026-03-06 \(/)
    assert.is(block.items[1]?.href, '/orders?from=2026-03-13&to=2026-03-13&status=COMPLETED')
  })
}

test('a chart has an axis with figures that are read at a glance, and what it counts', () => {
  const axisOf = (most: number) => {
    const days = [{ day: '2026-03-01', parts: [{ name: 'made', tone: 'good' as const, count: most }] }]
    const svg = String(barsMarkup({ kind: 'bars', label: 'a chart', unit: 'orders', days }, view))
    assert.match(svg, /<small>orders<\/small>/)
    return [...svg.matchAll(/class="main axis"[^>]*>([^<]*)</g)].map(([, figure]) => figure)
  }
  assert.equal([0, 1, 2, 7, 11, 21, 480, 1001].map(axisOf), [
    ['0', '1'],
    ['0', '1'],
    ['0', '1', '2'],
    ['0', '5', '10'],
    ['0', '10', '20'],
    ['0', '25', '50'],
    ['0', '250', '500'],
    ['0', '1,000', '2,000'],
  ])
})

test('the first page tells what is due and leads to it', async () => {
  const world = await startConsoleWorld()
  try {
    const settles = [{ currency: 'MXN', every: 'day', account: 'CLABE 1' }]
    await world.node.apply({ merchants: [{ name: 'Shop', settles }] })
    await world.ask('statement.close', { party: 'Shop', currency: 'MXN' }, 'test')
    await closerOf({ ...world.node.core, clock: world.node.clock }).pass()
    const visitor = await visitorAs(world.node, 'viewer')
    const { text } = await visitor.get('/')
    assert.match(text, /<a href="\/settlement"><strong>1<\/strong> <span>statements due today<\/span>/)
    const days = (figure: string) =>
      new RegExp(`<a href="/reconciliation"><strong>${figure}</strong> <span>days not reconciled</span>`)
    assert.match(text, days('–'))
    await world.node.apply({
      providers: [{ name: 'Network A', networks: [{ id: '0001', currency: 'MXN' }] }],
    })
    assert.match((await visitor.get('/')).text, days('0'))
  } finally {
    await world.stop()
  }
})

test.run()
