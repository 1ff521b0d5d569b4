/**
 * What stands outside an order and refuses what is new: a frozen party, a drained node, a restore that set the order
 * aside. Judged in the step, on rows that it holds, so that none can be committed unseen between a look and the step.
 * Confirmations are never vetoed: cash may be on the counter.
 */
import { type Row, sharedRow } from '../../persistence/store.ts'
import { drainRow, isDrained } from '../condition/drain-watch.ts'

export type CreationVeto = 'merchant_frozen' | 'node_drained'
export type StartVeto = CreationVeto | 'provider_frozen' | 'order_quarantined'

type Party = Row<'parties'> | null

export interface CreationVetoRows {
  drain: Row<'facts'> | null
  merchant: Party
}

export interface StartVetoRows extends CreationVetoRows {
  provider: Party
}

export function creationVetoRows(merchantId: string) {
  return { drain: drainRow, merchant: sharedRow('parties', { id: merchantId }) }
}

/** @param start `null` for a message that begins nothing */
export function startVetoRows(start: { merchantId: string; providerId: string } | null) {
  return {
    drain: start === null ? undefined : drainRow,
    merchant: start === null ? undefined : sharedRow('parties', { id: start.merchantId }),
    provider: start === null ? undefined : sharedRow('parties', { id: start.providerId }),
  }
}

export function creationVeto({ drain, merchant }: CreationVetoRows): CreationVeto | null {
  if (isFrozen(merchant)) return 'merchant_frozen'
  return isDrained(drain) ? 'node_drained' : null
}

export function startVeto(
  rows: StartVetoRows,
  { quarantined_at }: Pick<Row<'orders'>, 'quarantined_at'>,
): StartVeto | null {
  if (isFrozen(rows.provider)) return 'provider_frozen'
  if (isFrozen(rows.merchant)) return 'merchant_frozen'
  if (quarantined_at !== null) return 'order_quarantined'
  return isDrained(rows.drain) ? 'node_drained' : null
}

function isFrozen(party: Party): boolean {
  return party !== null && party.frozen_at !== null
}
