/** Rates in a provisioning file, and the sources they are read from. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { apply } from '../../../actors/provisioning/operations.ts'
import { createLiveTable } from '../../../actors/rates/live-table.ts'
import { acceptRead, refuseRead } from '../../../persistence/queries/rates.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld } from '../../support/order-world.ts'
import { rate } from './file-members.ts'

const play = inOrderWorld(test)

play('a rate that ages is confirmed by applying it again, a fixed one is left alone', async (world) => {
  const { ask } = operatorOf(world)
  const file = { rates: [rate({ maxAgeSeconds: 60 }).rates, rate({ send: 'EURC' }).rates].flat() }
  await ask(apply, file)
  const first = world.clock.now()
  world.clock.advance(30_000)
  await ask(apply, file)
  const updated = (await world.rows('rates')).map(({ send_currency, updated_at }) => [
    send_currency,
    updated_at,
  ])
  assert.equal(Object.fromEntries(updated), { USDC: first + 30_000, EURC: first })
})

const source = { url: 'https://rates.example/usdc', pointer: '/mxn' }

function sourced(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const pair = { blockchains: ['SOLANA'], send: 'USDC', country: 'MX', target: 'MXN' }
  // As it comes from a file: what is undefined is not there.
  return JSON.parse(JSON.stringify({ rates: [{ ...pair, source, ...changes }] }))
}

play('what was read stays while its sources do, and a fixed rate ends it', async (world) => {
  const { ask } = operatorOf(world)
  const stored = async () => {
    const [row] = await world.rows('rates')
    return [row?.rate, row?.updated_at, row?.reading_json, row?.problem, row?.fee_bps]
  }
  await ask(apply, sourced())
  const first = world.clock.now()
  assert.equal(await stored(), [null, first, null, null, 0], 'an expectation is no rate')
  const [row] = await world.rows('rates')
  const key = { blockchain: 'SOLANA', send: 'USDC', country: 'MX', target: 'MXN' }
  const read = { ...key, sourceJson: row?.source_json ?? '', rate: '17.3', at: first + 5, readingJson: '{}' }
  const base = { before: first, base: '17.3', baseAt: first }
  await world.store.execute(acceptRead, { ...read, ...base })
  world.clock.advance(60_000)
  assert.equal((await ask(apply, sourced())).changes, [])
  await ask(apply, sourced({ feeBps: 50 }))
  assert.equal(await stored(), ['17.3', first + 5, '{}', null, 50])
  const refused = { before: first + 5, problem: 'it tells null', doubtJson: null }
  await world.store.execute(refuseRead, { ...key, sourceJson: read.sourceJson, ...refused })
  await ask(apply, sourced({ feeBps: 60 }))
  assert.equal((await stored())[3], 'it tells null')
  await ask(apply, sourced({ source: { ...source, pointer: '/other' } }))
  assert.equal(await stored(), [null, first + 60_000, null, null, 60])
  // What comes late from the sources that were is not taken.
  await world.store.execute(acceptRead, { ...read, ...base, before: first + 60_000 })
  assert.equal((await stored())[0], null)
  await ask(apply, rate({ rate: '18' }))
  assert.equal(await stored(), ['18', first + 60_000, null, null, 60])
})

play('a source is kept with all that is usual filled in', async (world) => {
  const { ask } = operatorOf(world)
  const usual = {
    inverse: false,
    spreadBps: 0,
    refreshSeconds: 60,
    timeoutSeconds: 5,
    maxAgeSeconds: 300,
  }
  const stored = async () => {
    const [row] = await world.rows('rates')
    return [JSON.parse(row?.source_json ?? 'null'), row?.max_age_seconds]
  }
  await ask(apply, sourced({ rate: '17.250' }))
  assert.equal(await stored(), [{ expected: '17.25', sources: [{ ...source, ...usual }] }, null])
  const given = { inverse: true, spreadBps: 25, refreshSeconds: 10, timeoutSeconds: 2, maxAgeSeconds: 30 }
  await ask(
    apply,
    sourced({ source: undefined, sources: [{ ...source, ...given }, source], maxAgeSeconds: 90 }),
  )
  const sources = [
    { ...source, ...given },
    { ...source, ...usual, maxAgeSeconds: 90 },
  ]
  assert.equal(await stored(), [{ expected: null, sources }, 90])
  await ask(
    apply,
    sourced({
      source: undefined,
      sources: ['bitso-usdc-mxn', { preset: 'coingecko-usdc-mxn', spreadBps: 50 }],
    }),
  )
  const named = [
    { url: 'https://api.bitso.com/v3/ticker?book=usdc_mxn', pointer: '/payload/bid', ...usual },
    {
      url: 'https://api.coingecko.com/api/v3/simple/price?ids=usd-coin&vs_currencies=mxn&precision=full',
      pointer: '/usd-coin/mxn',
      ...usual,
      spreadBps: 50,
    },
  ]
  assert.equal(await stored(), [{ expected: null, sources: named }, null])
})

play('in production a source is public, and asked over https', async (world) => {
  const rules = { allowPrivate: false, ports: [443], exemptOrigins: [], ownAddresses: () => [] }
  const { refusal } = operatorOf({ ...world, rates: { table: createLiveTable(), rules } }, 'production')
  const rows: [url: string, problem: string][] = [
    ['http://rates.example/', 'The URL must use https.'],
    ['https://127.0.0.1/', 'The URL must be public; its address is not (loopback).'],
    ['https://localhost/', 'The URL must be public; it names the local host.'],
    ['https://10.1.2.3/', 'The URL must be public; its address is not (private).'],
    ['https://[::1]/', 'The URL must be public; its address is not (loopback).'],
    ['https://169.254.169.254/', 'The URL must be public; its address is not (link-local).'],
    ['https://rates.example:8443/', 'The URL must use port 443.'],
    ['https://u:p@rates.example/', 'The URL must not contain a user name or a password.'],
  ]
  for (const [url, problem] of rows) {
    const { details } = await refusal('apply', sourced({ source: { ...source, url } }))
    assert.equal(details, [`rates[0].source.url: ${JSON.stringify(url)} cannot be asked. ${problem}`])
  }
})

test.run()
