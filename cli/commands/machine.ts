/** `ventanilla machine …` */
import { type Command, Option } from 'commander'
import { machineDocuments } from '../../actors/inspection/operations.ts'
import { readDrawings } from '../../node/drawings.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import { addCommand, addGroup, answer, type CommonOptions } from '../command.ts'
import { table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

interface DrawOptions extends CommonOptions {
  format: 'svg' | 'mermaid'
}

/** Of the program itself: neither a node nor a database has a part in it. */
export function addMachineCommands(terminal: Terminal, program: Command): void {
  const machine = addGroup(program, 'machine', 'Look at the state charts of orders.')
  addCommand(machine, 'list', {
    summary: 'List the charts, with their versions and events.',
    examples: ['machine list', 'machine list --json'],
  }).action((options: CommonOptions) => {
    const machines = machineDocuments()
    const text = table(machines, [
      { title: 'NAME', value: (it) => it.name },
      { title: 'VERSION', value: (it) => (it.version === null ? null : String(it.version)), right: true },
      { title: 'STATES', value: (it) => String(it.states.length), right: true },
      { title: 'EVENTS', value: (it) => it.events.join(' ') },
    ])
    answer(terminal, options, { machines }, text)
  })
  addCommand(machine, 'draw <name>', {
    summary: 'Print a chart as SVG or Mermaid.',
    examples: ['machine draw payOutLocal > pay-out.svg', 'machine draw payIn --format mermaid'],
  })
    .addOption(new Option('--format <format>', 'svg or mermaid').choices(['svg', 'mermaid']).default('svg'))
    .action((name: string, options: DrawOptions) => {
      const drawings = readDrawings(options.format)
      const drawing = drawings.get(name)
      if (drawing === undefined) {
        const hint = `There are ${[...drawings.keys()].join(', ')}.`
        throw new CommandError(exitCodes.usage, `There is no chart ${name}.`, hint)
      }
      answer(terminal, options, { name, format: options.format, drawing }, drawing)
    })
}
