/** Begins requests as they come. */
import type * as turns from '../../../../http/limits/in-turn.ts'

export const inTurn: typeof turns.inTurn = (serve) => serve
