/** `ventanilla erase` */
import type { Command } from 'commander'
import { type ErasureDocument, personalErase } from '../../actors/erasure/operations.ts'
import { addOperationCommand, given } from '../command.ts'
import { table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

interface EraseOptions {
  order?: string
  consumer?: string
  reason: string
}

export function addEraseCommand(terminal: Terminal, program: Command): void {
  addOperationCommand(
    terminal,
    program,
    'erase',
    {
      summary: personalErase.summary,
      examples: [
        'erase --order 01912d5a-0000-7000-8000-000000000000 --reason "request 17"',
        'erase --consumer ana@example.com --reason "request 17"',
      ],
      operation: personalErase,
      input: (_, command) => {
        const { order, consumer, reason } = command.opts<EraseOptions>()
        return { ...given({ order, consumer }), reason }
      },
      show: erasureText,
    },
    (command) =>
      command
        .option('--order <id>', 'the order, by its id or code')
        .option('--consumer <text>', 'all orders with this e-mail address or telephone number')
        .requiredOption('--reason <text>', 'why; kept in the audit log, so name nobody in it'),
  )
}

function erasureText({ erased, before, open }: ErasureDocument): string {
  const told = `Erased: the personal data of ${erased.length} orders.\n`
  const again = before.length === 0 ? '' : `Of ${before.length} orders they had been erased before.\n`
  if (open.length === 0) return told + again
  const left = table(open, [
    { title: 'ORDER', value: (it) => it.order },
    { title: 'STATUS', value: (it) => it.status },
  ])
  return `${told}${again}\nThese have not ended; ask again once they have:\n${left}`
}
