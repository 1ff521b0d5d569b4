/** What a test file can change for the files that run after it in the same process, and has to put back. */

/** Each thing by its name; what is not a primitive is compared by identity. */
export type ProcessState = ReadonlyMap<string, unknown>

/** Listeners that keep a process alive against a signal or an error, or act at its end. */
const events = [
  'SIGHUP',
  'SIGINT',
  'SIGTERM',
  'SIGUSR2',
  'uncaughtException',
  'unhandledRejection',
  'warning',
]

export function processState(): ProcessState {
  const state = new Map<string, unknown>([
    ['the working directory', process.cwd()],
    ['the umask', process.umask()],
    ['process.stdout.write', process.stdout.write],
    ['process.stderr.write', process.stderr.write],
    ['process.exit', process.exit],
    ['Math.random', Math.random],
    ['Date.now', Date.now],
    ['performance.now', performance.now],
  ])
  for (const [name, value] of Object.entries(process.env)) state.set(`process.env.${name}`, value)
  for (const [name, value] of Object.entries(console)) state.set(`console.${name}`, value)
  for (const event of events) state.set(`listeners for ${event}`, process.listenerCount(event))
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(globalThis))) {
    // So libraries name what they keep there for good, from the moment they are loaded.
    if (!name.startsWith('__')) state.set(`globalThis.${name}`, value)
  }
  return state
}

/** The names of what is not as it was. */
export function changesSince(before: ProcessState): string[] {
  const after = processState()
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => !Object.is(before.get(name), after.get(name)))
}
