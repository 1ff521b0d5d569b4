/** In which languages the console is written. */
import type { Language } from '../../persistence/schema-people.ts'

export type { Language }

export const languages = ['es', 'pt', 'en'] as const satisfies readonly Language[]
