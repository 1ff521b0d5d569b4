/** The files of a confirmation, as docs/architecture.md lists them, are those that a confirmation goes through. */
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { charts } from '../../machines/index.ts'
import { startTestNode, stopTestNode } from '../support/node.ts'
import { call, orderIn } from '../support/orders.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

function listed(): string[] {
  const [, section = ''] = read('docs/architecture.md').split('## A confirmation, file by file\n')
  const [text = ''] = section.split('\n## ')
  return [...text.matchAll(/^\d\. \[([^\]]+)\]/gm)].map(([, file = '']) => file)
}

function importsOf(file: string): string[] {
  return [...read(file).matchAll(/ from '(\.[^']+)'/g)].map(([, path = '']) => join(dirname(file), path))
}

/** Ours that call each other at this moment, the first first; what measures them and what stores them is not asked. */
function filesOnStack(): string[] {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 100
  const stack = new Error().stack ?? ''
  Error.stackTraceLimit = stackTraceLimit
  const files = [...stack.matchAll(/file:\/\/(\/.+?\.ts):/g)].map(([, path = '']) => relative(root, path))
  const ours = files.filter((file) => !/^(node_modules|test|persistence|node\/metrics)\b/.test(file))
  return [...new Set(ours)].toReversed()
}

test('there are at most six, and each is imported by one before it', () => {
  const files = listed()
  assert.ok(files.length > 1 && files.length <= 6, `${files.length} files`)
  for (const [index, file] of files.entries()) {
    if (index === 0) continue
    const isImported = files.slice(0, index).some((before) => importsOf(before).includes(file))
    assert.ok(isImported, `none before it imports ${file}`)
  }
})

test('a confirmation goes through these, in this order, and through no other', async () => {
  const node = await startTestNode()
  const chart = charts.payOutLocal
  const { transition } = chart
  const { store } = node.core
  const step = store.step.bind(store)
  try {
    const order = await orderIn(node, 'PAY_OUT', 'LOCKED')
    let toStep: string[] = []
    let toChart: string[] = []
    store.step = (asked) => {
      const files = filesOnStack()
      if (files.includes('http/public-app.ts')) toStep = files
      return step(asked)
    }
    chart.transition = (...asked) => {
      toChart = filesOnStack()
      return transition.apply(chart, asked)
    }
    assert.is((await call(node, order, 'confirm')).status, 200)
    assert.is(toStep.at(-1), toChart[0])
    assert.equal([...toStep, ...toChart.slice(1)], listed())
  } finally {
    chart.transition = transition
    await stopTestNode(node)
  }
})

test.run()
