/** A statement as a file. */
import { setImmediate } from 'node:timers/promises'
import {
  type StatementFormat,
  type StatementPart,
  statementExport,
} from '../../../actors/settlement/statement-export.ts'
import type { PageRequest } from '../page.ts'

/** What an address names: the statement's party, currency and number. */
export function namedIn(query: URLSearchParams) {
  const given = (name: string) => query.get(name) ?? ''
  const kind = (['merchant', 'provider'] as const).find((one) => one === given('kind'))
  return {
    party: given('party'),
    currency: given('currency'),
    number: given('number'),
    ...(kind === undefined ? {} : { kind }),
  }
}

function fileOf(format: StatementFormat, type: string) {
  return {
    path: `/statement.${format}`,
    name: (query: URLSearchParams) => `statement-${query.get('currency')}-${query.get('number')}.${format}`,
    type,
    async *read({ ask, query }: PageRequest): AsyncGenerator<string> {
      for (let after: number | null = 0; after !== null; ) {
        const { part, next }: StatementPart = await ask(statementExport, { ...namedIn(query), format, after })
        yield part
        // SQLite answers at once, so that without it nobody else would be served until the last part.
        await setImmediate()
        after = next
      }
    },
  }
}

export const statementTable = fileOf('csv', 'text/csv; charset=utf-8')
export const statementJson = fileOf('json', 'application/json')
