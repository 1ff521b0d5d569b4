/** `ventanilla erase` */
import type { Command } from 'commander'
import { type ErasureDocument, personalErase } from '../../actors/erasure/operations.ts'
import { addOperationCommand } from '../command.ts'
import { table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addEraseCommand(terminal: Terminal, program: Command): void {
  addOperationCommand(terminal, program, {
    operation: personalErase,
    examples: [
      'erase --order 01912d5a-0000-7000-8000-000000000000 --reason "request 17"',
      'erase --consumer ana@example.com --reason "request 17"',
    ],
    show: erasureText,
  })
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
