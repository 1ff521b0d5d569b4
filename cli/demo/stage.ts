/** What the demo tells, and what it proves: every claim of its summary is a check that was made. */
import type { Terminal } from '../terminal.ts'

export interface Check {
  name: string
  ok: boolean
  /** What was seen instead; empty when it is right. */
  detail: string
}

export class Stage {
  readonly checks: Check[] = []
  readonly #write: (text: string) => void
  #chapters = 0

  constructor(write: Terminal['out']) {
    this.#write = write
  }

  /** Begins the next chapter; they are numbered as they are played. */
  chapter(title: string): void {
    this.#heading(`${++this.#chapters}. ${title}`)
  }

  /** What happens, in a sentence. */
  say(text: string): void {
    this.#write(`${text}\n`)
  }

  /** What somebody sends or sees, set apart. */
  show(text: string): void {
    this.#write(text.trimEnd().replace(/^/gm, '    ').concat('\n'))
  }

  /** Notes whether something holds; what was seen is shown where it does not. */
  check(name: string, ok: boolean, seen: unknown = ''): void {
    const detail = ok ? '' : `saw ${typeof seen === 'string' ? seen : JSON.stringify(seen)}`
    this.checks.push({ name, ok, detail })
    this.#write(`  ${mark(ok)} ${name}${ok ? '' : ` (${detail})`}\n`)
  }

  /** All that was proved. Returns whether everything holds. */
  summary(): boolean {
    const failed = this.checks.filter((check) => !check.ok)
    const proved = this.checks.length - failed.length
    this.#heading(`${proved} of ${this.checks.length} checks hold`)
    for (const { name, ok, detail } of this.checks)
      this.say(`  ${mark(ok)} ${name}${ok ? '' : ` (${detail})`}`)
    return failed.length === 0
  }

  #heading(text: string): void {
    this.#write(`\n${text}\n${'-'.repeat([...text].length)}\n`)
  }
}

function mark(ok: boolean): string {
  return ok ? '✓' : '✗'
}
