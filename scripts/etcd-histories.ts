/**
 * `node scripts/etcd-histories.ts FOLDER`: makes test/simulation/linearizability/etcd.json of the logs and verdicts in a clone of
 * github.com/anishathalye/porcupine: histories of a register in etcd, recorded by Jepsen, of which it is known whether they are
 * linearizable.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Name the folder of a clone of github.com/anishathalye/porcupine.')
  process.exit(2)
}

/** Of a call: who, what (with its arguments), when it began and ended by the lines of the log, and its answer. */
type Recorded = [
  process: number,
  does: string,
  beganAt: number,
  endedAt: number | null,
  answer: string | null,
]

function callsIn(log: string): Recorded[] {
  const calls: Recorded[] = []
  const open = new Map<number, Recorded>()
  for (const [at, line] of log.split('\n').entries()) {
    const [, who = '', what, does = '', value = ''] =
      /^INFO\s+jepsen\.util\s+-\s+(\d+)\s+:(invoke|ok|fail|info)\s+:(read|write|cas)\s+(.*)$/.exec(line) ?? []
    const process = Number(who)
    if (what === 'invoke') {
      const call: Recorded = [
        process,
        does === 'read' ? does : `${does} ${value.replaceAll(/[[\]]/g, '')}`,
        at,
        null,
        null,
      ]
      calls.push(call)
      open.set(process, call)
      continue
    }
    const call = open.get(process)
    // A write or a swap that timed out may still be done.
    if (call === undefined || what === undefined || what === 'info') continue
    if (value === ':timed-out') {
      if (does === 'read') open.delete(process)
      continue
    }
    open.delete(process)
    call[3] = at
    call[4] = does === 'read' ? value : what === 'ok' ? 'done' : 'not done'
  }
  return calls.filter(([, does, , endedAt]) => does !== 'read' || endedAt !== null)
}

const logs = join(folder, 'test_data/jepsen')
const verdicts = new Map(
  [
    ...readFileSync(join(folder, 'porcupine_test.go'), 'utf8').matchAll(
      /checkJepsen\(t, (\d+), (true|false)\)/g,
    ),
  ].map(([, number, verdict]) => [Number(number), verdict === 'true']),
)
const histories = readdirSync(logs)
  .toSorted()
  .flatMap((name) => {
    const number = Number(/\d+/.exec(name)?.[0])
    const isLinearizable = verdicts.get(number)
    // Of a cluster that did not come up there is no verdict.
    if (isLinearizable === undefined) return []
    return [{ number, isLinearizable, calls: callsIn(readFileSync(join(logs, name), 'utf8')) }]
  })
const source =
  'Logs and verdicts: github.com/anishathalye/porcupine, test_data/jepsen and porcupine_test.go (MIT, Anish Athalye); recorded for github.com/ahorn/linearizability-checker. Made by scripts/etcd-histories.ts.'
const lines = histories.map((history) => JSON.stringify(history)).join(',\n')
const file = join(import.meta.dirname, '../test/simulation/linearizability/etcd.json')
writeFileSync(file, `{ "source": ${JSON.stringify(source)},\n"histories": [\n${lines}\n] }\n`)
console.log(
  `${histories.length} histories, ${histories.filter(({ isLinearizable }) => isLinearizable).length} of them linearizable`,
)
