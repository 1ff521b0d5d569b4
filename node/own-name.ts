/** How this program is called where it runs: what a text names has to work when it is pasted. */
import { isPacked } from './packed.ts'

/** As npm runs it in the folder of its sources; the one executable is on its own. */
const fromSources = 'npm run -s ventanilla --'

/** `order list` → `npm run -s ventanilla -- order list`, or `ventanilla order list`. */
export function commandHere(words: string, packed = isPacked()): string {
  return `${packed ? 'ventanilla' : fromSources} ${words}`
}

/** What starts a node. */
export function startHere(packed = isPacked()): string {
  return packed ? 'ventanilla serve' : 'npm start'
}

/** Texts of all parts call the program by its name: in backticks, or as an example after a dollar sign. */
export function asRunHere(text: string, packed = isPacked()): string {
  return packed ? text : text.replace(/(`|^ {2}\$ )ventanilla (?=[a-z])/gm, `$1${fromSources} `)
}

/** A file of the sources' folder, which is not beside the one executable. */
export function guideHere(file: string, packed = isPacked()): string {
  return packed ? `${file} in Ventanilla’s sources` : file
}
