/** The entry point: `ventanilla …`. */
import { userInfo } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { asRunHere } from '../node/own-name.ts'
import { systemClock } from '../node/system-clock.ts'
import { runCommandLine } from './program.ts'
import type { Terminal } from './terminal.ts'

// Whoever reads the output may have enough of it: `ventanilla order list | head`.
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

const terminal: Terminal = {
  out: (text) => process.stdout.write(asRunHere(text)),
  err: (text) => process.stderr.write(asRunHere(text)),
  isTerminal: process.stdout.isTTY === true,
  readInput: () => buffer(process.stdin),
  env: process.env,
  cwd: process.cwd(),
  user: userName(),
  clock: systemClock,
  onStopSignal(listener) {
    for (const signal of stopSignals) process.on(signal, listener)
    const forgetParent = whenOrphaned(listener)
    return () => {
      for (const signal of stopSignals) process.off(signal, listener)
      forgetParent()
    }
  },
}

// No `await` here: the one executable starts a CommonJS module, which has none at its top.
void runCommandLine(process.argv.slice(2), terminal).then((code) => {
  process.exitCode = code
})

/** Containers run as users that nobody has given a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user-${process.getuid?.() ?? 'unknown'}`
  }
}

/**
 * A signal to npm ends npm and the shell between, and does not reach this process: it is told by having lost
 * its parent.
 */
function whenOrphaned(listener: () => void): () => void {
  if (process.env.npm_lifecycle_event === undefined) return () => {}
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    listener()
  }, 500).unref()
  return () => clearInterval(watch)
}
