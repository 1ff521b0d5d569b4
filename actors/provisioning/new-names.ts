/**
 * New names of a provisioning file. Money is booked by name, so one that is a slip of another must not make a party
 * of its own: whoever means it says so.
 */
import { alikeProblem, likeness, writtenProblem } from '../../machines/written-names.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import type { Problems } from '../foundation/reading.ts'
import type { Known } from './known.ts'

type Kind = PartyKind | 'network' | 'bank' | 'calendar'

export class NewNames {
  readonly #problems: Problems
  readonly #areNew: boolean
  /** By kind and likeness; each with whose it is, in words. */
  readonly #alike = new Map<string, string>()

  constructor(
    { names, networkIds, terms }: Pick<Known, 'names' | 'networkIds' | 'terms'>,
    areNew: boolean,
    problems: Problems,
  ) {
    this.#problems = problems
    this.#areNew = areNew
    for (const { kind, name } of names) this.#alike.set(keyOf(kind, likeness(name)), `${kind} ${name}`)
    for (const { network_id: id, name } of networkIds) {
      this.#alike.set(keyOf('network', likeness(id)), `network ${id} of provider ${name}`)
    }
    for (const name of terms.banks.keys()) this.#alike.set(keyOf('bank', likeness(name)), `bank ${name}`)
    for (const name of terms.calendars.keys()) {
      this.#alike.set(keyOf('calendar', likeness(name)), `calendar ${name}`)
    }
  }

  /** What is odd in it is noted where it is read. */
  term(kind: 'bank' | 'calendar', name: string, path: string): void {
    this.#judge(kind, name, `${path}.name`, `${kind} ${name}`)
  }

  party(kind: PartyKind, name: string, path: string): void {
    const odd = writtenProblem(name)
    if (odd === null) this.#judge(kind, name, `${path}.name`, `${kind} ${name}`)
    else this.#problems.add(`${path}.name`, `${JSON.stringify(name)} ${odd}`)
  }

  network(id: string, path: string): void {
    this.#judge('network', id, path, `network ${id}`)
  }

  #judge(kind: Kind, name: string, path: string, who: string): void {
    const key = keyOf(kind, likeness(name))
    const other = this.#alike.get(key)
    // That a file names one thing twice is noted where it is read.
    if (other === undefined) this.#alike.set(key, who)
    else if (other !== who && !this.#areNew) {
      this.#problems.add(path, `${alikeProblem(name, other)}. Write that one's name as it is, or say --new`)
    }
  }
}

function keyOf(kind: string, name: string): string {
  return `${kind}:${name}`
}
