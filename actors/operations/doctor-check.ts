/** One thing that the doctor looked at. */

export interface DoctorCheck {
  name: string
  ok: boolean
  detail: string
  /** What to do; `null` when nothing is to be done. */
  action: string | null
}

export function fine(name: string, detail: string): DoctorCheck {
  return { name, ok: true, detail, action: null }
}

export function wrong(name: string, detail: string, action: string): DoctorCheck {
  return { name, ok: false, detail, action }
}

const mostNamed = 10

/** A few of many by name, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const more = names.length - mostNamed
  const named = names.slice(0, mostNamed).join(', ')
  return more > 0 ? `${named} and ${more} more` : named
}
