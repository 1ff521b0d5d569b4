/** Books a bank's statement in a process of its own, to be killed: `bank-node.ts DATABASE STATEMENT`. Tells of each step that is committed. */
import { createReadStream, statSync } from 'node:fs'
import { createBankRuns } from '../../actors/reconciliation/bank-runs.ts'
import { readBank } from '../../actors/reconciliation/read-bank.ts'
import { bankByName } from '../../persistence/queries/payments.ts'
import { openSqliteStore } from '../../persistence/sqlite/engine.ts'
import { changedStore } from '../support/order-world.ts'

const [file = '', path = ''] = process.argv.slice(2)
const store = openSqliteStore({ file, clock: { now: () => Date.now() } })
const [bank] = await store.query(bankByName, { name: 'main' })
if (bank === undefined) throw new Error('there is no bank')
const upload = { id: 'statement', path, bytes: statSync(path).size, sha256: '' }
let steps = 0
const told = changedStore(store, {
  async step(step) {
    const answer = await store.step(step)
    process.send?.({ steps: ++steps })
    return answer
  },
})
const runs = createBankRuns({
  store: told,
  uploads: { find: () => upload, drop: async () => {} } as never,
  readBankFile: (name, rules) => readBank(createReadStream(name, { highWaterMark: 1024 }), rules),
  onError: (error) => {
    throw error
  },
})
const run = runs.begin(bank, upload.id, { operator: 'ana', dryRun: false })
await runs.settled(run)
const { state, outcomes } = runs.show(run)
process.send?.({ state, outcomes })
await store.close()
process.disconnect()
