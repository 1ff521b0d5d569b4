/**
 * A claim that a merchant opens, its provider denies and an operator upholds, with a file and the erasing of both, on files that outlive
 * whoever plays it. It goes on wherever it was cut off: parties send the same message again, an operator looks first.
 */
import { createAnchoring } from '../../actors/anchors/anchoring.ts'
import { decideClaim } from '../../actors/claims/deciding.ts'
import { isUndecided } from '../../actors/claims/documents.ts'
import { readFile } from '../../actors/claims/evidence.ts'
import { findClaim } from '../../actors/claims/finding.ts'
import { openClaim } from '../../actors/claims/opening.ts'
import { type ToldClaim, tellOfClaim } from '../../actors/claims/telling.ts'
import { createCondition } from '../../actors/condition/condition.ts'
import { personalErase } from '../../actors/erasure/operations.ts'
import { anchorAll } from '../../node/anchors-file.ts'
import { openStore } from '../../persistence/index.ts'
import { LineLog } from '../../persistence/line-log.ts'
import { evidenceOfClaim } from '../../persistence/queries/claims.ts'
import { orderById } from '../../persistence/queries/orders.ts'
import type { Row } from '../../persistence/store.ts'
import { fakeClock } from '../support/clock.ts'
import { allRows } from '../support/database.ts'
import { operatorOf } from '../support/operations.ts'
import { journalKey, registryOf, shop, tills } from '../support/order-world.ts'
import { neverRestored } from './settlement-story.ts'

/** What whoever is outside has, each as often as it was said. */
export type ClaimHeard = { is: 'opened' | 'denied' | 'decided' | 'erased'; said: string }

const merchant = { kind: 'merchant', id: shop.id, name: shop.name, credential: 'mk_shop' } as const
const provider = { kind: 'provider', id: tills.A.id, name: tills.A.name, credential: 'pk_a' } as const
const operator = { kind: 'operator', name: 'ana' } as const

function messageOf(partyId: string, digest: string): NonNullable<ToldClaim['message']> {
  return {
    guard: { partyId, digest, bindsRevision: false },
    answer: ({ number, state }) => ({ status: 200, body: `claim ${number} is ${state}` }),
  }
}

export async function playClaim(file: string, tell: (heard: ClaimHeard) => void): Promise<void> {
  const clock = fakeClock(Date.UTC(2026, 2, 6, 12))
  const store = await openStore(`sqlite:${file}`, { clock })
  const anchors = new LineLog(`${file}.anchors`)
  const condition = createCondition()
  const kept = { anchors, restoreWatch: neverRestored, log: { info() {} } }
  const anchoring = createAnchoring({ store, clock, condition, journalKey, ...kept })
  const outside = () => anchorAll(anchoring)
  const hear = async (is: ClaimHeard['is'], said: string) => {
    await outside()
    tell({ is, said })
  }
  try {
    await anchoring.begin()
    const [first] = await allRows(store, 'orders')
    const [order] = await store.query(orderById, { id: first?.id ?? '' })
    if (order === undefined) throw new Error('There is no order.')
    await hear('opened', await openOnce())
    await hear('denied', await denyOnce())
    const claim = await findClaim(store, 1)
    await addFileOnce(claim)
    if (isUndecided(claim)) {
      const deciding = {
        number: 1,
        decision: 'upheld',
        reason: 'the receipt',
        operator: 'ana',
        dryRun: false,
      } as const
      await decideClaim({ store, journalKey }, deciding)
    }
    await hear('decided', (await findClaim(store, 1)).state)
    const { ask } = operatorOf({ store, clock, orders: registryOf(store, clock), anchorNow: outside })
    await ask(personalErase, { order: order.id, reason: 'it was asked for' })
    await hear('erased', order.id)

    async function openOnce(): Promise<string> {
      const done = await openClaim(
        { store, journalKey, clock, bankingDays: 10 },
        {
          ...{ kind: 'twice', order: order as Row<'orders'>, claimant: 'merchant', actor: merchant },
          ...{ providerId: null, amountMinor: null, text: 'Two receipts.', exceptionId: null },
          message: messageOf(shop.id, 'opened once'),
        },
      )
      if (done.outcome !== 'opened' && done.outcome !== 'repeated') throw new Error(JSON.stringify(done))
      return done.answer?.body ?? ''
    }

    async function denyOnce(): Promise<string> {
      const done = await tellOfClaim({ store, journalKey }, await findClaim(store, 1), {
        ...{ said: { type: 'claim.answer', by: 'provider', agrees: false }, actor: provider, piece: null },
        message: messageOf(tills.A.id, 'denied once'),
      })
      if (done.outcome !== 'told' && done.outcome !== 'repeated') throw new Error(JSON.stringify(done))
      return done.answer?.body ?? ''
    }

    async function addFileOnce(claim: Row<'claims'>): Promise<void> {
      const pieces = await store.query(evidenceOfClaim, { claimId: claim.id })
      if (pieces.some(({ file_name }) => file_name !== null)) return
      const piece = readFile('receipt.pdf', Buffer.from(`%PDF-1.7\n${'receipt '.repeat(20_000)}`))
      if (typeof piece === 'string') throw new Error(piece)
      await tellOfClaim({ store, journalKey }, claim, {
        said: { type: 'claim.add_evidence' },
        actor: operator,
        piece,
      })
    }
  } finally {
    await anchoring.finish()
    await store.close()
  }
}
