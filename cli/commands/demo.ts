/** `ventanilla demo`: the whole story, played on a real node with a throw-away database. */
import type { Command } from 'commander'
import { addCommand, answer, type CommonOptions } from '../command.ts'
import { AlreadyTold } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'

export function addDemoCommand(terminal: Terminal, program: Command): void {
  const command = addCommand(program, 'demo', {
    summary: 'Play the story of an order on a throw-away node, and check each step.',
    examples: ['demo', 'demo --json'],
  })
  command.action(async () => {
    const options = command.opts<CommonOptions>()
    // Loaded only here: no other command needs all of the node.
    const { Stage } = await import('../demo/stage.ts')
    const { openWorld } = await import('../demo/world.ts')
    const { playPayOut } = await import('../demo/pay-out.ts')
    const { playPayIn } = await import('../demo/pay-in.ts')
    const isQuiet = options.json === true || options.field !== undefined
    const stage = new Stage(isQuiet ? () => {} : terminal.out)
    stage.say(
      'Ventanilla is a teller’s window: a shop pays out and takes in cash through other people’s counters.',
    )
    stage.say('This plays it with a real node, a real shop and two payment networks, and throws all away.')
    const world = await openWorld(terminal)
    try {
      await playPayOut(stage, world, terminal)
      await playPayIn(stage, world, terminal)
    } finally {
      await world.close()
    }
    const ok = stage.summary()
    answer(terminal, options, { ok, checks: stage.checks }, '')
    if (!ok) throw new AlreadyTold()
  })
}
