/** `ventanilla alarm …` and `ventanilla audit …` */
import type { Command } from 'commander'
import { auditList } from '../../actors/foundation/audit.ts'
import { alarmList } from '../../actors/operations/alarms.ts'
import { addGroup, addOperationCommand, more } from '../command.ts'
import { shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addAlarmCommands(terminal: Terminal, program: Command): void {
  const alarm = addGroup(program, 'alarm', 'Look at early warnings.')
  addOperationCommand(terminal, alarm, {
    operation: alarmList,
    examples: ['alarm list', 'alarm list --json'],
    show: ({ alarms, more: isMore }) => {
      if (alarms.length === 0) return 'No alarms.\n'
      const rows = table(alarms, [
        { title: 'KIND', value: (it) => it.kind },
        { title: 'SINCE', value: (it) => shortTime(it.since) },
        { title: 'ORDER', value: (it) => it.order },
        { title: 'WHAT', value: (it) => it.message },
      ])
      return isMore ? `${rows}\nThere are more.\n` : rows
    },
  })
}

export function addAuditCommands(terminal: Terminal, program: Command): void {
  const audit = addGroup(program, 'audit', 'Look at what operators did.')
  addOperationCommand(terminal, audit, {
    operation: auditList,
    examples: ['audit list', 'audit list --operation order.cancel', 'audit list --operator ana --limit 20'],
    show: ({ entries, next }) => {
      if (entries.length === 0) return 'Nothing yet.\n'
      const rows = table(entries, [
        { title: 'AT', value: (it) => shortTime(it.at) },
        { title: 'OPERATOR', value: (it) => it.operator },
        { title: 'OPERATION', value: (it) => it.operation },
        { title: 'OUTCOME', value: (it) => it.outcome },
        { title: 'ASKED', value: (it) => shortened(JSON.stringify(it.input)) },
      ])
      return rows + more(next)
    },
  })
}

/** A file that was applied can be long; `--json` has all of it. */
function shortened(text: string): string {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text
}
