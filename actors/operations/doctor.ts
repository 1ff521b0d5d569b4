/** What usually goes wrong with a node, and what its operator should do about it. */

import { openExceptionCount } from '../../persistence/queries/operations.ts'
import { findAlarms } from '../condition/alarms.ts'
import { defineOperation } from '../foundation/operation.ts'
import { hideCodes } from '../orders/documents.ts'
import type { NodeContext } from './context.ts'
import { checkApprovals } from './doctor-approvals.ts'
import { type DoctorCheck, fine, wrong } from './doctor-check.ts'
import { checkDisk, checkFiles, checkListeners, checkNames, checkProxies } from './doctor-host.ts'
import { checkMail, checkNotifications } from './doctor-notifications.ts'
import {
  checkBackups,
  checkChains,
  checkDrill,
  checkFactors,
  checkKeys,
  checkQuarantined,
  checkRates,
  checkReplication,
  checkSettlement,
  checkTreasuries,
  checkWebhooks,
} from './doctor-state.ts'

export interface DoctorDocument {
  ok: boolean
  checks: DoctorCheck[]
}

export const doctor = defineOperation({
  name: 'doctor',
  summary:
    'Check host, settings, chains, webhooks, mail, keys, people, backups, orders and settlement, and say what to do.',
  fields: {},
  isRead: true,
  forViewers: ({ ok, checks }: DoctorDocument) => ({
    ok,
    checks: checks.map((check) => ({ ...check, detail: hideCodes(check.detail) })),
  }),
  async run(context: NodeContext): Promise<DoctorDocument> {
    const checks = await Promise.all([
      checkCondition(context),
      checkClock(context),
      checkDisk(context),
      checkFiles(context),
      checkListeners(context),
      checkProxies(context),
      checkNames(context),
      checkChains(context),
      checkTreasuries(context),
      checkRates(context),
      checkWebhooks(context),
      checkMail(context),
      checkNotifications(context),
      checkKeys(context),
      checkFactors(context),
      checkApprovals(context),
      checkBackups(context),
      checkDrill(context),
      checkReplication(context),
      checkQuarantined(context),
      checkSettlement(context),
      checkExceptions(context),
      checkAlarms(context),
    ])
    return { ok: checks.every(({ ok }) => ok), checks }
  },
})

async function checkCondition({ condition }: NodeContext): Promise<DoctorCheck> {
  const { reasons } = condition.getSnapshot().context
  const told = Object.entries(reasons).map(([part, reason]) => `${part}: ${reason}`)
  return told.length === 0
    ? fine('node', 'nothing degrades it')
    : wrong('node', told.join(' '), 'Mend what is named; /readyz says the same.')
}

async function checkClock({ clockWatch }: NodeContext): Promise<DoctorCheck> {
  const { state, reason, now } = await clockWatch.show()
  return state === 'trusted'
    ? fine('clock', `it is ${now}`)
    : wrong('clock', reason ?? 'in doubt', 'Set the clock right, then `ventanilla clock accept`.')
}

async function checkExceptions({ store }: NodeContext): Promise<DoctorCheck> {
  const [counted] = await store.query(openExceptionCount, {})
  const open = counted?.open ?? 0
  return open === 0
    ? fine('exceptions', 'none is open')
    : wrong('exceptions', open === 1 ? 'one is open' : `${open} are open`, 'See `ventanilla exception list`.')
}

async function checkAlarms(context: NodeContext): Promise<DoctorCheck> {
  const { alarms } = await findAlarms(context)
  return alarms.length === 0
    ? fine('locks', 'none is old, and no order is given back again and again')
    : wrong('locks', alarms.map(({ message }) => message).join(' '), 'See `ventanilla alarm list`.')
}
