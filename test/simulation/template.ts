/** What every world begins with: a node's files once its parties are there. Made once a process, the same in each. */
import { SimulatedChain } from './chain.ts'
import { Host, type Mode } from './host.ts'
import { Platform } from './platform.ts'
import { terms } from './terms.ts'
import { beginsAt } from './world.ts'

export interface Template {
  /** The folder of its files. */
  template: string
  /** When the terms began to hold. */
  since: number
}

const made = new Map<Mode, Promise<Template>>()

export function templateFor(mode: Mode): Promise<Template> {
  const found = made.get(mode) ?? make(mode)
  made.set(mode, found)
  return found
}

async function make(mode: Mode): Promise<Template> {
  const since = beginsAt - 3_600_000
  const platform = new Platform(1, since)
  const beside = () => ({
    sender: { send: () => Promise.reject(new Error('nothing is sent here')), close() {} },
    onFailure(error: Error) {
      throw error
    },
  })
  const host = new Host(platform, { mode, beside })
  const chain = new SimulatedChain(() => platform.trueTime, beginsAt)
  platform.connect((...asked) => chain.ask(...asked))
  platform.install()
  try {
    await host.start()
    await host.drive(host.process?.operate('apply', terms, 'ana') ?? Promise.resolve())
    await host.stop()
  } finally {
    platform.uninstall()
  }
  return { template: host.folder, since }
}
