/**
 * What strangers send costs one digest of its bytes: no document of theirs is parsed, no mistake searched for, and an
 * unknown key costs what a known one does. What the shapes cost in time is measured by `npm run bench -- unsigned`.
 */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createCredentials, credentialName } from '../../../actors/keys/credentials.ts'
import { createVault } from '../../../actors/keys/vault.ts'
import { authenticate } from '../../../http/api/authentication.ts'
import { operatorShapes, publicShapes } from '../../support/hostile-shapes.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { changedStore, commit, inOrderWorld } from '../../support/order-world.ts'
import { merchantPath, newOrder } from '../../support/orders.ts'
import { exchange } from '../../support/raw-http.ts'

interface Spent {
  /** HMACs: each is an object for it, or two hashes (actors/foundation/hmac.ts). */
  digests: number
  /** Characters of JSON texts that were parsed or written. */
  json: number
}

/** Counts what is spent while `work` runs. */
async function spentOn(work: () => Promise<unknown>): Promise<Spent> {
  const spent = { digests: 0, json: 0 }
  const { createHmac, hash } = crypto
  const { parse, stringify } = JSON
  crypto.createHmac = (...given: Parameters<typeof createHmac>) => {
    spent.digests++
    return createHmac(...given)
  }
  Object.assign(crypto, {
    hash: (...given: Parameters<typeof hash>) => {
      spent.digests += 0.5
      return hash(...given)
    },
  })
  JSON.parse = (text, ...more) => {
    spent.json += text.length
    return parse(text, ...more)
  }
  JSON.stringify = (...given: [unknown]) => {
    const text = stringify(...given)
    spent.json += text?.length ?? 0
    return text
  }
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    Object.assign(crypto, { createHmac, hash })
    Object.assign(JSON, { parse, stringify })
    syncBuiltinESMExports()
  }
  return spent
}

let node: TestNode
test.before(async () => {
  // What this thread spends is counted.
  const env = { VENTANILLA_LIMITS_UNAUTHENTICATEDPERMINUTE: '1000000', VENTANILLA_HTTP_THREADS: '0' }
  node = await startTestNode({ env })
})
test.after(() => stopTestNode(node))

test('no shape of a stranger’s request has anything but one digest and the answer made for it', async () => {
  const { id } = await newOrder(node, 'PAY_OUT')
  const messageDate = (node.clock.now() / 1000).toFixed(3)
  const known = { key: 'mk_shop', messageDate, id: id ?? '' }
  // So that what is made once, and what tells of mistakes within the budget, is not counted.
  for (const path of ['docs', 'docs/createPayOutOrder', 'openapi.json'])
    await fetch(`${node.publicUrl}/api/v1/${path}`)
  const listeners = [
    { port: new URL(node.publicUrl).port, shapes: publicShapes(known) },
    { port: new URL(node.operatorUrl).port, shapes: operatorShapes() },
  ]
  for (const { port, shapes } of listeners) {
    for (const { name, bytes } of shapes) {
      let status = 0
      const spent = await spentOn(async () => {
        status = (await exchange(port, bytes)).at(0)?.status ?? 0
      })
      assert.ok(status < 500, `${name}: ${status}`)
      const isSearched = /as far as mistakes are searched|^a (long )?hash/.test(name)
      assert.ok(spent.digests <= (isSearched ? 60 : 3), `${name}: ${spent.digests} digests`)
      assert.ok(spent.json <= (isSearched ? 600_000 : 20_000), `${name}: ${spent.json} characters of JSON`)
    }
  }
})

test('any depth of any JSON, unsigned: refused by its signature, and never parsed', async () => {
  const brackets = fc.constantFrom('[', ']', '{', '}', '{"a":', '1,', '"', '\\', 'null', '[[[[[[[[')
  const body = fc.array(fc.tuple(brackets, fc.integer({ min: 1, max: 8_000 })), {
    minLength: 1,
    maxLength: 4,
  })
  await fc.assert(
    fc.asyncProperty(body, async (parts) => {
      const text = parts
        .map(([piece, count]) => piece.repeat(count))
        .join('')
        .slice(0, 60_000)
      const headers = {
        'Merchant-Key': 'mk_nobody',
        'Message-Date': '1772366400',
        'Message-Hash': 'f'.repeat(64),
      }
      let status = 0
      const spent = await spentOn(async () => {
        const answer = await fetch(node.publicUrl + merchantPath('PAY_OUT'), {
          method: 'POST',
          headers,
          body: text,
        })
        status = answer.status
        await answer.text()
      })
      assert.is(status, 403)
      assert.equal([spent.digests, spent.json < 2_000], [1, true])
    }),
    { seed: 20_260_301, numRuns: 30 },
  )
})

test('the same, rightly signed, is a 400', async () => {
  for (const text of [
    '['.repeat(32_000),
    `${'['.repeat(32_000)}${']'.repeat(32_000)}`,
    '{"a":'.repeat(12_000),
  ]) {
    const answer = await node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT'), body: text })
    assert.equal([answer.status, answer.json.errors[0].code], [400, 'parse_error'])
  }
  const nested = `${'['.repeat(30)}${']'.repeat(30)}`
  const answer = await node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT'), body: nested })
  assert.equal([answer.status, answer.json.errors[0].code], [400, 'invalid'])
})

const play = inOrderWorld(test)

play(
  'an unknown key, a revoked one and another party’s cost the look-ups and digests of a known one',
  async (world) => {
    const vault = createVault(new Uint8Array(32).fill(7))
    const opened: string[] = []
    const watched = {
      ...vault,
      open: (name: string, sealed: string) => {
        opened.push(name)
        return vault.open(name, sealed)
      },
    }
    const party = { id: 'm', kind: 'merchant', name: 'Shop of keys', contact: '', created_at: 0 } as const
    await commit(world.store, [
      { insert: 'parties', values: party },
      ...['mk_known', 'mk_old'].map((key) => ({
        insert: 'credentials' as const,
        values: {
          key,
          party_id: 'm',
          secret_ciphertext: vault.seal(credentialName(key), 'a secret with enough characters in it'),
          created_at: 0,
          revoked_at: key === 'mk_old' ? 1 : null,
        },
      })),
    ])
    let queries = 0
    const counting = changedStore(world.store, {
      query: (statement, values) => {
        queries++
        return world.store.query(statement, values)
      },
    })
    const options = {
      credentials: createCredentials(counting, watched),
      clock: world.clock,
      toleranceMs: 300_000,
      refusesTestKeys: false,
    }
    const costs = async (kind: 'merchant' | 'provider', key: string, messageDate: string) => {
      const header = kind === 'merchant' ? 'merchant-key' : 'provider-key'
      const headersDistinct = {
        [header]: [key],
        'message-date': [messageDate],
        'message-hash': ['f'.repeat(64)],
      }
      const message = { method: 'POST', headersDistinct } as unknown as Parameters<
        typeof authenticate
      >[2]['message']
      queries = 0
      opened.length = 0
      const { digests } = await spentOn(() =>
        authenticate(options, kind, { message, signedPath: '/', body: Buffer.from('{}') }),
      )
      return { digests, queries, opened: opened.length }
    }
    const date = (world.clock.now() / 1000).toFixed(3)
    const first = await costs('merchant', 'mk_known', date)
    assert.equal(first, { digests: 1, queries: 1, opened: 1 })
    assert.equal(await costs('merchant', 'mk_none', date), first, 'the first time')
    const known = await costs('merchant', 'mk_known', date)
    assert.equal(known, { digests: 1, queries: 1, opened: 0 })
    for (const key of ['mk_none', 'mk_nobody', 'mk_old', ''])
      assert.equal(await costs('merchant', key, date), known, key)
    assert.equal(await costs('provider', 'mk_known', date), known)
    for (const wrong of ['abc', '1772366400', '9999999999']) {
      assert.equal(await costs('merchant', 'mk_known', wrong), known)
      assert.equal(await costs('merchant', 'mk_none', wrong), known)
    }
  },
)

test.run()
