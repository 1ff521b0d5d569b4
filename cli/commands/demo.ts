/** `ventanilla demo`: the whole story, played on a real node with a throw-away database. */
import type { Command } from 'commander'
import { AlreadyTold } from '../../node/exit-codes.ts'
import { addCommand, answer, type CommonOptions } from '../command.ts'
import type { Terminal } from '../terminal.ts'

const noNetworks =
  'Orders that are paid for on a blockchain are played where the sources are: the local chains come with them.'

export function addDemoCommand(terminal: Terminal, program: Command): void {
  const command = addCommand(program, 'demo', {
    summary:
      'Run orders from creation to payment, and the close of the day, on a temporary node; check each step.',
    examples: ['demo', 'demo --json'],
  })
  command.action(async () => {
    const options = command.opts<CommonOptions>()
    // Loaded only here: no other command needs all of the node.
    const { Stage } = await import('../demo/stage.ts')
    const { openWorld } = await import('../demo/world.ts')
    const { playPayOut } = await import('../demo/pay-out.ts')
    const { playPayIn } = await import('../demo/pay-in.ts')
    const { playForeign } = await import('../demo/foreign.ts')
    const { playSettlement } = await import('../demo/settlement.ts')
    const { startLocalNetworks } = await import('../demo/local-networks.ts')
    const isQuiet = options.json === true || options.field !== undefined
    const stage = new Stage(isQuiet ? () => {} : terminal.out)
    stage.say(
      'Ventanilla is a teller’s window: merchants pay out and collect cash through other people’s counters.',
    )
    stage.say(
      'This runs one real node, one merchant and two payment networks, and discards everything at the end.',
    )
    const networks = await startLocalNetworks(terminal)
    try {
      const world = await openWorld(terminal, networks?.settings)
      try {
        await playPayOut(stage, world, terminal)
        await playPayIn(stage, world, terminal)
        if (networks === null) stage.say(`\n${noNetworks}`)
        else await playForeign(stage, world, networks, terminal)
        await playSettlement(stage, world, networks?.chains.size ?? 0)
      } finally {
        await world.close()
      }
    } finally {
      await networks?.close()
    }
    const ok = stage.summary()
    answer(terminal, options, { ok, checks: stage.checks }, '')
    if (!ok) throw new AlreadyTold()
  })
}
