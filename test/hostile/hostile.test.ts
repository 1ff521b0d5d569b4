/** A small share of the hostile inputs that `npm run soak hostile` plays at length, the same ones in every run. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { chainParsers } from './chain-answers.ts'
import { bytesOf, hostileInputs } from './inputs.ts'
import { parsers } from './parsers.ts'
import { type Parser, play } from './play.ts'

const seed = 20_260_301

/** Of inputs for a parser that is not dear. */
const each = 150

const playShare = async (parser: Parser) => {
  const { inputs } = await play(parser, seed, Math.ceil(each * (parser.share ?? 1)), {
    mostMs: null,
    parts: 1,
  })
  assert.ok(inputs > 0)
}

for (const parser of parsers)
  test(`${parser.name} throw nothing but their own refusals`, () => playShare(parser))

test('nothing that a network answers throws out of its adapter', async () => {
  for (const parser of await chainParsers()) await playShare(parser)
})

test('a fault is told with the input that shows it, as small as it gets', async () => {
  const faulty: Parser = {
    name: 'faulty',
    samples: ['{"price":"1.00"}'],
    parse: (text) => {
      if (text.includes('%')) throw new Error('a sign that it does not know')
    },
  }
  const told: unknown = await play(faulty, seed, 1_000, { mostMs: null, parts: 1 }).catch(
    (error: unknown) => error,
  )
  assert.match(String(told), /"text":"%"/)
  assert.match(String(told), /seed: \d+, path: "/)
})

test('inputs are of every kind: as the sample is, changed JSON, texts that are none, bytes that are no UTF-8', () => {
  const samples = ['{"a":"1","b":[{"c":true}]}']
  const inputs = fc.sample(hostileInputs(samples), { seed, numRuns: 500 }).map(({ text }) => text)
  const isJson = (text: string) => {
    try {
      return JSON.parse(text) !== undefined
    } catch {
      return false
    }
  }
  assert.ok(inputs.includes(samples[0] ?? ''))
  const changed = inputs.filter((text) => isJson(text) && !samples.includes(text))
  assert.ok(changed.length > 100)
  assert.ok(inputs.filter((text) => !isJson(text)).length > 100)
  assert.ok(inputs.some((text) => !bytesOf(text).equals(Buffer.from(text))))
})

test('halves of characters from U+DC80 to U+DCFF are bytes', () => {
  assert.equal([...bytesOf('é\udc80\udcffa')], [0xc3, 0xa9, 0x80, 0xff, 0x61])
})

test.run()
