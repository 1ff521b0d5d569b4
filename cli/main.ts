/** The entry point: `ventanilla …`. */
import { userInfo } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { runCommandLine } from './program.ts'
import { systemClock } from './system-clock.ts'
import type { Terminal } from './terminal.ts'

// Whoever reads the output may have enough of it: `ventanilla order list | head`.
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

const terminal: Terminal = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
  readInput: () => buffer(process.stdin),
  env: process.env,
  cwd: process.cwd(),
  user: userName(),
  clock: systemClock,
  onStopSignal(listener) {
    const signals = ['SIGTERM', 'SIGINT'] as const
    for (const signal of signals) process.on(signal, listener)
    return () => {
      for (const signal of signals) process.off(signal, listener)
    }
  },
}

process.exitCode = await runCommandLine(process.argv.slice(2), terminal)

/** Containers run as users that nobody has given a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user-${process.getuid?.() ?? 'unknown'}`
  }
}
