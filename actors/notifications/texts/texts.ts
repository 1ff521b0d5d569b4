/** What a language has to say: a message that one of them lacks does not compile. */
import type { AlarmKind } from '../../condition/alarms.ts'
import type { ExceptionKind } from '../../exceptions/kinds.ts'
import type { Role } from '../../foundation/roles.ts'
import type { EventName, FactsOf, LastingEvent } from '../events.ts'

/** One event. Facts stand in it as they are; it is plain text, and one line. */
export type EventText<Name extends EventName> = {
  /** What has happened; also the subject of its mail. */
  title(facts: FactsOf[Name]): string
  /** More of it. */
  detail(facts: FactsOf[Name]): string[]
  /** What the operator does about it: not told to parties, who have no such commands. */
  action(facts: FactsOf[Name]): string[]
} & (Name extends LastingEvent ? { over(facts: FactsOf[Name]): string } : unknown)

export interface Texts {
  events: { [Name in EventName]: EventText<Name> }
  exceptionKinds: Record<ExceptionKind, string>
  alarmKinds: Record<AlarmKind, string>
  digest: { subject(lines: number): string; intro: string; more: string }
  test: { subject: string; detail: string }
  invitation: {
    subject: string
    roles: Record<Role, string>
    lead(name: string, role: string, invitedBy: string): string
    /** Before the address. */
    open: string
    until(time: string): string
    unexpected: string
    /** Where the address stands for the invited alone. */
    hidden: string
  }
  /** A lasting event that happened again. */
  repeated(count: number): string
  /** How often in all, in a digest. */
  times(count: number): string
  /** Of what has happened once. */
  at(time: string): string
  since(time: string): string
  between(first: string, last: string): string
  footer(channel: string): string
  /** Under what is sent to a party. */
  partyFooter: string
  sandbox: string
}
