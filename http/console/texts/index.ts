/** What the console says, in the languages of those who use it. */
import type { Language } from '../../../actors/people/languages.ts'
import { en, type Texts } from './en.ts'

export type { Texts }

type Written = Extract<Language, 'en'>

const tables: Readonly<Record<Written, Texts>> = { en }

export function isWritten(language: Language): language is Written {
  return Object.hasOwn(tables, language)
}

export function textsOf(language: Written): Texts {
  return tables[language]
}
