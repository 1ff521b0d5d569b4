/** Whatever is looked for is looked up in an index: by the plans SQLite makes. And what the digests of old rows come to. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { emailDigest, phoneDigest } from '../../../actors/orders/consumer-digest.ts'
import { makeDigests } from '../../../actors/orders/digest-making.ts'
import { consumersWithoutDigest, consumersWithoutPhoneDigest } from '../../../persistence/queries/orders.ts'
import * as search from '../../../persistence/queries/search.ts'
import { row } from '../../../persistence/store.ts'
import { payOutBody, startTestNode, stopTestNode } from '../../support/node.ts'
import { planOf } from '../../support/query-plan.ts'

test('no search reads more of a large table than what it finds', () => {
  /** There are few of these, and their names are asked for. */
  const small = /^SCAN (parties|banks)( |$)/
  const scans: string[] = []
  for (const [name, statement] of Object.entries({
    ...search,
    consumersWithoutDigest,
    consumersWithoutPhoneDigest,
  })) {
    for (const detail of planOf<object, unknown>(statement)) {
      const isAllOfPartial = /^SCAN consumers USING INDEX consumers_without_(phone_)?digest$/.test(detail)
      if (detail.startsWith('SCAN') && !small.test(detail) && !isAllOfPartial)
        scans.push(`${name}: ${detail}`)
    }
  }
  assert.equal(scans, [])
})

test('an e-mail and a telephone number that were stored before there were digests get their own, and one that was erased gets none', async () => {
  const node = await startTestNode()
  try {
    const { store, journalKey } = node.core
    const path = '/api/v1/merchants/orders/pay-out/'
    const of = async (email: string) => {
      const body = payOutBody({ consumer_email: email, consumer_phone_number: '+52 55 1234 5678' })
      return (await node.request({ as: 'mk_shop', path, body })).json.id as string
    }
    const [kept, erased] = [await of('kept@mail.example'), await of('erased@mail.example')]
    const digests = (set: (id: string) => object | null) =>
      store.step({
        rows: { kept: row('consumers', { order_id: kept }), erased: row('consumers', { order_id: erased }) },
        decide: (held) => ({
          answer: [held.kept, held.erased].flatMap((its) => [its?.email_digest, its?.phone_digest]),
          writes: [kept, erased].flatMap((id) => {
            const changed = set(id)
            return changed === null
              ? []
              : [{ update: 'consumers', key: { order_id: id }, set: changed } as const]
          }),
        }),
      })
    const none = { email_digest: null, phone_digest: null }
    await digests((id) => (id === kept ? none : { ...none, email: '', phone_number: '' }))
    assert.equal(await makeDigests(store, journalKey), { more: false })
    const { answer } = (await digests(() => null)) as { answer: unknown }
    const own = [emailDigest(journalKey, 'KEPT@mail.example '), phoneDigest(journalKey, '5512345678')]
    assert.equal(answer, [...own, null, null])
    assert.equal(await makeDigests(store, journalKey), { more: false })
    // The database itself holds that none is left of an address that is gone.
    for (const leftBehind of [{ email_digest: 'left behind' }, { phone_digest: 'left behind' }]) {
      const left = await digests((id) => (id === erased ? leftBehind : null)).then(
        ({ outcome }) => outcome,
        () => 'failed',
      )
      assert.is.not(left, 'committed')
    }
  } finally {
    await stopTestNode(node)
  }
})

test.run()
