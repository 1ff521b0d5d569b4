/**
 * What XState's `machine.transition` needs of an actor that is never started. It is no documented API: xstate is pinned
 * exactly, and tests play the charts' tables through a started actor, too.
 */
import type { AnyActor, AnyActorScope } from 'xstate'

export interface InertScope<Effect> {
  scope: AnyActorScope
  /** The effects of the transition that runs, in order. */
  effects: Effect[]
}

/** A scope that supplies `self` and `system` and collects effects. */
export function makeInertScope<Effect>(
  self: AnyActor,
  toEffect: (action: { type: string; params: unknown }) => Effect,
): InertScope<Effect> {
  const effects: Effect[] = []
  const scope: AnyActorScope = {
    self,
    system: self.system,
    id: self.id,
    sessionId: self.sessionId,
    logger: () => {},
    defer: () => {},
    emit: () => {},
    stopChild: () => {},
    actionExecutor: (action) => effects.push(toEffect(action)),
  }
  return { scope, effects }
}
