/** What an operator may ask about terms. */
import { partiesOfKind } from '../../persistence/queries/provisioning.ts'
import { optional, text } from '../foundation/fields.ts'
import { defineOperation, type OperationContext } from '../foundation/operation.ts'
import { findParty, partyKind } from '../parties/operations.ts'
import { isWithoutTerms, type TermsDocument, termsDocument } from './documents.ts'
import { readPartyTerms } from './known.ts'

export const termsShow = defineOperation({
  name: 'terms.show',
  summary: 'Show what was agreed on with a party, or with all: fees, settlement, accounts, limits, networks.',
  fields: {
    party: optional(text({ description: 'Its name. Without it all that have terms are shown.' })),
    kind: partyKind,
  },
  arguments: ['party'],
  isRead: true,
  async run({ store, clock }: OperationContext, { party, kind }): Promise<{ parties: TermsDocument[] }> {
    const at = clock.now()
    const shown = party === undefined ? await everybody() : [await findParty(store, party, kind)]
    const parties: TermsDocument[] = []
    for (const one of shown) {
      const document = termsDocument(one, await readPartyTerms(store, one.id, at), at)
      if (party !== undefined || !isWithoutTerms(document)) parties.push(document)
    }
    return { parties }

    async function everybody() {
      const kinds = kind === undefined ? (['merchant', 'provider'] as const) : [kind]
      const found = await Promise.all(kinds.map((each) => store.query(partiesOfKind, { kind: each })))
      return found.flat()
    }
  },
})
