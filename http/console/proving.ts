/** Ways in beside a password: the second half of a sign-in, a factor again, and the link of an invitation. */
import type { Context } from 'koa'
import { OperationError } from '../../actors/foundation/operation.ts'
import { acceptInvitation, findInvitation } from '../../actors/people/invitations.ts'
import type { Session } from '../../actors/people/sessions.ts'
import { addressOf } from './attempts.ts'
import { setSessionToken } from './cookies.ts'
import { ownPath } from './forms.ts'
import { goneView, joinFormView, type Lines } from './join.ts'
import type { FormValues, PageView } from './page.ts'
import { factorPath, factorView, tryFactor } from './second-factor.ts'
import type { Texts } from './texts/index.ts'
import type { Said, Words } from './view.ts'
import { type Way, type WayOptions, waitLine } from './way-in.ts'
import { told } from './wording.ts'

/** What a form of the way in ends with. */
export type Entered = { kind: 'in'; to: string } | { kind: 'out'; status: number; view: PageView }

export type Tried = { ok: true; token: string } | { ok: false; status: number; problem: Words }

/** Whose session it is, and its token. */
interface Visitor {
  session: Session
  token: string
}

export interface Proving {
  /** Of a link: what it makes, or that it is no more. */
  joinView(invitation: string): Promise<PageView>
  join(context: Context, values: FormValues): Promise<Entered>
  /** The second half of a sign-in. */
  factorView(visitor: Visitor, to: string): Promise<PageView>
  prove(context: Context, visitor: Visitor, values: FormValues): Promise<Entered>
  /** Who is in says their password: what to tell them where they have to wait. */
  mustWait(context: Context, visitor: Visitor): Promise<Said | null>
  /** A factor again, of who is in. */
  confirm(context: Context, visitor: Visitor, values: FormValues): Promise<Tried>
}

export function createProving(options: WayOptions, { attempts, enter, noteWait }: Way): Proving {
  const { people, clock } = options

  async function mustWait(context: Context, { session: { name } }: Visitor): Promise<Said | null> {
    const seconds = attempts.mustWaitToProve(context, name)
    if (seconds === null) return null
    await noteWait(context, name)
    return waitLine(context, seconds)
  }

  async function tryOnce(context: Context, visitor: Visitor, values: FormValues): Promise<Tried> {
    const { session, token } = visitor
    const problem = await mustWait(context, visitor)
    if (problem !== null) return { ok: false, status: 429, problem }
    const tried = await tryFactor(options, session, token, values)
    return tried.ok ? tried : { ...tried, status: 401 }
  }

  async function joinView(invitation: string, problems: Lines = []): Promise<PageView> {
    const found = await findInvitation(people.store, invitation, clock.now())
    return found === null ? goneView : joinFormView(found, invitation, problems)
  }

  function askForFactor(
    { session: { name }, token }: Visitor,
    to: string,
    problem?: Words,
  ): Promise<PageView> {
    const asked = {
      action: factorPath,
      title: (texts: Texts) => texts.factors.second,
      lead: (texts: Texts) => texts.factors.enterCode,
      hidden: { to },
    }
    return factorView(options, { name, token }, { ...asked, ...(problem === undefined ? {} : { problem }) })
  }

  return {
    joinView: (invitation) => joinView(invitation),
    async join(context, { invitation = '', password = '' }) {
      const out = async (status: number, problems: Lines = []): Promise<Entered> => ({
        kind: 'out',
        status,
        view: await joinView(invitation, problems),
      })
      // Counted by its address: an invitation has 256 bits, and nobody's name.
      const seconds = attempts.mustWait(context, null)
      if (seconds !== null) return out(429, [waitLine(context, seconds)])
      try {
        const address = addressOf(context)
        const name = await acceptInvitation(people, { token: invitation, password, address })
        if (name === null) return out(410)
        await enter(context, name, password)
        return { kind: 'in', to: '/' }
      } catch (error) {
        if (!(error instanceof OperationError)) throw error
        return out(
          400,
          [error.message, ...error.details].map((text) => told(text)),
        )
      }
    },
    factorView: (visitor, to) => askForFactor(visitor, to),
    async prove(context, visitor, values) {
      const to = ownPath(values.to)
      const tried = await tryOnce(context, visitor, values)
      if (!tried.ok)
        return { kind: 'out', status: tried.status, view: await askForFactor(visitor, to, tried.problem) }
      setSessionToken(context, tried.token)
      return { kind: 'in', to }
    },
    mustWait,
    confirm: tryOnce,
  }
}
