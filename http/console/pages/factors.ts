/** Second factors of whoever is signed in: added, removed, and asked for where there has to be one. */

import { OperationError } from '../../../actors/foundation/operation.ts'
import {
  addAuthenticator,
  addPasskey,
  askForAuthenticator,
  askForNewPasskey,
  type Enrolled,
  type EnrolmentProblem,
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
} from '../../../actors/people/enrolment.ts'
import { type FactorsDocument, factorsOf } from '../../../actors/people/factor-documents.ts'
import { isFresh } from '../../../actors/people/sessions.ts'
import type { Block, Form } from '../blocks.ts'
import { time } from '../cells.ts'
import type { Action, Done, FormValues, Page, PageRequest, PageView } from '../page.ts'
import { answerOf, confirmPath, factorView } from '../second-factor.ts'
import type { Texts } from '../texts/index.ts'

export const mustEnrolPath = '/account/factors'
const passkeyPath = '/account/passkey'
const authenticatorPath = '/account/authenticator'

/** All that is reached while a factor has to be added. */
export const enrolmentPaths: ReadonlySet<string> = new Set([mustEnrolPath, passkeyPath, authenticatorPath])

/** What the page of one's account says of them. */
export async function factorBlocks(request: PageRequest): Promise<Block[]> {
  const { people, prover } = request
  const factors = await factorsOf(people.store, prover.name)
  const links: Block = {
    kind: 'links',
    items: [
      { text: (texts) => texts.factors.addPasskey, href: passkeyPath, isAct: true },
      { text: (texts) => texts.factors.addAuthenticator, href: authenticatorPath, isAct: true },
    ],
  }
  const heading: Block = {
    kind: 'heading',
    text: (texts) => texts.factors.yours,
    note: (texts) => texts.factors.changeEnds,
    id: 'factors',
  }
  return [heading, tableOf(factors), links, ...removalForms(factors)]
}

function tableOf({ passkeys, authenticator, recoveryCodesLeft }: FactorsDocument): Block {
  const rows = passkeys.map((key) => [
    { text: (texts: Texts) => texts.factors.passkey },
    { text: key.label, ...(key.cloned ? { note: (texts: Texts) => texts.factors.cloned } : {}) },
    time(key.added),
    time(key.lastUsed),
  ])
  const codes =
    authenticator === null
      ? []
      : [
          [
            { text: (texts: Texts) => texts.factors.authenticator },
            authenticator.isLocked ? { text: (texts: Texts) => texts.factors.locked } : null,
            time(authenticator.added),
            null,
          ],
        ]
  const recovery =
    recoveryCodesLeft === null
      ? []
      : [
          [
            { text: (texts: Texts) => texts.factors.recoveryCodes },
            { text: (texts: Texts) => texts.factors.codesLeft(recoveryCodesLeft) },
            null,
            null,
          ],
        ]
  return {
    kind: 'table',
    label: (texts) => texts.factors.yours,
    empty: (texts) => texts.factors.none,
    columns: [
      { label: (texts) => texts.factors.kind },
      { label: (texts) => texts.factors.name },
      { label: (texts) => texts.factors.added },
      { label: (texts) => texts.factors.lastUsed },
    ],
    rows: [...rows, ...codes, ...recovery],
  }
}

function removalForms({ passkeys, authenticator, recoveryCodesLeft }: FactorsDocument): Block[] {
  const ofPasskeys: Form[] =
    passkeys.length === 0
      ? []
      : [
          {
            action: '/account/passkey/remove',
            title: (texts) => texts.factors.removePasskey,
            button: (texts) => texts.factors.remove,
            isDanger: true,
            hidden: {},
            fields: [
              {
                name: 'id',
                label: (texts) => texts.factors.passkey,
                type: 'select',
                options: passkeys.map(({ id, label }) => [id, label] as const),
              },
            ],
          },
        ]
  const ofAuthenticator: Form[] =
    authenticator === null
      ? []
      : [
          {
            action: '/account/authenticator/remove',
            title: (texts) => texts.factors.removeAuthenticator,
            button: (texts) => texts.factors.remove,
            isDanger: true,
            hidden: {},
            fields: [],
          },
        ]
  const ofCodes: Form[] =
    recoveryCodesLeft === null
      ? []
      : [
          {
            action: '/account/recovery-codes',
            title: (texts) => texts.factors.renewCodes,
            lead: (texts) => texts.factors.renewLead,
            button: (texts) => texts.factors.make,
            hidden: {},
            fields: [],
          },
        ]
  return [...ofPasskeys, ...ofAuthenticator, ...ofCodes].map((form) => ({ kind: 'form', form }))
}

export const mustEnrolPage: Page = {
  path: /^\/account\/factors$/,
  least: 'viewer',
  room: '',
  render: async () => ({
    title: (texts) => texts.factors.must,
    blocks: [
      { kind: 'text', text: (texts) => texts.factors.mustLead },
      {
        kind: 'links',
        items: [
          { text: (texts) => texts.factors.addPasskey, href: passkeyPath, isAct: true },
          { text: (texts) => texts.factors.addAuthenticator, href: authenticatorPath, isAct: true },
        ],
      },
    ],
  }),
}

const provedPath = '/account/proved'

/**
 * Who has a factor proves it before they are shown what to add: a session is asked one thing at a time, so that
 * proving it in between would make what was shown, and perhaps made already, count no more.
 */
async function provedFirst({ people, prover, operator }: PageRequest, path: string) {
  if (!operator.hasFactor || isFresh(operator.factorAt, people.clock)) return null
  const view = await factorView({ people }, prover, {
    action: confirmPath,
    title: (texts) => texts.factors.confirm,
    lead: (texts) => texts.factors.confirmLead,
    hidden: { held_path: provedPath, held: JSON.stringify([['form_page', path]]) },
  })
  return { ...view, crumb }
}

const crumb = { href: '/account', text: (texts: Texts) => texts.operators.yourAccount }

export const passkeyPage: Page = {
  path: /^\/account\/passkey$/,
  least: 'viewer',
  room: '',
  async render(request) {
    const { people, prover } = request
    const asked = await provedFirst(request, passkeyPath)
    if (asked !== null) return asked
    const options = await askForNewPasskey(people, prover)
    const form: Form = {
      action: passkeyPath,
      title: (texts) => texts.factors.addPasskey,
      lead: (texts) => texts.factors.addPasskeyLead(people.place.origin),
      button: (texts) => texts.factors.addPasskey,
      isMain: true,
      hidden: {},
      fields: [
        {
          name: 'label',
          label: (texts) => texts.factors.passkeyName,
          hint: (texts) => texts.factors.passkeyHint,
          type: 'text',
          maxLength: 60,
          isFocused: true,
        },
      ],
      passkey: { kind: 'create', options },
    }
    return { title: (texts) => texts.factors.addPasskey, crumb, blocks: [{ kind: 'form', form }] }
  },
}

export const authenticatorPage: Page = {
  path: /^\/account\/authenticator$/,
  least: 'viewer',
  room: '',
  async render(request) {
    const { people, prover } = request
    const asked = await provedFirst(request, authenticatorPath)
    if (asked !== null) return asked
    const { secret, uri } = await askForAuthenticator(people, prover)
    const form: Form = {
      action: authenticatorPath,
      title: (texts) => texts.factors.addAuthenticator,
      button: (texts) => texts.factors.addAuthenticator,
      isMain: true,
      hidden: {},
      fields: [
        {
          name: 'code',
          label: (texts) => texts.factors.code,
          type: 'text',
          autocomplete: 'one-time-code',
          maxLength: 12,
          isFocused: true,
        },
      ],
    }
    return {
      title: (texts) => texts.factors.addAuthenticator,
      crumb,
      blocks: [
        { kind: 'text', text: (texts) => texts.factors.authenticatorLead },
        { kind: 'qr', label: (texts) => texts.factors.codeToScan, text: uri },
        {
          kind: 'facts',
          items: [[(texts) => texts.factors.secret, { text: secret, isCode: true, isLong: true }]],
        },
        { kind: 'form', form },
      ],
    }
  },
}

/** Of an administrator in production: without one they could not sign in again. */
const mustKeepOne = ({ mode, operator }: PageRequest) =>
  mode === 'production' && operator.role === 'administrator'

function action(
  path: string,
  enrol: (request: PageRequest, values: FormValues) => Promise<Enrolled>,
): Action {
  return {
    path,
    name: 'factor.change',
    maxBytes: 32 * 1024,
    run: async (request, values) => doneOf(await enrol(request, values)),
  }
}

/** @throws OperationError */
function doneOf(enrolled: Enrolled): Done {
  if (!enrolled.ok) throw problemOf(enrolled.reason)
  const { recoveryCodes } = enrolled
  return recoveryCodes.length === 0
    ? { kind: 'go', to: '/account', isUntold: true }
    : { kind: 'show', view: codesView(recoveryCodes) }
}

function codesView(codes: readonly string[]): PageView {
  return {
    title: (texts) => texts.factors.yourCodes,
    blocks: [
      {
        kind: 'secret',
        label: (texts) => texts.operators.shownOnlyOnce,
        value: codes.join('\n'),
        note: (texts) => texts.factors.codesLead,
      },
      { kind: 'links', items: [{ text: (texts) => texts.factors.ready, href: '/account' }] },
    ],
  }
}

/** One that is known by nobody but its session: what is wrong of it is told as of any form. */
function problemOf(reason: EnrolmentProblem): OperationError {
  if (reason === 'stale') return new OperationError('unproved', 'Prove your second factor first.')
  return new OperationError(reason === 'missing' ? 'not_found' : 'refused', problems[reason])
}

const problems: Readonly<Record<Exclude<EnrolmentProblem, 'stale'>, string>> = {
  wrong: 'This code is not right now. Authenticators show another one every 30 seconds.',
  expired: 'That took too long, or was answered before. Try again.',
  invalid:
    'The answer of the passkey does not hold. It must come from the address that operator.publicUrl names.',
  many: 'There are ten passkeys already. Remove one first.',
  there: 'This passkey is here already.',
  missing: 'There is no such factor any more.',
  last: 'In production an administrator must have a second factor: add another one first.',
}

export const factorActions: readonly Action[] = [
  action(passkeyPath, ({ people, prover }, { label = '', passkey = '' }) =>
    addPasskey(people, prover, { label: labelOf(label), answer: answerOf(passkey) }),
  ),
  action(`${passkeyPath}/remove`, (request, { id = '' }) =>
    removePasskey(request.people, request.prover, id, mustKeepOne(request)),
  ),
  action(authenticatorPath, ({ people, prover }, { code = '' }) => addAuthenticator(people, prover, code)),
  action(`${authenticatorPath}/remove`, (request) =>
    removeAuthenticator(request.people, request.prover, mustKeepOne(request)),
  ),
  action('/account/recovery-codes', ({ people, prover }) => renewRecoveryCodes(people, prover)),
  // Nothing but to be let on to the page that asked for it.
  { path: provedPath, name: 'factor.change', run: async () => ({ kind: 'go', isUntold: true }) },
]

const longestLabel = 60

function labelOf(written: string): string {
  const label = [
    ...written
      .replaceAll(/\p{Cc}/gu, ' ')
      .toWellFormed()
      .trim(),
  ]
    .slice(0, longestLabel)
    .join('')
  return label === '' ? 'passkey' : label
}
