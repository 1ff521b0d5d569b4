/** Members that several operations on claims have. */
import { optional, reason, text, wholeNumber } from '../foundation/fields.ts'
import type { Uploads } from '../foundation/uploads.ts'
import type { OrderContext } from '../orders/operations.ts'
import type { Anchors } from './anchored.ts'
import { maxTextLength } from './evidence.ts'

export interface ClaimContext extends OrderContext, Anchors {
  uploads: Uploads
  claims: { bankingDays: number }
}

export const claimNumber = wholeNumber({ description: 'The number of the claim.', minimum: 1 })

export const why = reason('Kept with the claim, and in the audit log.', {
  option: ['--reason <text>', 'how you know; kept with the claim'],
  form: { label: 'How you know', hint: 'Kept with the claim.', control: 'area' },
})

export const writtenText = optional(
  text({
    description: 'For whoever is claimed against to read, too.',
    minLength: 1,
    maxLength: maxTextLength,
    pattern: '\\S',
    option: ['--text <text>', 'what happened; both parties read it'],
    form: { label: 'What happened', hint: 'Both parties read it.', control: 'area' },
  }),
)

/** What is written may name a consumer: the claim keeps it, where it can be erased. */
export function withoutText<Input extends { text?: string }>({
  text: _,
  ...rest
}: Input): Omit<Input, 'text'> {
  return rest
}
