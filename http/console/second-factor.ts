/** Where a second factor is asked for: at the sign-in, and again before what moves money, keys or people. */
import { parseJson } from '../../actors/foundation/json-text.ts'
import {
  askForPasskey,
  type FactorContext,
  type Proof,
  type Prover,
  prove,
} from '../../actors/people/factors.ts'
import type { Session } from '../../actors/people/sessions.ts'
import type { Block, Form } from './blocks.ts'
import type { FormValues, PageView } from './page.ts'
import type { Words } from './view.ts'

export const factorPath = '/sign-in/factor'
export const confirmPath = '/account/confirm'
export const idlePath = '/account/idle'

interface People {
  people: FactorContext
}

interface Asked {
  action: string
  title: Words
  lead: Words
  hidden: Form['hidden']
  /** What was wrong of the answer before. */
  problem?: Words
}

/** A form that takes a code, or a passkey where the person has one. */
export async function factorView(
  { people }: People,
  prover: Prover,
  { action, title, lead, hidden, problem }: Asked,
): Promise<PageView> {
  const options = await askForPasskey(people, prover)
  const form: Form = {
    action,
    title,
    lead,
    button: (texts) => texts.factors.goOn,
    isMain: true,
    hidden,
    fields: [
      {
        name: 'code',
        label: (texts) => texts.factors.code,
        type: 'text',
        autocomplete: 'one-time-code',
        maxLength: 40,
        isFocused: true,
      },
    ],
    ...(options === null
      ? {}
      : { passkey: { kind: 'get', options, button: (texts) => texts.factors.usePasskey } }),
  }
  const notices: Block[] =
    problem === undefined
      ? []
      : [{ kind: 'notice', tone: 'bad', title: (texts) => texts.factors.notProved, lines: [problem] }]
  return { title, blocks: [...notices, { kind: 'form', form }] }
}

/** What a form of `factorView` says, tried. @returns the session's token from now on, or what is wrong */
export async function tryFactor(
  { people }: People,
  { name }: Session,
  token: string,
  values: FormValues,
): Promise<{ ok: true; token: string } | { ok: false; problem: Words }> {
  const proved = await prove(people, { name, token }, proofOf(values))
  if (proved.ok) return proved
  const { reason } = proved
  return { ok: false, problem: (texts) => texts.factors.problems[reason] }
}

function proofOf({ passkey = '', code = '' }: FormValues): Proof {
  return passkey === '' ? { kind: 'code', code } : { kind: 'passkey', answer: answerOf(passkey) }
}

/** `null` for what is no JSON: whatever else it is, the check of the passkey refuses it. */
export function answerOf(passkey: string): unknown {
  const read = parseJson(passkey)
  return read.ok ? read.value : null
}
