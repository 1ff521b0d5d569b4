/** What an operator should look at before it is a bad day. */
import { type Alarms, findAlarms } from '../condition/alarms.ts'
import type { Operation } from '../foundation/operation.ts'
import { hideCodes } from '../orders/documents.ts'

export const alarmList: Operation<Record<string, never>, Alarms> = {
  name: 'alarm.list',
  summary:
    'List orders held too long or given back too often, providers that hold too many, rates in doubt, and chains that are ' +
    'not read on.',
  input: { type: 'object', additionalProperties: false },
  isRead: true,
  forViewers: ({ alarms, more }) => ({
    alarms: alarms.map((alarm) => ({ ...alarm, message: hideCodes(alarm.message) })),
    more,
  }),
  run: (context) => findAlarms(context),
}
