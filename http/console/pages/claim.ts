/** One claim: what it is about, what is shown for it, what it was told, and what deciding it would book. */
import type { ClaimChange, ClaimDocument } from '../../../actors/claims/documents.ts'
import { maxFileBytes } from '../../../actors/claims/evidence.ts'
import { claimAccept, claimReject, claimShow, claimUphold } from '../../../actors/claims/operations.ts'
import {
  claimAddEvidence,
  claimAnswer,
  claimEvidence,
  claimWithdraw,
} from '../../../actors/claims/telling-operations.ts'
import { OperationError } from '../../../actors/foundation/operation.ts'
import { exceptionShow } from '../../../actors/resolutions/operations.ts'
import type { Block, Cell } from '../blocks.ts'
import { actorCell, money, orderLink, partyLink, shortLink, time } from '../cells.ts'
import { bookingForm, operationAction, operationForm } from '../forms.ts'
import { isolated } from '../isolated.ts'
import type { Action, Done, Page, PageRequest } from '../page.ts'
import { capitalized, named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import { told } from '../wording.ts'
import { against, claimState, dueCell } from './claims.ts'
import { postingsBlock, preview, wouldBe } from './posted.ts'
import { dayPath } from './reconciliation.ts'
import { whatItWasTold } from './what-told.ts'

export const claimPage: Page = {
  path: /^\/claims\/(?<number>[1-9]\d{0,8})$/,
  least: 'viewer',
  room: 'Reconciliation',
  async render(request) {
    const claim = await request.ask(claimShow, { number: Number(request.params.number) })
    const isOver = claim.ended !== null
    const day = await dayOf(request, claim)
    return {
      title: (texts) => texts.claim.claim(`${claim.number}`),
      heading: capitalized(named(claim.kind)),
      crumb:
        day === null
          ? { href: '/claims', text: (texts) => texts.claims.claims }
          : {
              href: dayPath(day.network, day.day),
              text: (_, view) => `${isolated(day.network)}, ${view.day(day.day)}`,
            },
      blocks: [
        facts(claim),
        ...(isOver ? booked(claim) : await decisions(request, claim)),
        ...evidence(request, claim),
        ...(isOver ? [] : tellForms(request, claim)),
        ...timeLine(claim),
      ],
    }
  },
}

function facts(claim: ClaimDocument): Block {
  const { currency, exception, amount } = claim
  const provider = partyLink('provider', claim.provider)
  return {
    kind: 'facts',
    items: [
      [(texts) => texts.common.state, claimState(claim.state)],
      [(texts) => texts.claims.due, dueCell(claim)],
      [(texts) => texts.common.order, orderLink(claim.order)],
      [(texts) => texts.common.merchant, partyLink('merchant', claim.merchant)],
      [
        (texts) => texts.common.provider,
        claim.isHeld || typeof provider !== 'object' || provider === null
          ? provider
          : { ...provider, note: (texts: Texts) => texts.claim.neverHeld },
      ],
      [(texts) => texts.claims.against, against(claim)],
      [(texts) => texts.claim.price, money(claim.price, currency)],
      [(texts) => texts.claim.amount, amount === null ? null : money(amount, currency)],
      [(texts) => texts.common.opened, time(claim.opened)],
      [(texts) => texts.claim.openedBy, actorCell(claim.opener)],
      [(texts) => texts.claim.answered, time(claim.answered)],
      [
        (texts) => texts.common.exception,
        exception === null ? null : shortLink(`/exceptions/${exception}`, exception),
      ],
      [(texts) => texts.claim.ended, time(claim.ended)],
      [
        (texts) => texts.common.by,
        claim.endedBy === null
          ? null
          : actorCell(/^[a-z]+:/.test(claim.endedBy) ? claim.endedBy : `operator:${claim.endedBy}`),
      ],
      [(texts) => texts.common.because, claim.reason],
      [(texts) => texts.claim.reference, { text: claim.id, isCode: true, copy: true }],
    ],
  }
}

/** The day whose report differs, where the claim is to settle that: one goes on from there. */
async function dayOf(
  { ask }: PageRequest,
  { exception }: ClaimDocument,
): Promise<{ network: string; day: string } | null> {
  if (exception === null) return null
  return (await ask(exceptionShow, { id: exception })).report
}

/** What it came to; the order's own postings are with the order. */
function booked({ postings, state: now, order, isByException }: ClaimDocument): Block[] {
  if (now !== 'accepted' && now !== 'upheld') return []
  const link: Block = {
    kind: 'links',
    items: [{ text: (texts) => texts.claim.seeOrder, href: `/orders/${order}` }],
  }
  return [
    { kind: 'heading', text: (texts) => texts.claim.booked },
    isByException
      ? { kind: 'text', text: (texts) => texts.claim.bookedByException }
      : postingsBlock(postings, (texts: Texts) => texts.claim.booked),
    link,
  ]
}

/** The postings in front of the buttons are made by what the buttons ask for. */
async function decisions(
  request: PageRequest,
  { number, state: now, revision }: ClaimDocument,
): Promise<Block[]> {
  if (!request.may(claimReject)) return []
  const hidden = { number: `${number}`, revision: `${revision}` }
  const asked = { number, reason: 'shown' }
  const whatWouldBe = await wouldBe(request, now === 'denied' ? claimUphold : claimAccept, asked)
  const rejected = await wouldBe(request, claimReject, asked)
  const books = known(whatWouldBe)
  return [
    { kind: 'heading', text: (texts) => texts.claim.decide },
    wouldBeBlock(whatWouldBe),
    ...(now === 'open'
      ? [{ kind: 'text', text: (texts: Texts) => texts.claim.acceptOrUphold } as const]
      : []),
    ...(now === 'denied'
      ? []
      : bookingForm(request, claimAccept, books, {
          title: (texts) => texts.claim.accept,
          lead: (texts) => texts.claim.acceptLead,
          button: (texts) => texts.claim.accept,
          fields: ['reason'],
          hidden,
        })),
    ...(now === 'agreed'
      ? []
      : bookingForm(request, claimUphold, books, {
          title: (texts) => texts.claim.uphold,
          lead: (texts) => texts.claim.upholdLead,
          button: (texts) => texts.claim.uphold,
          fields: ['reason'],
          hidden,
        })),
    ...bookingForm(request, claimReject, known(rejected), {
      title: (texts) => texts.claim.reject,
      lead: (texts) => texts.claim.rejectLead,
      button: (texts) => texts.claim.reject,
      isDanger: true,
      fields: ['reason'],
      hidden,
    }),
  ]
}

type WouldBe = Awaited<ReturnType<typeof wouldBe>>

const known = (books: WouldBe) => (books instanceof OperationError ? null : books)

function wouldBeBlock(books: WouldBe): Block {
  if (!(books instanceof OperationError))
    return postingsBlock(books, (texts: Texts) => texts.claim.wouldBeBooked)
  return {
    kind: 'notice',
    tone: 'waiting',
    title: (texts) => texts.claim.cannotBeBooked,
    lines: [told(books.message)],
  }
}

function evidence(request: PageRequest, { number, evidence: pieces }: ClaimDocument): Block[] {
  const files = pieces.filter(({ file, isErased }) => file !== null && !isErased)
  return [
    { kind: 'heading', text: (texts) => texts.claim.evidence },
    {
      kind: 'table',
      label: (texts) => texts.claim.evidence,
      empty: (texts) => texts.claim.noEvidence,
      columns: [
        { label: (texts) => texts.common.at },
        { label: (texts) => texts.common.who },
        { label: (texts) => texts.claim.evidence },
      ],
      rows: pieces.map((piece): Cell[] => [time(piece.at), actorCell(piece.by), shown(piece)]),
    },
    ...files.flatMap(({ number: of, file }) =>
      operationForm(request, claimEvidence, {
        title: (texts) => texts.claim.downloadFile(file ?? ''),
        button: (texts) => texts.claim.download,
        fields: [],
        hidden: { number: `${number}`, evidence: `${of}` },
      }),
    ),
  ]
}

function shown({ isErased, text, file, bytes }: ClaimDocument['evidence'][number]): Cell {
  if (isErased) return (texts) => texts.claim.erased
  if (file === null) return text
  return (texts) => texts.claim.fileOf(file, { count: bytes, text: `${bytes}` })
}

function tellForms(request: PageRequest, { number, revision, openedBy }: ClaimDocument): Block[] {
  const hidden = { number: `${number}`, revision: `${revision}` }
  return [
    ...operationForm(request, claimAddEvidence, {
      title: (texts) => texts.claim.addFile,
      button: (texts) => texts.claim.add,
      fields: ['file'],
      adjusted: {
        file: {
          type: 'file',
          label: (texts) => texts.common.file,
          hint: (texts) => texts.claim.fileHint,
        },
      },
      hidden: { number: `${number}` },
    }),
    ...operationForm(request, claimAddEvidence, {
      title: (texts) => texts.claim.addText,
      button: (texts) => texts.claim.add,
      fields: ['text'],
      hidden: { number: `${number}` },
    }),
    ...operationForm(request, claimAnswer, {
      title: (texts) => texts.claim.answer,
      lead: (texts) => texts.claim.answerLead,
      button: (texts) => texts.claim.keepAnswer,
      fields: ['as', 'text', 'reason'],
      hidden,
    }),
    ...(openedBy === 'operator'
      ? operationForm(request, claimWithdraw, {
          title: (texts) => texts.claim.withdraw,
          button: (texts) => texts.claim.withdraw,
          isDanger: true,
          fields: ['reason'],
          hidden,
        })
      : []),
  ]
}

function timeLine({ events }: ClaimDocument): Block[] {
  return whatItWasTold(
    events.map(({ at, by, event, agrees, state: to, reason }): Cell[] => [
      time(at),
      actorCell(by),
      agrees === null ? named(event) : agrees ? (texts) => texts.claim.agrees : (texts) => texts.claim.denies,
      claimState(to),
      reason,
    ]),
  )
}

function decided({ dryRun, claim, postings }: ClaimChange): Done {
  const href = `/claims/${claim.number}`
  if (dryRun) return preview(postings, { href, text: (texts: Texts) => texts.claim.theClaim })
  return { kind: 'go', to: href }
}

const toClaim = ({ number }: ClaimDocument): Done => ({ kind: 'go', to: `/claims/${number}` })

export const claimActions: readonly Action[] = [
  operationAction(claimAccept, decided),
  operationAction(claimUphold, decided),
  operationAction(claimReject, decided),
  operationAction(claimAnswer, toClaim),
  operationAction(claimWithdraw, toClaim),
  {
    file: { name: 'file', isOptional: true, maxBytes: maxFileBytes },
    ...operationAction(claimAddEvidence, toClaim),
  },
  operationAction(claimEvidence, ({ name, type, content }) => ({
    kind: 'file',
    name,
    type,
    bytes: Buffer.from(content, 'base64'),
  })),
]
