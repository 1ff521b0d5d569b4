/** The command line in process, with a terminal that is read afterwards. */
import type { NodeClock } from '../../actors/condition/clock-watch.ts'
import { runCommandLine } from '../../cli/program.ts'
import type { Terminal } from '../../cli/terminal.ts'
import { fakeClock } from './clock.ts'

export interface CommandWorld {
  cwd: string
  env?: Record<string, string>
  clock?: NodeClock
  input?: string | Buffer
  isTerminal?: boolean
  user?: string
}

export interface Ran {
  code: number
  out: string
  err: string
  /** Standard output as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what was printed is what the test looks at
  json: any
}

export async function ventanilla(world: CommandWorld, ...args: string[]): Promise<Ran> {
  let out = ''
  let err = ''
  const terminal: Terminal = {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    isTerminal: world.isTerminal ?? false,
    readInput: async () => Buffer.from(world.input ?? ''),
    env: world.env ?? {},
    cwd: world.cwd,
    user: world.user ?? 'ana',
    clock: world.clock ?? fakeClock(),
    onStopSignal: () => () => {},
  }
  const code = await runCommandLine(args, terminal)
  let json: unknown = null
  try {
    json = JSON.parse(out)
  } catch {
    // It is text for people.
  }
  return { code, out, err, json }
}
