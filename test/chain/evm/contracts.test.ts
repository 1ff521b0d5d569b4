/**
 * The committed bytecode of the local network's contracts is what their source compiles to.
 *
 * In a process of its own: the compiler listens for unhandled rejections from the moment it is loaded.
 */
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { compileContracts } from '../../support/chains/evm/compile.ts'

test('the contracts that the tests run are those that people read', () => {
  const file = new URL('../../support/chains/evm/contracts.json', import.meta.url)
  assert.equal(JSON.parse(readFileSync(file, 'utf8')), compileContracts())
})

test.run()
