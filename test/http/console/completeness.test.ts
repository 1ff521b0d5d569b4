/** Everything an operator may ask of the node can be asked in the console, or there is a reason why not. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { approvalRules } from '../../../actors/operations/approval-rules.ts'
import { operationsOf } from '../../../actors/operations/index.ts'
import { actions } from '../../../http/console/rooms.ts'

const room = resolve(import.meta.dirname, '../../../http/console')

const byFile = 'its form makes a file, which `apply` shows and applies'

const reasons: Readonly<Record<string, string>> = {
  'deposit.add': byFile,
  'terms.setFee': byFile,
  'terms.setCommission': byFile,
  'terms.setSettlement': byFile,
  'terms.setExposure': byFile,
  'terms.setNetwork': byFile,
  'approval.carryOut': 'whoever comes back to it asks once more, as before',
  'alarm.list': 'the overview shows the same',
  'backup.drill': 'the node does it each week, and the checks of *Health* tell of the last',
  'credential.sign': 'signs the requests of `ventanilla request`, in sandboxes',
  'credential.explain': 'explains a request that `ventanilla signature explain` has at hand',
  'evidence.key': 'each file of evidence has it, and whoever publishes it has the command',
  'evidence.rotate': 'done once in years, by whoever publishes the new key',
  'operator.resetFactors': 'nobody who is signed in may, only whoever has the machine',
  'notification.apply': 'reads a file; forms set the same one by one',
  'notification.events': 'the form of a rule names them',
  'key.list': 'the page of a party lists its keys',
  'key.rewrap': 'reads a file on the node’s own machine, and whoever lays it there has the command',
}

/** Names of the operations that a file of the console asks for: imported, and given to `ask`, to a form or to the dispatcher. */
async function askedIn(file: string): Promise<string[]> {
  const source = readFileSync(file, 'utf8')
  const asking =
    /\b(?:(?:ask|dispatch)\(|(?:operation|looking|booking)Form\(\s*request,)\s*(\w+)(?:\.name)?,/g
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
  const operations = operationsOf('sandbox')
  for (const { name } of operations.filter(({ offer }) => offer !== undefined)) asked.add(name)
  const known = operations.map(({ name }) => name)
  const missing = known.filter((name) => !asked.has(name) && reasons[name] === undefined)
  assert.equal(missing, [])
  const needless = Object.keys(reasons).filter((name) => asked.has(name) || !known.includes(name))
  assert.equal(needless, [], 'reasons for what is asked for, or is no more')
})

test('what a form gives to choose from, the operation takes', () => {
  const offered = operationsOf('sandbox').flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, { form, values = [] }]) =>
      (form?.choices ?? []).map(([value]) => [`${name} ${field} ${value}`, values.includes(value)] as const),
    ),
  )
  assert.ok(offered.length > 0)
  assert.equal(
    offered.filter(([, isTaken]) => !isTaken),
    [],
  )
})

/** What an operation is called in the sources: `order.cancel` is `orderCancel`. */
const exportOf = (name: string) => name.replace(/\W(\w)/g, (_, letter) => letter.toUpperCase())

/** Beside those that approvals judge by the amount: what they move stays the same party's, or goes back where it came from. */
const alsoMove = ['order.cancel', 'order.cancelAll', 'order.release', 'statement.close', 'withdrawal.request']

/** Those whose form on a page may book at once. */
const booksAtOnce: Readonly<Record<string, string>> = {
  'payment.sent': 'nothing moves by it: the bank has the order, and has booked nothing',
}

test('whatever moves money shows what it would book before it is done', () => {
  const judged = Object.entries(approvalRules).flatMap(([name, rule]) =>
    rule?.[0] === 'amount' ? [name] : [],
  )
  const moving = [...judged, ...alsoMove]
  const operations = operationsOf('sandbox')
  const blind = moving.filter((name) =>
    operations.some((one) => one.name === name && one.fields.dryRun?.option?.[0] !== '--dry-run'),
  )
  assert.equal(blind, [], 'has no --dry-run')
  const sources = globSync('**/*.ts', { cwd: room }).map((file) => readFileSync(join(room, file), 'utf8'))
  const plain = new Set(
    sources.flatMap((source) =>
      [...source.matchAll(/\boperationForm\(\s*request,\s*(\w+),/g)].map(([, name]) => name),
    ),
  )
  assert.ok(plain.size > 20)
  assert.equal(
    moving.filter((name) => plain.has(exportOf(name)) && booksAtOnce[name] === undefined),
    [],
    'has a form that books at once',
  )
})

test('a form that the console shows can be sent', async () => {
  const files = globSync('**/*.ts', { cwd: room }).map((file) => readFileSync(join(room, file), 'utf8'))
  const shown = files.flatMap((source) =>
    [...source.matchAll(/(?:operation|looking|booking)Form\(\s*request,\s*(\w+),/g)].map(
      ([, name = '']) => name,
    ),
  )
  const answered = new Set(actions.map(({ name }) => exportOf(name)))
  assert.equal(
    shown.filter((name) => name !== 'operation' && !answered.has(name)),
    [],
  )
  for (const { name, offer, done } of operationsOf('sandbox'))
    assert.ok(offer === undefined || done !== undefined, `${name} is offered, and does not say what was done`)
})

test.run()
