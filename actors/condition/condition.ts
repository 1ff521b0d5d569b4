/**
 * The node's live condition: one store that `/readyz`, the log and the console read.
 *
 * A reason degrades the node; it goes on serving. Only starting and draining make it unready.
 */
import { createStore } from '@xstate/store'

export type Phase = 'starting' | 'serving' | 'draining'

/** What is wrong, by the part it is wrong with: `clock`, `database`, `worker:webhooks`, `chain:SOLANA` … */
export type Reasons = Readonly<Record<string, string>>

export function createCondition() {
  return createStore({
    context: { phase: 'starting' as Phase, reasons: {} as Reasons },
    on: {
      serve: (context) => ({ ...context, phase: 'serving' as const }),
      drain: (context) => ({ ...context, phase: 'draining' as const }),
      degrade: (context, event: { part: string; reason: string }) =>
        context.reasons[event.part] === event.reason
          ? context
          : { ...context, reasons: { ...context.reasons, [event.part]: event.reason } },
      recover: (context, event: { part: string }) => {
        if (!(event.part in context.reasons)) return context
        const { [event.part]: _, ...reasons } = context.reasons
        return { ...context, reasons }
      },
    },
  })
}

export type Condition = ReturnType<typeof createCondition>

export type Readiness =
  | { status: 'ready' }
  | { status: 'degraded'; reasons: Reasons }
  | { status: 'starting' | 'draining' }

export function readiness(condition: Condition): Readiness {
  const { phase, reasons } = condition.getSnapshot().context
  if (phase !== 'serving') return { status: phase }
  return Object.keys(reasons).length === 0 ? { status: 'ready' } : { status: 'degraded', reasons }
}
