/**
 * The node without one of its parts, so that a measurement can tell what that part costs: `without.ts FOLDER PART`.
 * The product has no switch for it: modules are replaced as they are loaded.
 */
import { registerHooks } from 'node:module'

const root = new URL('../../../', import.meta.url)

/** Which modules of the product give way to which beside this one. */
const replacements: Record<string, Readonly<Record<string, string>>> = {
  limits: {
    'http/limits/limits.ts': 'no-limits.ts',
    'http/limits/in-turn.ts': 'not-in-turn.ts',
    'http/limits/connections.ts': 'any-connections.ts',
  },
  'stored answers': { 'actors/orders/answers.ts': 'no-answers.ts' },
  journal: {
    'actors/orders/journal.ts': 'no-entries.ts',
    'persistence/sqlite/rows.ts': 'no-journal-rows.ts',
  },
}

const [, part = ''] = process.argv.slice(2)
const replaced = new Map(
  Object.entries(replacements[part] ?? {}).map(([module, by]) => [
    new URL(module, root).href,
    new URL(`without/${by}`, import.meta.url).href,
  ]),
)
if (replaced.size === 0) throw new Error(`There is no part ${part}.`)

const seen = new Set<string>()
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const by = replaced.get(found.url)
    // What takes its place may use what it replaces.
    if (by === undefined || context.parentURL === by) return found
    seen.add(found.url)
    return { ...found, url: by }
  },
})
await import('./node.ts')
// A module that has moved would otherwise be measured as one that costs nothing.
const missed = [...replaced.keys()].filter((url) => !seen.has(url))
if (missed.length > 0) throw new Error(`The node does not load ${missed.join(', ')}.`)
