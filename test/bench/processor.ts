/** Processor time of a program that has processes of its own, such as a database server. Only where there is /proc. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

interface Used {
  parent: number
  ticks: number
}

/** Milliseconds that a process and its children have used, those that have ended included; NaN without /proc. */
export function processorMsOf(pid: number): number {
  if (!existsSync('/proc/self/stat')) return Number.NaN
  const own = usedBy(String(pid))
  if (own === null) return Number.NaN
  let { ticks } = own
  for (const entry of readdirSync('/proc')) {
    const used = /^\d+$/.test(entry) ? usedBy(entry) : null
    if (used?.parent === pid) ticks += used.ticks
  }
  return (ticks * 1000) / ticksPerSecond()
}

function usedBy(pid: string): Used | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // A name may hold blanks and brackets: what follows it is behind the last bracket.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    const [parent = 0, user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = [1, 11, 12, 13, 14].map(
      (index) => Number(fields[index]),
    )
    return { parent, ticks: user + system + childrenUser + childrenSystem }
  } catch {
    // It ended meanwhile.
    return null
  }
}

let known: number | undefined

function ticksPerSecond(): number {
  known ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return known
}
