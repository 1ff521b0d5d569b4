/** The lines of a statement, as the file that goes with its notification. */
import type { Store } from '../../persistence/store.ts'
import { statementPart } from '../settlement/statement-export.ts'
import type { Notice } from './events.ts'

/** What is longer many mail servers do not take: it is in the console, and by the API. */
const maxLength = 4 * 1024 * 1024

/**
 * `null` where the notice is not about one statement, or its file is too long.
 *
 * @throws OperationError where there is none: it never goes away once it is closed.
 */
export async function statementFile(
  store: Store,
  { purpose, told }: Notice,
): Promise<{ name: string; text: string } | null> {
  const [about] = told
  if (purpose !== 'event' || about?.event !== 'statement.closed') return null
  const { party, kind, currency, number } = about.facts
  const named = { party, kind, currency, number: `${number}`, format: 'csv' as const }
  let text = ''
  for (let after: number | null = 0; after !== null; ) {
    const { part, next } = await statementPart(store, { ...named, after })
    text += part
    after = next
    if (text.length > maxLength) return null
  }
  return { name: `statement-${currency}-${number}.csv`, text }
}
