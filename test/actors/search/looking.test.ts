/** Whatever is looked for is looked up in an index: by the plans SQLite makes. And what the digests of old rows come to. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { emailDigest } from '../../../actors/orders/consumer-digest.ts'
import { makeDigests } from '../../../actors/orders/digest-making.ts'
import { consumersWithoutDigest } from '../../../persistence/queries/orders.ts'
import * as search from '../../../persistence/queries/search.ts'
import { row } from '../../../persistence/store.ts'
import { payOutBody, startTestNode, stopTestNode } from '../../support/node.ts'
import { planOf } from '../../support/query-plan.ts'

test('no search reads more of a large table than what it finds', () => {
  /** There are few of these, and their names are asked for. */
  const small = /^SCAN (parties|banks)( |$)/
  const scans: string[] = []
  for (const [name, statement] of Object.entries({ ...search, consumersWithoutDigest })) {
    for (const detail of planOf<object, unknown>(statement)) {
      const isAllOfPartial = detail === 'SCAN consumers USING INDEX consumers_without_digest'
      if (detail.startsWith('SCAN') && !small.test(detail) && !isAllOfPartial)
        scans.push(`${name}: ${detail}`)
    }
  }
  assert.equal(scans, [])
})

test('an e-mail that was stored before there were digests gets its own, and one that was erased gets none', async () => {
  const node = await startTestNode()
  try {
    const { store, journalKey } = node.core
    const path = '/api/v1/merchants/orders/pay-out/'
    const of = async (email: string) => {
      const body = payOutBody({ consumer_email: email })
      return (await node.request({ as: 'mk_shop', path, body })).json.id as string
    }
    const [kept, erased] = [await of('kept@mail.example'), await of('erased@mail.example')]
    const digests = (set: (id: string) => object | null) =>
      store.step({
        rows: { kept: row('consumers', { order_id: kept }), erased: row('consumers', { order_id: erased }) },
        decide: (held) => ({
          answer: [held.kept?.email_digest, held.erased?.email_digest],
          writes: [kept, erased].flatMap((id) => {
            const changed = set(id)
            return changed === null
              ? []
              : [{ update: 'consumers', key: { order_id: id }, set: changed } as const]
          }),
        }),
      })
    await digests((id) => (id === kept ? { email_digest: null } : { email_digest: null, email: '' }))
    assert.equal(await makeDigests(store, journalKey), { more: false })
    const { answer } = (await digests(() => null)) as { answer: unknown }
    assert.equal(answer, [emailDigest(journalKey, 'KEPT@mail.example '), null])
    assert.equal(await makeDigests(store, journalKey), { more: false })
    // The database itself holds that none is left of an address that is gone.
    const left = await digests((id) => (id === erased ? { email_digest: 'left behind' } : null)).then(
      ({ outcome }) => outcome,
      () => 'failed',
    )
    assert.is.not(left, 'committed')
  } finally {
    await stopTestNode(node)
  }
})

test.run()
