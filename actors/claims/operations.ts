/** What an operator may ask of claims: open one, show what there is for it, tell what parties say, and decide (protocol 16.8). */
import { claimKinds, claimStates } from '../../machines/claim.ts'
import { claimsPage } from '../../persistence/queries/claims.ts'
import type { Row } from '../../persistence/store.ts'
import { choice, dryRun, optional, text } from '../foundation/fields.ts'
import { defineOperation, type OperationContext } from '../foundation/operation.ts'
import { pageFields, readPage } from '../foundation/paging.ts'
import { findOrder, orderId } from '../orders/operations.ts'
import { findParty, partyKind } from '../parties/operations.ts'
import { readAmount, seenRevision } from '../settlement/written.ts'
import { anchorClaim } from './anchored.ts'
import { type Deciding, decideClaim } from './deciding.ts'
import {
  type ClaimChange,
  type ClaimDocument,
  type ClaimSummary,
  claimDocument,
  claimSummary,
  namesIn,
  undecidedOr,
} from './documents.ts'
import { type ClaimContext, claimNumber, why, withoutText, writtenText } from './fields.ts'
import { findClaim } from './finding.ts'
import { openClaim } from './opening.ts'
import { openingError } from './opening-refusals.ts'

export const claimOpen = defineOperation({
  name: 'claim.open',
  summary: 'Open a claim: the cash of an order was handled otherwise than it is booked. Nothing moves yet.',
  done: 'The claim is open.',
  fields: {
    order: orderId,
    kind: choice(claimKinds, {
      description: 'What is wrong.',
      option: ['--kind <kind>', `what is wrong: ${claimKinds.join(', ')}`],
      form: {
        label: 'What is wrong',
        choices: [
          ['paid_not_credited', 'The cash was handled, and is not booked'],
          ['credited_not_paid', 'It is booked, and no cash was handled'],
          ['twice', 'The cash was handled twice'],
          ['wrong_amount', 'Another amount was handled'],
          ['false_note', 'There were false banknotes'],
        ],
      },
    }),
    amount: optional(
      text({
        description:
          'What was handled instead of the price, or what the false notes come to; of these kinds alone.',
        maxLength: 40,
        option: ['--amount <amount>', 'what was handled instead, or what the false notes come to'],
        form: {
          label: 'Amount',
          control: 'amount',
          hint: 'What was handled instead, or what the false notes come to.',
        },
      }),
    ),
    provider: optional(
      text({
        description: 'Unless it is who held the order last.',
        maxLength: 100,
        option: ['--provider <name>', 'unless it is who held the order last'],
        form: { label: 'Provider', hint: 'Unless it is who held the order last.' },
      }),
    ),
    exception: optional(
      text({
        description: 'The difference of a report that is resolved with it.',
        maxLength: 64,
        option: ['--exception <id>', 'the exception that is resolved with it'],
        form: { label: 'Exception', hint: 'Its id, where it is resolved with the claim.' },
      }),
    ),
    text: writtenText,
    reason: why,
  },
  arguments: ['order'],
  isRead: false,
  audited: withoutText,
  concluded: (it: ClaimDocument) => `claim ${it.number}, ${it.kind}`,
  async run(context: ClaimContext, input): Promise<ClaimDocument> {
    const { store, clock, operator } = context
    const order = await findOrder(context, input.order)
    const provider = input.provider === undefined ? null : await findParty(store, input.provider, 'provider')
    const { amount } = input
    const opened = await openClaim(
      { store, clock, journalKey: context.journalKey, bankingDays: context.claims.bankingDays },
      {
        kind: input.kind,
        order,
        claimant: 'operator',
        actor: { kind: 'operator', name: operator },
        providerId: provider?.id ?? null,
        amountMinor: amount === undefined ? null : readAmount('amount', amount, order.currency),
        text: input.text ?? null,
        exceptionId: input.exception?.toLowerCase() ?? null,
      },
    )
    if (opened.outcome === 'opened') {
      await anchorClaim(context, opened.claim.number)
      return claimDocument(store, opened.claim, clock.now())
    }
    if (opened.outcome === 'refused') throw openingError(opened.reason, order)
    throw new Error(`A claim of an operator was ${opened.outcome}.`)
  },
})

export const claimList = defineOperation({
  name: 'claim.list',
  summary: 'List claims, the latest opened first.',
  fields: {
    ...pageFields,
    state: optional(
      choice([...claimStates, 'undecided'], {
        description: '`undecided` for all that wait.',
        option: ['--state <state>', 'only those in this state; undecided for all that wait'],
      }),
    ),
    party: optional(text({ option: ['--party <name>', 'only those of this party'] })),
    kind: partyKind,
    order: optional(text({ maxLength: 64, option: ['--order <id>', 'only those about this order'] })),
  },
  isRead: true,
  async run(
    { store, clock }: OperationContext,
    { state, party: name, kind, order, ...page },
  ): Promise<{ claims: ClaimSummary[]; next: string | null }> {
    const found = name === undefined ? undefined : await findParty(store, name, kind)
    const filter = {
      states: undecidedOr(state),
      party: found,
      orderId: order?.toLowerCase(),
    }
    const { items, next } = await readPage<Row<'claims'>>(
      page,
      (claim) => ({ at: claim.number, id: claim.id }),
      [(request) => store.query(claimsPage(filter, request), {})],
    )
    const names = await namesIn(store, items)
    return { claims: items.map((claim) => claimSummary(claim, names, clock.now())), next }
  },
})

export const claimShow = defineOperation({
  name: 'claim.show',
  summary: 'Show a claim: what it is about, its evidence, and what it was told.',
  fields: { number: claimNumber },
  arguments: ['number'],
  isRead: true,
  // What parties write may name consumers.
  forViewers: (document: ClaimDocument): ClaimDocument => ({
    ...document,
    evidence: document.evidence.map((piece) => ({ ...piece, text: null })),
  }),
  async run({ store, clock }: OperationContext, { number: asked }): Promise<ClaimDocument> {
    return claimDocument(store, await findClaim(store, asked), clock.now())
  },
})

const decideFields = { number: claimNumber, reason: why, revision: seenRevision, dryRun }

function decision<Verb extends 'accept' | 'uphold' | 'reject'>(
  verb: Verb,
  of: Deciding['decision'],
  summary: string,
) {
  return defineOperation({
    name: `claim.${verb}` as const,
    summary,
    done: `The claim is ${of}.`,
    fields: decideFields,
    arguments: ['number'],
    isRead: false,
    concluded: ({ claim, dryRun: isShown }: ClaimChange) =>
      `claim ${claim.number}${isShown ? ', only shown' : ''}`,
    async run(
      context: ClaimContext,
      { number: asked, reason: because, revision, dryRun: isShown = false },
    ): Promise<ClaimChange> {
      const { operator } = context
      const decided = { number: asked, decision: of, reason: because, revision, operator, dryRun: isShown }
      const change = await decideClaim(context, decided)
      if (!isShown) await anchorClaim(context, asked)
      return change
    },
  })
}

export const claimAccept = decision(
  'accept',
  'accepted',
  'Accept a claim that nobody denies: what it asks for is booked.',
)
export const claimUphold = decision(
  'uphold',
  'upheld',
  'Uphold a claim, whatever is said against it: what it asks for is booked.',
)
export const claimReject = decision('reject', 'rejected', 'Reject a claim: nothing moves.')
