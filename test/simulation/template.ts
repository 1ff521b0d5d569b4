/** What every world begins with: a node's files once its parties are there. Made once a process, the same in each. */
import { newPerson } from '../../actors/people/accounts.ts'
import type { Write } from '../../persistence/store.ts'
import { SimulatedChain } from './chain.ts'
import { Host, type Mode } from './host.ts'
import { people, thresholds } from './people.ts'
import { Platform } from './platform.ts'
import type { NodeProcess } from './process.ts'
import { terms } from './terms.ts'
import { beginsAt } from './world.ts'

export interface Template {
  /** The folder of its files. */
  template: string
  /** When the terms began to hold. */
  since: number
}

const made = new Map<string, Promise<Template>>()

/** @param takesTwo whether there are several operators, and thresholds above which it takes two of them */
export function templateFor(mode: Mode, takesTwo = false): Promise<Template> {
  const key = `${mode} ${takesTwo}`
  const found = made.get(key) ?? make(mode, takesTwo)
  made.set(key, found)
  return found
}

async function make(mode: Mode, takesTwo: boolean): Promise<Template> {
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
    // Terms first: from the first threshold on they take two.
    if (takesTwo && host.process !== null) await host.drive(letIn(host.process))
    await host.stop()
  } finally {
    platform.uninstall()
  }
  return { template: host.folder, since }
}

async function letIn({ core: { store } }: NodeProcess): Promise<void> {
  await store.step({
    rows: {},
    decide: (_, at) => ({
      answer: null,
      writes: [
        ...people.map(({ name, role, letInBy }): Write => {
          const person = newPerson({ name, role, party_id: null, passwordHash: 'none', at })
          const let_in_by = letInBy === null ? null : `person:${letInBy}`
          return { insert: 'people', values: { ...person, let_in_by } }
        }),
        ...Object.entries(thresholds).map(([operation, amount_minor]): Write => {
          const set = { amount_minor, set_at: at, set_by: 'ana', revision: 1 }
          return { insert: 'approval_thresholds', values: { operation, currency: 'MXN', ...set } }
        }),
      ],
    }),
  })
}
