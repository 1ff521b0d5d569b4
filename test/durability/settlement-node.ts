/**
 * Settles in a process of its own, to be killed: `settlement-node.ts TEMPLATE write|sync N [claims]` is killed before its N-th write or sync; with 0 they
 * are only counted. A database that is not there is written from the template first.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type ClaimHeard, playClaim } from './claim-story.ts'
import { type SettlementTold, settleDays } from './settlement-story.ts'

const [template = '', operation = 'write', place = '0', story = 'settlement'] = process.argv.slice(2)
const folder = join(String(process.env.WRITE_LOG_ROOT), 'data')
const file = join(folder, 'node.db')
const control = openSync(String(process.env.WRITE_LOG_CONTROL), 'a')

if (!existsSync(file)) {
  mkdirSync(folder)
  const handle = openSync(file, 'w', 0o600)
  writeFileSync(handle, readFileSync(template))
  fsyncSync(handle)
  closeSync(handle)
  for (const name of [folder, join(folder, '..')]) {
    const opened = openSync(name, 'r')
    fsyncSync(opened)
    closeSync(opened)
  }
}
writeSync(control, `arm ${operation} KILL ${place === '0' ? 1_000_000_000 : place} 0`)
const tell = (told: SettlementTold | ClaimHeard) => {
  // The parent of one that is killed reads it there, the log of a power cut has it between the writes.
  writeSync(1, `${JSON.stringify(told)}\n`)
  writeSync(control, `mark ${JSON.stringify(told)}`)
}
await (story === 'claims' ? playClaim(file, tell) : settleDays(file, tell, { withdraws: true }))
writeSync(control, 'report')
writeSync(control, 'disarm')
