/** Everything an operator may ask of the node can be asked in the console, or there is a reason why not. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { operationsOf } from '../../../actors/operations/index.ts'

const room = resolve(import.meta.dirname, '../../../http/console')

const reasons: Readonly<Record<string, string>> = {
  'alarm.list': 'the overview shows the same',
  'credential.sign': 'signs the requests of `ventanilla request`, in sandboxes',
  'credential.explain': 'explains a request that `ventanilla signature explain` has at hand',
  'key.list': 'the page of a party lists its keys',
  'key.rewrap': 'reads a file on the node’s own machine, and whoever lays it there has the command',
}

/** Names of the operations that a file of the console asks for: imported, and given to `ask`, to a form's action or to the dispatcher. */
async function askedIn(file: string): Promise<string[]> {
  const source = readFileSync(file, 'utf8')
  const asking = /\b(?:(?:ask|dispatch)\(|operationAction\(\s*[^,]+,)\s*(\w+)(?:\.name)?,/g
  const asked = new Set([...source.matchAll(asking)].map(([, name]) => name))
  const names: string[] = []
  const imports = /import \{([^}]*)\} from '([./]+actors\/[\w/-]+\.ts)'/g
  for (const [, imported = '', path = ''] of source.matchAll(imports)) {
    const exported: Record<string, unknown> = await import(pathToFileURL(resolve(file, '..', path)).href)
    for (const name of imported.split(',').map((each) => each.trim())) {
      const operation = asked.has(name) ? exported[name] : undefined
      if (typeof operation === 'object' && operation !== null && 'name' in operation)
        names.push(String(operation.name))
    }
  }
  return names
}

test('the console asks for every operation there is, or it is said why it need not', async () => {
  const files = globSync('**/*.ts', { cwd: room }).map((file) => join(room, file))
  const asked = new Set((await Promise.all(files.map(askedIn))).flat())
  const known = operationsOf('sandbox').map(({ name }) => name)
  const missing = known.filter((name) => !asked.has(name) && reasons[name] === undefined)
  assert.equal(missing, [])
  const needless = Object.keys(reasons).filter((name) => asked.has(name) || !known.includes(name))
  assert.equal(needless, [], 'reasons for what is asked for, or is no more')
})

test.run()
