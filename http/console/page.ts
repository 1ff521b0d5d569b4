/** What a page of the console is given, and what it makes of it. */

import type { Operation } from '../../actors/foundation/operation.ts'
import type { Role } from '../../actors/foundation/roles.ts'
import type { Inspection } from '../../actors/inspection/workers.ts'
import type { FactorContext, Prover } from '../../actors/people/factors.ts'
import type { Session } from '../../actors/people/sessions.ts'
import type { Instant } from '../../machines/time.ts'
import type { Block, Text } from './blocks.ts'
import type { Drawing } from './drawings.ts'
import type { Crumb } from './layout.ts'
import type { Texts } from './texts/index.ts'
import type { View, Words } from './view.ts'

export type RoomName = keyof Texts['rooms']

export interface ShownSetting {
  path: string
  value: string
  meaning: string
  isDefault: boolean
}

export interface PageRequest {
  operator: Pick<Session, 'id' | 'name' | 'role' | 'language' | 'hasFactor' | 'factorAt'>
  /** Whose factors a page is about: the person, in the session that asks. */
  prover: Prover
  people: FactorContext
  /** The named parts of the page's path. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Whom it is written for: what depends on their zone, such as a day that is chosen, is reckoned with it. */
  view: View
  now: Instant
  /** Of a list that is made into a file, at once; `null` for a page's own length. */
  lines: number | null
  mode: string
  settings: readonly ShownSetting[]
  /** A chart, with what is of interest marked; `null` where there is none. */
  drawing: Drawing
  /** What the inspector looks at; `null` while it is off. */
  inspection: Inspection | null
  /** Files that were sent with forms, by what they are called among them. */
  sent: {
    /** `null` where it is no more, or larger. */
    read(id: string, maxBytes: number): Promise<Uint8Array | null>
    drop(id: string): Promise<void>
  }
  /** @throws OperationError */
  ask<Input, Output>(operation: Operation<Input, Output>, input: Input): Promise<Output>
  /** Whether the operator's role suffices. */
  may(operation: Pick<Operation<never, never>, 'name'>): boolean
}

export interface PageView {
  title: Words
  heading?: Words
  /** What it is below, from the highest on, in its room or in another one. */
  crumb?: Crumb | readonly Crumb[]
  blocks: readonly Block[]
  /** What a form has just done. */
  told?: Text
  /** What was searched for: the box at the top still says it. */
  sought?: string
  /** Another page shows it: the browser is sent there. */
  goTo?: string
  /** Seconds until it asks for itself again. */
  liveSeconds?: number
}

export interface Page {
  /** Of the whole path, decoded. */
  path: RegExp
  least: Role
  /** Its place in the navigation. */
  room: RoomName | ''
  /** In production nothing has its address. */
  isSandboxOnly?: true
  render(request: PageRequest): Promise<PageView>
}

/** What a form says: each name once, blanks around it cut off. */
export type FormValues = Readonly<Record<string, string>>

export interface FormFile {
  name: string
  isOptional: boolean
  /** Of the file, where its form takes less than the folder does: no more is read. */
  maxBytes?: number
}

export interface Action {
  /** The whole path a form is sent to, decoded. */
  path: string
  /** Of its operation. */
  name: string
  /** Of what it is sent; 64 KiB unless said. */
  maxBytes?: number
  /** The field that has a file, or may: its value is what the file is called among those that were sent. */
  file?: FormFile
  /** It says a password, so it counts as an attempt to prove who one is. */
  isProof?: boolean
  /** Asks for one operation. */
  run(request: PageRequest, values: FormValues): Promise<Done>
}

export type Done =
  /** The browser is sent on, to the page of the form unless it is said; there it is told what the operation says, unless nothing was done. */
  | { kind: 'go'; to?: string; isUnfinished?: boolean; isUntold?: boolean }
  /** Shown in answer to the form, this once; of a dry run, what the button says that does it, `null` where the view has its own. */
  | { kind: 'show'; view: PageView; doIt?: Words | null }
  /** Kept by the browser as a file; the page stays, and the form can be sent again. */
  | { kind: 'file'; name: string; type: string; bytes: Uint8Array }
