/** What a node does that wakes from a sleep, counted by how often it asks for the time. */
import { SimulatedChain } from './chain.ts'
import { Host } from './host.ts'
import { Platform } from './platform.ts'
import { templateFor } from './template.ts'
import { beginsAt } from './world.ts'

/** @returns how often a node that has slept so long asks for the time before it has done what is due */
export async function wakeAfter(ms: number): Promise<number> {
  const { template } = await templateFor('sandbox')
  const platform = new Platform(1, beginsAt)
  const beside = () => ({
    sender: { send: () => Promise.reject(new Error('nothing is sent here')), close() {} },
    onFailure(error: Error) {
      throw error
    },
  })
  const host = new Host(platform, { mode: 'sandbox', beside, from: template })
  const chain = new SimulatedChain(() => platform.trueTime, beginsAt)
  platform.connect((...asked) => chain.ask(...asked))
  platform.install()
  try {
    await host.start()
    await platform.rest()
    const before = platform.asked
    platform.pass(ms)
    while (platform.fire()) await platform.rest()
    return platform.asked - before
  } finally {
    host.remove()
    platform.uninstall()
  }
}
