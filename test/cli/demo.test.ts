import { tmpdir } from 'node:os'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Stage } from '../../cli/demo/stage.ts'
import { systemClock } from '../../node/system-clock.ts'
import { ventanilla } from '../support/terminal.ts'

test('the demo plays its story on a real node, and all it claims holds', async () => {
  const { code, json, err } = await ventanilla({ cwd: tmpdir(), clock: systemClock }, 'demo', '--json')
  assert.equal(
    json.checks.filter((check: { ok: boolean }) => !check.ok),
    [],
    err,
  )
  assert.equal([code, json.ok], [0, true])
  assert.ok(json.checks.length >= 91)
  assert.match(json.checks.at(-2).name, /^the shop is paid: 89,782\.60 at its bank/)
  assert.match(json.checks.at(-1).name, /^the books add up/)
})

test('a claim that does not hold is told with what was seen, and fails the whole', () => {
  let told = ''
  const stage = new Stage((text) => {
    told += text
  })
  stage.check('the sky is blue', true)
  stage.check('money grows on trees', false, { money: 0 })
  assert.is(stage.summary(), false)
  assert.match(
    told,
    /1 of 2 checks hold\n-+\n {2}✓ the sky is blue\n {2}✗ money grows on trees \(saw \{"money":0\}\)\n$/,
  )
})

test.run()
