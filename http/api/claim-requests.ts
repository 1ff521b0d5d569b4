/** What parties send about claims, read: protocol 16.8. */
import type { Said } from '../../actors/claims/telling.ts'
import { claimKinds, claimStates, hasAmount } from '../../actors/claims/words.ts'
import type { ClaimKind, ClaimState } from '../../machines/claim.ts'
import { fieldError, type Outcome } from '../foundation/errors.ts'
import type { Json } from '../foundation/json.ts'
import { type AskedPage, finish, pageOf, parametersOf, sent } from './requests.ts'
import { maxListed } from './schemas.ts'
import { validate } from './validation.ts'

export interface ClaimRequest {
  order: string
  kind: ClaimKind
  amount: string | null
  text: string | null
}

/** The body of a party's new claim. */
export function readClaim(body: Json): Outcome<ClaimRequest> {
  const judged = validate('claim', body)
  const { kind, amount } = judged.fields
  const known = claimKinds.find((one) => one === kind)
  const errors = [...judged.errors]
  if (errors.length === 0 && known !== undefined && hasAmount(known) && amount === undefined)
    errors.push(fieldError('amount', 'claim_amount_missing'))
  return finish({ ...judged, errors }, (fields) => ({
    order: sent(fields, 'order'),
    kind: known ?? 'twice',
    amount: fields.amount ?? null,
    text: fields.text || null,
  }))
}

export function readClaimAnswer(
  body: Json,
  by: 'merchant' | 'provider',
): Outcome<{ said: Said; text: string | null }> {
  return finish(validate('claimAnswer', body), (fields) => ({
    said: { type: 'claim.answer', by, agrees: sent(fields, 'answer') === 'agrees' },
    text: fields.text || null,
  }))
}

export function readClaimText(
  name: 'claimText' | 'claimWithdrawal',
  body: Json,
  said: Said,
): Outcome<{ said: Said; text: string | null }> {
  return finish(validate(name, body), (fields) => ({ said, text: fields.text || null }))
}

/** The query string of a party's list of claims. */
export function readClaimList(
  query: string,
): Outcome<AskedPage & { state: ClaimState | 'undecided' | null }> {
  return finish(validate('claimList', parametersOf(query)), (fields) => ({
    state: [...claimStates, 'undecided' as const].find((one) => one === fields.state) ?? null,
    ...pageOf(fields, maxListed),
  }))
}
