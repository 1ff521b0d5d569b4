/** Forms that are about a merchant or a provider, where there are more of them than anybody chooses from. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { partiesShown } from '../../../http/console/forms.ts'
import { addOperators, type ConsoleVisitor, visitorAs } from '../../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

let node: TestNode
let visitor: ConsoleVisitor

test.before(async () => {
  node = await startTestNode()
  await addOperators(node)
  await node.apply({ banks: [{ name: 'main', currency: 'MXN' }] })
  visitor = await visitorAs(node, 'administrator')
})

test.after(() => stopTestNode(node))

/** How the first of the fields of that name is given; null where there is none. */
function controlOf(page: string, name: string): string | null {
  return new RegExp(`<(\\w+) id="[^"]*" (?:type="\\w+" )?name="${name}"`).exec(page)?.[1] ?? null
}

const forms = [
  ['/payments', 'party'],
  ['/settlement', 'party'],
  ['/adjustments', 'party'],
  ['/claims/open', 'provider'],
] as const

async function add(count: number): Promise<void> {
  const rest = { contact: '', created_at: node.clock.now() }
  await node.core.store.step({
    rows: {},
    decide: () => ({
      answer: null,
      writes: (['merchant', 'provider'] as const).flatMap((kind) =>
        Array.from({ length: count }, (_, index) => {
          const name = `${kind} of many ${index}`
          return { insert: 'parties' as const, values: { id: name, kind, name, ...rest } }
        }),
      ),
    }),
  })
}

test('few are chosen from', async () => {
  for (const [path, name] of forms) assert.is(controlOf((await visitor.get(path)).text, name), 'select', path)
})

test('the name of one of many is written, and no page grows with them', async () => {
  const sizes = async () => {
    const found: number[] = []
    for (const [path, name] of forms) {
      const { text } = await visitor.get(path)
      assert.is(controlOf(text, name), 'input', path)
      assert.match(text, 'The whole name of a merchant or a provider.', path)
      found.push(Buffer.byteLength(text))
    }
    return found
  }
  await add(partiesShown + 1)
  const many = await sizes()
  for (const [index, bytes] of many.entries()) assert.ok(bytes < 60_000, `${forms[index]}: ${bytes}`)
  await visitor.get('/settlement')
  const form = { kind: '', currency: 'MXN', form_page: '/settlement', dryRun: 'yes' }
  const shown = await visitor.post('/statement/close', { ...form, party: 'Network A' })
  assert.match(shown.text, /Network A has no line in MXN/)
  const unknown = await visitor.post('/statement/close', { ...form, party: 'Network' })
  assert.match(unknown.text, /There is no party Network\./)
  assert.match(unknown.text, /value="Network"/)
})

test.run()
