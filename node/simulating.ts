/** What this node has in a sandbox alone: in production there is none of it. */
import { depositAdd } from '../actors/operations/deposits.ts'
import { createSandboxParts, type SandboxParts, type SandboxPartsOptions } from '../actors/sandbox/parts.ts'
import { createSimulating, type Simulate, type SimulatingOptions } from '../actors/sandbox/simulating.ts'
import { partyById } from '../persistence/queries/parties.ts'
import type { Settings } from './settings/config.ts'

export function sandboxOf({ mode }: Settings, options: SandboxPartsOptions): SandboxParts | null {
  return mode === 'sandbox' ? createSandboxParts(options) : null
}

export function simulatingOf(
  { mode }: Settings,
  { journalKey, ...parts }: Omit<SimulatingOptions, 'addDeposit'> & { journalKey: string },
): Simulate | null {
  if (mode !== 'sandbox') return null
  const { store, clock } = parts
  return createSimulating({
    ...parts,
    async addDeposit({ merchantId, ...deposit }) {
      const [merchant] = await store.query(partyById, { id: merchantId })
      if (merchant === undefined) throw new Error(`There is no merchant ${merchantId}.`)
      const context = { store, clock, journalKey, operator: 'sandbox' }
      await depositAdd.run(context, { merchant: merchant.name, reason: 'A simulation.', ...deposit })
    },
  })
}
