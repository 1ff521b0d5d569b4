/** What the node says in English and operators read on pages, as recorded: a language that lacks one of them does not compile. */
import type english from './en.json'

export type Sentences = Readonly<Record<keyof typeof english, string>>
