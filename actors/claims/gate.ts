/** The gate of claims. */
import {
  type ClaimContext,
  type ClaimEffect,
  type ClaimEvent,
  type ClaimInput,
  type ClaimState,
  claim,
  claimStates,
} from '../../machines/claim.ts'
import { createRowGate } from '../foundation/row-gate.ts'

export const { begin: beginClaim, tell: tellClaim } = createRowGate<
  ClaimState,
  ClaimContext,
  ClaimEvent,
  ClaimEffect,
  ClaimInput
>({
  name: 'claim',
  chart: claim,
  states: claimStates,
  idle: { claimId: '', kind: 'twice', claimant: 'operator', respondent: 'merchant', at: 0 },
})
