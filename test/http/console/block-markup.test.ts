import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { blocksMarkup } from '../../../http/console/block-markup.ts'
import type { Block, Cell, Field } from '../../../http/console/blocks.ts'
import { type Frame, renderFrame } from '../../../http/console/layout.ts'
import { viewFor } from '../../../http/console/view.ts'
import { html } from '../../../http/pages/markup.ts'
import { naughtyTexts, skeletonOf, withTexts } from '../../support/markup.ts'

const view = viewFor({ language: 'en', timeZone: null }, '')

const cells: readonly Cell[] = [
  'text',
  null,
  { text: 'text', href: '/', title: 'title', note: 'note' },
  { text: 'text', time: '2026-03-01T12:00:05.123Z', href: '/' },
  { text: 'text', isCode: true, title: 'title' },
  { text: 'text', tone: 'bad', note: 'note' },
  { text: 'text', isWhole: true, copy: true },
  { text: 'text', isCode: true, copy: 'copied' },
  { text: 'text', time: '2026-03-01T12:00:05.123Z', isExact: true },
  { text: 'text', isLong: true },
]

const types = ['text', 'area', 'select', 'check', 'password', 'datetime-local', 'date', 'search'] as const
const fields: readonly Field[] = types.flatMap((type, index) => [
  { name: `plain${index}`, label: 'label', type, value: 'value', isOptional: true },
  {
    name: `full${index}`,
    label: 'label',
    type,
    hint: 'hint',
    problem: 'problem',
    value: 'value',
    maxLength: 5000,
    autocomplete: 'off',
    options: [['value', 'text'] as const],
  },
])
const form = { action: '/x', title: 'title', lead: 'lead', button: 'button', fields, hidden: { id: 'id' } }
const days = ['2026-03-01', '2026-03-02'].map((day) => ({
  day,
  parts: [{ name: 'name', tone: 'good', count: 3 } as const],
}))

type Kind = Block['kind']

/** Every kind of block, with everything that one can have. */
const samples: { readonly [Name in Kind]: readonly Extract<Block, { kind: Name }>[] } = {
  notice: [{ kind: 'notice', tone: 'bad', title: 'title', lines: ['one', 'two'] }],
  secret: [{ kind: 'secret', label: 'label', value: 'value', note: 'note' }],
  heading: [{ kind: 'heading', text: 'text', id: 'id', note: 'note' }],
  text: [{ kind: 'text', text: 'text' }],
  explained: [
    { kind: 'explained', items: [{ name: 'name', value: cells[5] ?? null, lines: ['line', null] }] },
  ],
  fold: [{ kind: 'fold', title: 'title', blocks: [{ kind: 'text', text: 'text' }] }],
  list: [{ kind: 'list', items: ['text', 'text'] }],
  links: [{ kind: 'links', items: [{ text: 'text', href: '/' }] }],
  tiles: [
    {
      kind: 'tiles',
      label: 'label',
      items: [{ label: 'label', value: '1', href: '/', tone: 'bad', note: 'note' }],
    },
  ],
  facts: [{ kind: 'facts', items: cells.map((cell) => ['label', cell] as const) }],
  table: [
    {
      kind: 'table',
      label: 'label',
      columns: [{ label: 'label', isRight: true }],
      rows: cells.map((cell) => [cell]),
      empty: 'empty',
    },
    { kind: 'table', label: 'label', columns: [], rows: [], empty: 'empty' },
  ],
  next: [{ kind: 'next', href: '/' }],
  form: [
    { kind: 'form', form },
    { kind: 'form', form: { ...form, isMain: true, isDanger: true } },
  ],
  filters: [{ kind: 'filters', action: '/', fields, button: 'button' }],
  source: [{ kind: 'source', label: 'label', text: 'text' }],
  month: [
    {
      kind: 'month',
      label: 'label',
      days: [
        { day: '', tone: 'plain', text: '', short: '' },
        { day: '2026-03-01', href: '/', tone: 'bad', text: 'text', short: 'short' },
      ],
    },
  ],
  bars: [{ kind: 'bars', label: 'label', unit: 'orders', days }],
  drawing: [{ kind: 'drawing', label: 'label', svg: html`<svg></svg>` }],
  qr: [{ kind: 'qr', label: 'label', text: 'text' }],
}
const chosen = ['kind', 'tone', 'type']

const pageOf = (kind: Kind, text: string, isFailed: boolean): string => {
  const blocks: readonly Block[] = withTexts(samples[kind], text, chosen)
  const values = Object.fromEntries([['id', text], ...fields.map(({ name }) => [name, text])])
  return String(
    blocksMarkup(blocks, {
      view,
      formToken: text,
      formsId: text,
      from: text,
      failed: isFailed ? { action: text, values } : null,
    }),
  )
}

for (const kind of Object.keys(samples) as Kind[]) {
  test(`no text gets out of its place in a block of the kind ${kind}`, () => {
    const plain = [false, true].map((isFailed) => skeletonOf(pageOf(kind, 'x', isFailed)))
    fc.assert(
      fc.property(naughtyTexts, fc.boolean(), (text, isFailed) => {
        assert.equal(skeletonOf(pageOf(kind, text, isFailed)), plain[Number(isFailed)])
      }),
      { numRuns: 50 },
    )
  })
}

test('no text gets out of its place in the frame around a page', () => {
  const frame: Omit<Frame, 'view'> = {
    title: 'title',
    heading: 'heading',
    mode: 'sandbox',
    sought: 'sought',
    now: '2026-03-01T12:00:05.123Z',
    aheadClock: { aheadMs: 172_800_000, movingTo: '2026-03-03T12:00:05.123Z' },
    operator: { name: 'name', role: 'viewer' },
    formToken: 'token',
    navigation: [
      { href: '/', section: 'daily', text: 'text', isCurrent: true, count: 3 },
      { href: '/', section: 'node', text: 'text', isCurrent: false, count: null },
    ],
    told: null,
    trail: [
      { href: '/', text: 'text' },
      { href: '/', text: 'text' },
    ],
    idleMs: 1_800_000,
    liveSeconds: 2,
    body: html`<p></p>`,
  }
  const plain = skeletonOf(renderFrame({ ...withTexts(frame, 'x', ['section']), view }))
  fc.assert(
    fc.property(naughtyTexts, (text) => {
      assert.equal(skeletonOf(renderFrame({ ...withTexts(frame, text, ['section']), view })), plain)
    }),
  )
})

test('a password is never written on a page, neither as it was set nor as it was sent', () => {
  const field: Field = { name: 'password', label: 'Password', type: 'password', value: 'set before' }
  const block: Block = { kind: 'form', form: { ...form, fields: [field] } }
  const failed = { action: '/x', values: { id: 'id', password: 'sent' } }
  const page = String(blocksMarkup([block], { view, formToken: '', formsId: '', from: '/', failed }))
  assert.match(page, /<dialog open class="panel"/)
  assert.not.match(page, /set before|sent/)
})

test.run()
