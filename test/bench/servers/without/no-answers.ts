/** Looks for no stored answer, and stores none. */
import type * as answers from '../../../../actors/orders/answers.ts'

export * from '../../../../actors/orders/answers.ts'

export const guardRows: typeof answers.guardRows = () => ({ repeated: undefined, idempotent: undefined })
export const recall: typeof answers.recall = () => ({ kind: 'new' })
export const remember: typeof answers.remember = () => []
export const rememberRefusal: typeof answers.rememberRefusal = () => []
