/** `ventanilla record …` */
import type { Command } from 'commander'
import type { Hit } from '../../actors/search/hits.ts'
import { type Found, recordFind } from '../../actors/search/operations.ts'
import { addGroup, addOperationCommand } from '../command.ts'
import { shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addRecordCommands(terminal: Terminal, program: Command): void {
  const record = addGroup(program, 'record', 'Find anything by what you have in hand.')
  addOperationCommand(terminal, record, { operation: recordFind, show: foundText })
}

function foundText({ hits, more }: Found): string {
  if (hits.length === 0) return 'Nothing was found.\n'
  const rest = more ? 'There are more: write more of it.\n' : ''
  return foundTable(hits) + rest
}

function foundTable(hits: readonly Hit[]): string {
  return table(hits, [
    { title: 'WHAT', value: ({ kind }) => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) },
    { title: 'ID', value: ({ id }) => id },
    { title: 'STATE', value: ({ state }) => state },
    { title: 'AMOUNT', value: ({ amount, currency }) => amount && `${amount} ${currency}`, right: true },
    { title: 'PARTY', value: ({ party }) => party?.name ?? null },
    { title: 'AT', value: ({ at }) => at && shortTime(at) },
    { title: 'NOTE', value: ({ note }) => note },
  ])
}
