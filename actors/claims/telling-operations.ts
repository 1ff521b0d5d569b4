/** What an operator tells claims: what parties have said, what somebody shows, that one is withdrawn (protocol 16.8, 16.9). */
import { evidenceOfClaim } from '../../persistence/queries/claims.ts'
import type { Row } from '../../persistence/store.ts'
import { choice, optional, text, wholeNumber } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { largerThan } from '../foundation/uploads.ts'
import { seenRevision } from '../settlement/written.ts'
import { anchorClaim } from './anchored.ts'
import { type ClaimDocument, claimDocument } from './documents.ts'
import { maxFileBytes, readEvidence, readFile, textPiece } from './evidence.ts'
import { type ClaimContext, claimNumber, why, withoutText, writtenText } from './fields.ts'
import { changed, endedBefore, findClaim } from './finding.ts'
import { type ClaimTold, type ToldClaim, tellOfClaim } from './telling.ts'

export const claimAnswer = defineOperation({
  name: 'claim.answer',
  summary: 'Write down what the party that is claimed against says, where it does not say so itself.',
  done: 'The answer is kept.',
  fields: {
    number: claimNumber,
    as: choice(['agrees', 'denies'], {
      description: 'What it says.',
      option: ['--as <answer>', 'agrees or denies'],
      form: {
        label: 'Answer',
        choices: [
          ['agrees', 'It agrees'],
          ['denies', 'It denies'],
        ],
      },
    }),
    text: writtenText,
    reason: why,
    revision: seenRevision,
  },
  arguments: ['number'],
  isRead: false,
  audited: withoutText,
  async run(
    context: ClaimContext,
    { number: asked, as, text: said, reason: because, revision },
  ): Promise<ClaimDocument> {
    const claim = await findClaim(context.store, asked)
    return tell(context, claim, {
      said: { type: 'claim.answer', by: claim.respondent, agrees: as === 'agrees' },
      piece: said === undefined ? null : textPiece(said),
      reason: because,
      revision,
    })
  },
})

export const claimWithdraw = defineOperation({
  name: 'claim.withdraw',
  summary: 'Withdraw a claim that an operator has opened; whoever else has opened one withdraws it itself.',
  done: 'The claim is withdrawn.',
  fields: { number: claimNumber, reason: why, revision: seenRevision },
  arguments: ['number'],
  isRead: false,
  async run(context: ClaimContext, { number: asked, reason: because, revision }): Promise<ClaimDocument> {
    const claim = await findClaim(context.store, asked)
    const said = { type: 'claim.withdraw', by: 'operator' } as const
    const withdrawn = await tell(context, claim, { said, piece: null, reason: because, revision })
    await anchorClaim(context, asked)
    return withdrawn
  },
})

export const claimAddEvidence = defineOperation({
  name: 'claim.addEvidence',
  summary: 'Add a text or a file (PDF, PNG, JPEG, text or CSV, at most 5 MB) to a claim.',
  done: 'The evidence is kept.',
  fields: {
    number: claimNumber,
    text: writtenText,
    file: optional(text({ description: 'Of the file that was sent before.', maxLength: 40 })),
    fileName: optional(text({ description: 'What the file is called.', maxLength: 300 })),
  },
  arguments: ['number'],
  isRead: false,
  audited: ({ number: asked, file }) => ({ number: asked, is: file === undefined ? 'text' : 'file' }),
  async run(context: ClaimContext, { number: asked, text: said, file, fileName }): Promise<ClaimDocument> {
    const claim = await findClaim(context.store, asked)
    if ((said === undefined) === (file === undefined))
      throw new OperationError('invalid', 'Evidence is a text or a file, one of both.')
    const piece = said === undefined ? await filePiece(context, file ?? '', fileName ?? '') : textPiece(said)
    return tell(context, claim, { said: { type: 'claim.add_evidence' }, piece })
  },
})

async function filePiece({ uploads }: ClaimContext, id: string, name: string) {
  const upload = uploads.find(id)
  // What is too large is not even read.
  const bytes = upload !== null && upload.bytes <= maxFileBytes ? await uploads.read(id) : null
  await uploads.drop(id)
  if (upload === null || (bytes === null && upload.bytes <= maxFileBytes)) {
    throw new OperationError('refused', 'The file is not here any more.', { hint: 'Send it again.' })
  }
  const piece = bytes === null ? 'too_large' : readFile(name, bytes)
  switch (piece) {
    case 'empty':
      throw new OperationError('invalid', 'The file is empty.')
    case 'too_large':
      throw largerThan(maxFileBytes)
    case 'encoding':
      throw new OperationError('invalid', 'The file is a text, and not in UTF-8.', {
        hint: 'Save it once more as UTF-8: a spreadsheet calls it “CSV UTF-8”.',
      })
    case 'type':
      throw new OperationError('invalid', 'The file is no PDF, PNG or JPEG, and no plain text.', {
        hint: 'Whatever it is called: what is in it counts. Print it to PDF, or take a picture of it.',
      })
    default:
      return piece
  }
}

export interface EvidenceFile {
  name: string
  type: string
  /** In base64. */
  content: string
}

export const claimEvidence = defineOperation({
  name: 'claim.evidence',
  summary: 'Show a file of a claim’s evidence.',
  fields: {
    number: claimNumber,
    evidence: wholeNumber({ description: 'Its number in the claim.', minimum: 1 }),
  },
  arguments: ['number', 'evidence'],
  isRead: true,
  async run({ store }: OperationContext, { number: asked, evidence }): Promise<EvidenceFile> {
    const claim = await findClaim(store, asked)
    const pieces = await store.query(evidenceOfClaim, { claimId: claim.id })
    const piece = pieces.find(({ sequence }) => sequence === evidence)
    const bytes = piece === undefined ? null : await readEvidence(store, piece)
    if (piece === undefined || bytes === null) {
      throw new OperationError('not_found', `Claim ${asked} has no evidence ${evidence}, or it was erased.`, {
        hint: `claim show ${asked}`,
      })
    }
    const name = piece.file_name ?? `text-${evidence}.txt`
    return { name, type: piece.media_type, content: bytes.toString('base64') }
  },
})

async function tell(
  { store, clock, journalKey, operator }: OperationContext,
  claim: Row<'claims'>,
  told: Omit<ToldClaim, 'actor'>,
): Promise<ClaimDocument> {
  const actor = { kind: 'operator', name: operator } as const
  const done = await tellOfClaim({ store, journalKey }, claim, { ...told, actor })
  if (done.outcome === 'told') return claimDocument(store, done.claim, clock.now())
  if (done.outcome === 'refused') throw toldError(done, await findClaim(store, claim.number))
  throw new Error(`What an operator tells claim ${claim.number} was ${done.outcome}.`)
}

function toldError(
  { reason: because }: Extract<ClaimTold, { outcome: 'refused' }>,
  claim: Row<'claims'>,
): OperationError {
  const { number: asked, opener } = claim
  switch (because) {
    case 'ended':
      return endedBefore(claim)
    case 'changed':
      return changed(claim)
    case 'not_theirs':
      return new OperationError(
        'refused',
        `Claim ${asked} was opened by ${opener}, who alone withdraws it.`,
        {
          hint: `claim reject ${asked} ends it, too.`,
        },
      )
    case 'full':
      return new OperationError(
        'refused',
        `Claim ${asked} has as much evidence and as many answers as are kept.`,
        {
          hint: 'Decide it.',
        },
      )
    case 'erased':
      return new OperationError(
        'refused',
        'The data of the order’s consumer were erased: no evidence about it is kept.',
      )
  }
}
