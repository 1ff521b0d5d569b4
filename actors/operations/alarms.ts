/** What an operator should look at before it is a bad day. */
import { type Alarms, findAlarms } from '../condition/alarms.ts'
import { defineOperation } from '../foundation/operation.ts'
import { hideCodes } from '../orders/documents.ts'

export const alarmList = defineOperation({
  name: 'alarm.list',
  summary:
    'List orders held too long or released too often, providers that hold too many or owe nearly what they may, rates in doubt, and chains that ' +
    'cannot be read.',
  fields: {},
  isRead: true,
  forViewers: ({ alarms, more }: Alarms) => ({
    alarms: alarms.map((alarm) => ({ ...alarm, message: hideCodes(alarm.message) })),
    more,
  }),
  run: (context): Promise<Alarms> => findAlarms(context),
})
