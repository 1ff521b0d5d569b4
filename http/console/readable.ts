/** Words of programs as people read them. */
import type { Texts } from './texts/index.ts'
import { type Said, say, type Words } from './view.ts'

/** Words of a name in a program, for people: `payOutLocal` → `pay out local`. */
export function words(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A word of the program's own, such as a status: as the reader's language has it, or as the program does. */
export function named(name: string): Said {
  return (texts) => word(texts, name)
}

export function word(texts: Texts, name: string): string {
  const known: Readonly<Record<string, string>> = texts.words
  return Object.hasOwn(known, name) ? (known[name] ?? name) : words(name)
}

export function capitalized(text: Words): Said {
  return (_, view) => capital(say(text, view))
}

/** One after another. */
export function joined(parts: readonly Words[], between = ', '): Said {
  return (_, view) => parts.map((part) => say(part, view)).join(between)
}

/** A duration in its largest unit, as programs' ages are told. */
export function age(seconds: number): Said {
  return ({ frame: { ages } }, view) => {
    if (seconds < 120) return ages.seconds(view.counted(seconds))
    if (seconds < 7_200) return ages.minutes(view.counted(Math.floor(seconds / 60)))
    return seconds < 172_800
      ? ages.hours(view.counted(Math.floor(seconds / 3_600)))
      : ages.days(view.counted(Math.floor(seconds / 86_400)))
  }
}
