/** Forms that are about a merchant or a provider, where there are more of them than anybody chooses from. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { partiesShown } from '../../../http/console/forms.ts'
import { listFileHref } from '../../../http/console/list-links.ts'
import { partLines } from '../../../http/console/list-parts.ts'
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

/** The names of the rows of the first table of that name. */
function namesIn(page: string, table: string): string[] {
  const [, rows = ''] =
    new RegExp(`<table role="table" aria-label="${table}"[^]*?<tbody([^]*?)</tbody>`).exec(page) ?? []
  return [...rows.matchAll(/<a href="\/(?:merchants|providers)\/[^"]*"[^>]*><bdi>([^<]*)</g)].map(
    ([, name = '']) => name,
  )
}

test('merchants and providers are listed in parts, each on its own, and in any order over all parts', async () => {
  const { text: first } = await visitor.get('/parties')
  assert.is(namesIn(first, 'Merchants').length, partLines)
  assert.is(namesIn(first, 'Providers').length, partLines)
  assert.match(first, /Lines 1 to 30 of 20\d/)
  assert.not.match(first, 'Previous lines')
  const { text: second } = await visitor.get('/parties?merchants-after=30')
  assert.match(second, /Lines 31 to 60 of 20\d/)
  assert.match(second, 'href="/parties?merchants-after=0" rel="prev"')
  assert.equal(namesIn(second, 'Providers'), namesIn(first, 'Providers'))
  const { text: last } = await visitor.get('/parties?merchants-after=9999')
  const all = [...namesIn(first, 'Merchants'), ...namesIn(second, 'Merchants'), ...namesIn(last, 'Merchants')]
  assert.is(new Set(all).size, all.length)
  assert.is(namesIn((await visitor.get('/parties?by=merchants-0&way=down')).text, 'Merchants')[0], 'Shop')
  const file = await visitor.get(listFileHref('/parties?merchants-after=30', 'merchants'))
  assert.ok(file.text.split('\r\n').length > partiesShown, 'a file has all of them')
})

test('they are found by a part of their name, as it sounds', async () => {
  const { text } = await visitor.get('/parties?name=MÁNY+19')
  assert.is(namesIn(text, 'Merchants').length, 11)
  assert.is(namesIn(text, 'Providers').length, 11)
  assert.match((await visitor.get('/parties?name=nobody')).text, 'No name has “nobody” in it.')
})

test('no page grows with the parties', async () => {
  for (const path of [
    '/parties',
    '/sandbox',
    '/settlement',
    '/payments',
    '/reconciliation',
    '/',
    '/bank',
    '/calendars',
  ]) {
    const { status, text } = await visitor.get(path)
    assert.is(status, 200, path)
    assert.ok(Buffer.byteLength(text) < 60_000, `${path}: ${Buffer.byteLength(text)}`)
  }
})

test.run()
