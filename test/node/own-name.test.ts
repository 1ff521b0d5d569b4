import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { initialize } from '../../cli/service/init.ts'
import { places, unitText } from '../../cli/service/unit.ts'
import { welcomeText } from '../../cli/welcome.ts'
import { asRunHere, commandHere, guideHere, startHere } from '../../node/own-name.ts'

test('a text names a command in the form that runs where it is read', () => {
  assert.is(commandHere('order list', true), 'ventanilla order list')
  assert.is(commandHere('order list', false), 'npm run -s ventanilla -- order list')
  assert.is(startHere(true), 'ventanilla serve')
  assert.is(guideHere('docs/settings.md', false), 'docs/settings.md')
  const text =
    'See `ventanilla alarm list`.\n\nExamples:\n  $ ventanilla order list\nUsage: ventanilla order\n'
  assert.is(asRunHere(text, true), text)
  assert.is(
    asRunHere(text, false),
    'See `npm run -s ventanilla -- alarm list`.\n\nExamples:\n  $ npm run -s ventanilla -- order list\nUsage: ventanilla order\n',
  )
})

test('what the executable says to a newcomer works without its sources', () => {
  const demo = { made: [], receiverUrl: 'http://127.0.0.1:8082' }
  const urls = { publicUrl: 'http://a', checkoutUrl: 'http://a/checkout', operatorUrl: 'http://b' }
  const context = { mode: 'sandbox', demo, config: undefined, env: {}, now: 0 }
  const packed = welcomeText({ ...urls, ...context, isPacked: true })
  assert.match(packed, /^ventanilla request --as mk_demo POST/m)
  assert.not.match(packed, 'npm')
  const fromSources = welcomeText({ ...urls, ...context, isPacked: false })
  assert.match(fromSources, /^npm run -s ventanilla -- request --as mk_demo POST/m)
})

test('the unit and the list after init name no file that is not installed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ventanilla-init-'))
  const { missing } = initialize({ folder, stateFolder: folder, publicUrl: 'https://pay.example' })
  rmSync(folder, { recursive: true })
  assert.not.match(missing.join('\n'), /docs\/|\.md\b/)
  assert.not.match(unitText(places), 'Documentation=')
})

test.run()
