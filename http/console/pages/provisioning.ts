/** What a file, or a form that makes one, would change: shown first, and applied as it was shown. */
import { parseJson } from '../../../actors/foundation/json-text.ts'
import { OperationError } from '../../../actors/foundation/operation.ts'
import { isObject } from '../../../actors/foundation/reading.ts'
import type { Beginning, Difference } from '../../../actors/provisioning/differences.ts'
import { apply, besidesFile } from '../../../actors/provisioning/operations.ts'
import type { Applied, AppliedParty } from '../../../actors/provisioning/plan.ts'
import type { Block, Cell, Column, Form } from '../blocks.ts'
import { partyNameIn } from '../cells.ts'
import { amountKinds, decoded, formPath, ownPath } from '../forms.ts'
import type { Crumb } from '../layout.ts'
import { failureNotice } from '../notices.ts'
import type { Action, Done, FormValues, PageRequest, PageView } from '../page.ts'
import { withTypedAmounts } from '../typed-amounts.ts'
import { type Said, say, type Words } from '../view.ts'
import { wording } from '../wording.ts'
import { type Draft, previewPath } from './draft.ts'
import { bankDraft, calendarDraft } from './draft-banks.ts'
import { contactDraft, depositDraft, merchantDraft, pairDraft, providerDraft } from './draft-parties.ts'
import { rateDraft } from './draft-rates.ts'
import { commissionDraft, exposureDraft, feeDraft, networkDraft, settlesDraft } from './draft-terms.ts'
import { postingsBlock } from './posted.ts'

/** What is pasted; a file may be longer. */
const maxPasted = 40_000
/** A file with some ten thousand parties. */
const maxFileBytes = 8 * 1024 * 1024
/** Beside what is pasted, escaped as forms do. */
const maxFormBytes = 160 * 1024
/** What is shown of a large file; what it is about is applied as a whole. */
const maxShown = 100

export const fileDraft: Draft = {
  name: 'file',
  title: ({ drafts }) => drafts.applyAFile,
  lead: ({ drafts }) => drafts.setsUpPartiesNetworks,
  fields: [
    {
      name: 'upload',
      label: ({ drafts }) => drafts.fileJson,
      type: 'file',
      isOptional: true,
      hint: ({ drafts }) => drafts.atMost8Mb,
    },
    {
      name: 'file',
      label: ({ drafts }) => drafts.orPasteIt,
      type: 'area',
      isOptional: true,
      isCode: true,
      maxLength: maxPasted,
      hint: ({ drafts }) => drafts.forExampleProvidersName,
    },
    {
      name: 'new',
      label: ({ drafts }) => drafts.acceptANewName,
      type: 'check',
      isOptional: true,
    },
  ],
  document: ({ file = '' }) => readFile(file),
}

const drafts: readonly Draft[] = [
  fileDraft,
  merchantDraft,
  providerDraft,
  contactDraft,
  pairDraft,
  depositDraft,
  feeDraft,
  commissionDraft,
  settlesDraft,
  exposureDraft,
  networkDraft,
  bankDraft,
  calendarDraft,
  rateDraft,
]

/** What is to be applied, as the form that applies it carries it. */
interface Carried {
  document: Record<string, unknown>
  /** A file that was sent, which is too long for a form; '' for none. */
  upload: string
  areNew: boolean
  /** Where it was written. */
  to: string
}

export const provisioningActions: readonly Action[] = [
  {
    path: previewPath,
    name: apply.name,
    maxBytes: maxFormBytes,
    file: { name: 'upload', isOptional: true },
    async run(request, values) {
      const carried = await written(request, values)
      const applied = await request.ask(apply, inputOf(carried, { dryRun: true }))
      if (applied.problems.length > 0) throw refused(applied.problems, values.draft === fileDraft.name)
      return shown(carried, applied)
    },
  },
  {
    path: formPath(apply),
    name: apply.name,
    maxBytes: maxFormBytes,
    async run(request, values) {
      const carried = await brought(request, values)
      const { digest = '', reason = '' } = values
      try {
        const applied = await request.ask(
          apply,
          inputOf(carried, { digest, ...(reason === '' ? {} : { reason }) }),
        )
        await request.sent.drop(carried.upload)
        return done(carried, applied)
      } catch (error) {
        if (!(error instanceof OperationError) || error.code === 'forbidden') throw error
        // What it would come to now is shown anew, and why nothing was done.
        return shown(carried, await request.ask(apply, inputOf(carried, { dryRun: true })), error)
      }
    },
  },
]

function inputOf({ document, areNew }: Carried, more: Record<string, unknown>): Record<string, unknown> {
  return { ...document, ...more, ...(areNew ? { new: true } : {}) }
}

/** Of a form in which it was written. */
async function written(request: PageRequest, values: FormValues): Promise<Carried> {
  const { upload = '', form_page, new: areNew } = values
  const draft = drafts.find(({ name }) => name === values.draft)
  if (draft === undefined) throw new OperationError('not_found', 'There is no such form.')
  const document =
    upload === ''
      ? draft.document(withTypedAmounts(values, amountKinds(draft.fields)))
      : await uploaded(request, upload)
  return { document, upload, areNew: areNew !== undefined, to: ownPath(form_page, '/parties') }
}

/** Of the form that applies what was shown. */
async function brought(request: PageRequest, values: FormValues): Promise<Carried> {
  const { upload = '', document = '', to, new: areNew } = values
  return {
    document: upload === '' ? readFile(document) : await uploaded(request, upload),
    upload,
    areNew: areNew !== undefined,
    to: ownPath(to, '/parties'),
  }
}

async function uploaded({ sent }: PageRequest, id: string): Promise<Record<string, unknown>> {
  const bytes = await sent.read(id, maxFileBytes)
  if (bytes !== null) return readFile(bytes)
  throw new OperationError('refused', 'The file is larger than 8 MB, or is not here any more.', {
    hint: 'Send it again.',
  })
}

function readFile(text: string | Uint8Array): Record<string, unknown> {
  const read = parseJson(text)
  const problem = !read.ok
    ? read.problem
    : isObject(read.value)
      ? memberProblem(read.value)
      : 'is not an object'
  if (read.ok && isObject(read.value) && problem === null) return read.value
  throw new OperationError('invalid', 'The file cannot be applied; nothing was changed.', {
    details: [`the file ${problem}`],
  })
}

/** What is said beside a file is no member of it. */
function memberProblem(file: Record<string, unknown>): string | null {
  const member = Object.keys(besidesFile).find((name) => Object.hasOwn(file, name))
  if (member === undefined) return null
  return `has a member \`${member}\`${member === 'new' ? '; use the checkbox below instead' : ''}`
}

/** The places of the file that nobody has written. */
const place =
  /^(?:merchants|providers|rates|banks|calendars)\[0\](?:\.(?:pairs|networks|settles|exposure|deposits|credentials|closed)\[0\])?(?:\.(?:fees|commissions)\[0\])?(?:\.(?:limits|text))?[.:]? ?/

function refused(problems: readonly string[], isFile: boolean): OperationError {
  const places = problems.length === 1 ? 'one bad place' : `${problems.length} bad places`
  const message = isFile
    ? `The file has ${places}; nothing was changed.`
    : 'This is not right; nothing was changed.'
  const details = isFile ? problems : problems.map((line) => line.replace(place, ''))
  return new OperationError('invalid', message, { details })
}

function shown(carried: Carried, applied: Applied, error?: OperationError): Done {
  const { differences, problems } = applied
  const isNothing = differences.length === 0 && problems.length === 0
  const view: PageView = {
    title: ({ drafts }) => (isNothing ? drafts.nothingToChange : drafts.whatWouldBeChanged),
    crumb: backTo(carried.to),
    blocks: [
      ...(error === undefined ? [] : [failureNotice(error)]),
      ...(problems.length === 0 ? [] : [refusedNotice(problems)]),
      {
        kind: 'text',
        text: ({ drafts }) => (isNothing ? drafts.itIsSoAlready : drafts.nothingWasChangedYet),
      },
      ...differenceBlocks(differences),
      ...(isNothing || problems.length > 0 ? [] : [applyForm(carried, applied)]),
    ],
  }
  return { kind: 'show', doIt: null, view }
}

/** The page of a party is called by its name. */
function backTo(href: string): Crumb {
  const { pathname } = new URL(href, 'http://console')
  const [, segment] = /^\/(?:merchants|providers)\/([^/]+)$/.exec(pathname) ?? []
  return {
    href,
    text: segment === undefined ? ({ drafts }) => drafts.back : partyNameIn(decoded(segment)),
  }
}

function refusedNotice(lines: readonly string[]): Block {
  return { kind: 'notice', tone: 'bad', title: ({ drafts }) => drafts.itIsRefusedAs, lines }
}

function applyForm({ document, upload, areNew, to }: Carried, { digest }: Applied): Block {
  const form: Form = {
    action: formPath(apply),
    title: ({ drafts }) => drafts.apply,
    button: ({ drafts }) => drafts.apply,
    isMain: true,
    hidden: {
      ...(upload === '' ? { document: JSON.stringify(document) } : { upload }),
      ...(areNew ? { new: 'yes' } : {}),
      digest,
      to,
    },
    fields: [
      {
        name: 'reason',
        label: ({ drafts }) => drafts.why,
        type: 'text',
        isOptional: true,
        maxLength: 500,
        hint: ({ drafts }) => drafts.keptInTheAudit,
        isFocused: true,
      },
    ],
  }
  return { kind: 'form', form }
}

function differenceBlocks(differences: readonly Difference[]): Block[] {
  const blocks = differences.slice(0, maxShown).flatMap(differenceBlock)
  if (differences.length <= maxShown) return blocks
  return [
    ...blocks,
    {
      kind: 'text',
      text: ({ drafts }, view) => drafts.firstOf(view.number(maxShown), view.counted(differences.length)),
    },
  ]
}

const columns: readonly Column[] = [
  { label: ({ drafts }) => drafts.member },
  { label: ({ drafts }) => drafts.itIsNow },
  { label: ({ drafts }) => drafts.itWillBe },
  { label: ({ drafts }) => drafts.from },
]

function differenceBlock({ what, members, postings }: Difference): Block[] {
  const title = wording(what)
  return [
    { kind: 'heading', text: title },
    ...(members.length === 0
      ? []
      : [
          {
            kind: 'table',
            label: title,
            empty: '',
            columns,
            rows: members.map(({ name, before, after, begins }): Cell[] => [
              { text: name, isCode: true },
              before === null ? null : moneyOr(before),
              after === null ? null : { text: moneyOr(after), isStrong: true, isLong: true },
              beginning(begins),
            ]),
          } as const,
        ]),
    ...(postings.length === 0
      ? []
      : [postingsBlock(postings, ({ drafts }, view) => drafts.postingsOf(say(title, view)))]),
  ]
}

/** Money as pages write it: where `1.000` is a thousand, a point before decimals would be read as one. */
function moneyOr(value: string): Words {
  const [, amount, currency] = /^(-?\d+\.\d{2,}) ([A-Z][A-Z0-9]{2,11})$/.exec(value) ?? []
  if (amount === undefined || currency === undefined) return value
  return (_, view) => view.money(amount, currency)
}

function beginning(begins: Beginning): Said {
  switch (begins.at) {
    case 'once':
      return ({ drafts }) => drafts.atOnce
    case 'day':
      return (_, view) => `${view.day(begins.day)} (${begins.timeZone})`
    case 'delay':
      return ({ drafts }, view) => drafts.hoursAfter(view.counted(begins.hours))
  }
}

/** Back to where it was written, unless there is something to be seen but once. */
function done({ to }: Carried, { merchants, providers, differences }: Applied): Done {
  const secrets = [...merchants, ...providers].flatMap(secretsOf)
  const url = new URL(to, 'http://console')
  for (const name of ['form', 'done']) url.searchParams.delete(name)
  const back = `${url.pathname}${url.search}`
  if (secrets.length === 0) return { kind: 'go', to: back }
  return {
    kind: 'show',
    view: {
      title: ({ drafts }) => drafts.theChangesAreApplied,
      crumb: backTo(back),
      blocks: [...secrets, ...differenceBlocks(differences)],
    },
  }
}

function secretsOf({ name, credentials, webhookSecret }: AppliedParty): Block[] {
  return [...credentials, { key: 'Standard Webhooks', secret: webhookSecret }].flatMap(
    ({ key, secret }): Block[] =>
      secret === undefined
        ? []
        : [
            {
              kind: 'secret',
              label: ({ drafts }) => drafts.secretOf(key, name),
              value: secret,
              note: ({ drafts }) => drafts.passItToThe,
            },
          ],
  )
}
