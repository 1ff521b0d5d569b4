/** The drawings that were made at build time (`npm run drawings`). */
import drawings from '../data/drawings.json' with { type: 'json' }

/** Texts by chart. */
export function readDrawings(kind: 'svg' | 'mermaid'): ReadonlyMap<string, string> {
  return new Map(Object.entries(drawings).map(([name, drawing]) => [name, drawing[kind]]))
}
