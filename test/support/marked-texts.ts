/** Texts that show where they are: each between ⟦ and ⟧, and 40 % longer than in English, as another language may be. */
import { en, type Texts } from '../../http/console/texts/en.ts'
import { es } from '../../http/console/texts/es.ts'

/** What an operation says of itself is marked where it has a translation. */
export function markedTexts(): Texts {
  const wording = Object.fromEntries(Object.keys(es.wording).map((english) => [english, english]))
  return marked({ ...en, wording })
}

function marked<Part>(part: Part): Part {
  // Each part is given back with its own shape.
  if (typeof part === 'string') return longer(part) as Part
  if (typeof part === 'function') return ((...known: unknown[]) => marked(part(...known))) as Part
  if (Array.isArray(part)) return part.map(marked) as Part
  if (typeof part === 'object' && part !== null)
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, marked(each)])) as Part
  return part
}

/** Longer by words of a usual length: where these may be broken, others may be. */
function longer(text: string): string {
  const own = text.replaceAll(/[⟦⟧]/g, '').length
  const more = 'xxxxxxx '.repeat(Math.ceil((own * 0.4) / 8)).slice(0, Math.ceil(own * 0.4))
  return `⟦${text}${own < 6 ? more.trim() : ` ${more.trim()}`}⟧`
}
