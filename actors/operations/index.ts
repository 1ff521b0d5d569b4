/** Every operation of a node, once. */

import { nodeAcceptRestore, nodeShowRestore } from '../anchors/restore-operations.ts'
import {
  approvalApprove,
  approvalCarryOut,
  approvalList,
  approvalRefuse,
  approvalShow,
  approvalWithdraw,
} from '../approvals/operations.ts'
import { approvalRemoveThreshold, approvalSetThreshold, approvalThresholds } from '../approvals/thresholds.ts'
import { archiveShow } from '../archive/operations.ts'
import { chainLag } from '../chains/operations.ts'
import { chainRescan } from '../chains/rescan-operation.ts'
import {
  claimAccept,
  claimList,
  claimOpen,
  claimReject,
  claimShow,
  claimUphold,
} from '../claims/operations.ts'
import { claimAddEvidence, claimAnswer, claimEvidence, claimWithdraw } from '../claims/telling-operations.ts'
import { backupDrill, backupList, backupMake } from '../condition/backup-operations.ts'
import { clockAccept, clockShow } from '../condition/clock-operations.ts'
import { nodeDrain, nodeShow, nodeUndrain } from '../condition/drain-operations.ts'
import { personalErase } from '../erasure/operations.ts'
import { evidenceKey, evidenceRotate, orderEvidence } from '../evidence/operations.ts'
import { auditList } from '../foundation/audit.ts'
import type { Operation } from '../foundation/operation.ts'
import { journalList, machineList, orderReplay } from '../inspection/operations.ts'
import { notificationApply } from '../notifications/apply-operation.ts'
import {
  notificationEvents,
  notificationList,
  notificationRetry,
  notificationShow,
  notificationTest,
} from '../notifications/operations.ts'
import {
  notificationChannelList,
  notificationChannelRemove,
  notificationChannelSet,
  notificationRuleList,
  notificationRuleRemove,
  notificationRuleSet,
} from '../notifications/rule-operations.ts'
import { orderChanges } from '../orders/change-operations.ts'
import { orderList } from '../orders/list-operations.ts'
import { orderShow } from '../orders/operations.ts'
import { orderClear, orderQuarantined } from '../orders/quarantine-operations.ts'
import { orderCancelAll } from '../orders/sweep-operations.ts'
import { merchantList, merchantShow } from '../parties/merchants.ts'
import { partyFreeze, partyUnfreeze } from '../parties/operations.ts'
import { providerList, providerShow } from '../parties/providers.ts'
import { operatorResetFactors } from '../people/factor-operations.ts'
import { operatorSet, operatorSetOwn } from '../people/language-operations.ts'
import { listRemoveFilter, listSaveFilter, listSetColumns, listShow } from '../people/lists.ts'
import {
  operatorAdd,
  operatorChange,
  operatorDisable,
  operatorEnable,
  operatorList,
  operatorPassword,
  operatorReset,
} from '../people/operations.ts'
import { sessionEnd, sessionList } from '../people/session-operations.ts'
import { apply } from '../provisioning/operations.ts'
import {
  termsSetCommission,
  termsSetExposure,
  termsSetFee,
  termsSetNetwork,
  termsSetSettlement,
} from '../provisioning/terms-operations.ts'
import { rateAccept } from '../rates/accept-operation.ts'
import { rateList, rateShow } from '../rates/operations.ts'
import {
  reconciliationBank,
  reconciliationBankProgress,
  reconciliationBook,
} from '../reconciliation/bank-operation.ts'
import { reconciliationDay, reconciliationDays } from '../reconciliation/day-operations.ts'
import {
  reconciliationApply,
  reconciliationProgress,
  reconciliationRead,
} from '../reconciliation/operations.ts'
import { exceptionList, exceptionResolve, exceptionShow } from '../resolutions/operations.ts'
import { exceptionRefund } from '../resolutions/refund-operations.ts'
import { sandboxClockAdvance, sandboxClockReset, sandboxClockShow } from '../sandbox/clock-operations.ts'
import { sandboxSimulate } from '../sandbox/operations.ts'
import { sandboxGoLive, sandboxRequests } from '../sandbox/party-operations.ts'
import {
  sandboxDeliveries,
  sandboxFaults,
  sandboxInbox,
  sandboxRemoveFault,
  sandboxSetFault,
} from '../sandbox/receiver-operations.ts'
import { sandboxSampleReport, sandboxSampleStatement } from '../sandbox/sample-operations.ts'
import { recordFind } from '../search/operations.ts'
import { adjustmentList, adjustmentRecord } from '../settlement/adjustment-operations.ts'
import { bankList, bankRecord } from '../settlement/bank-entries.ts'
import { conversionList, conversionRecord, conversionSell } from '../settlement/conversion-operations.ts'
import { paymentList } from '../settlement/payment-list.ts'
import {
  paymentBook,
  paymentIdentify,
  paymentOrder,
  paymentReceive,
  paymentReturn,
  paymentSent,
  paymentShow,
} from '../settlement/payment-operations.ts'
import { paymentDue, paymentExport, paymentFile, paymentOutstanding } from '../settlement/runs.ts'
import { statementExport } from '../settlement/statement-export.ts'
import {
  settlementResume,
  statementClose,
  statementList,
  statementShow,
} from '../settlement/statement-operations.ts'
import { settlementToday } from '../settlement/today.ts'
import { withdrawalRequest } from '../settlement/withdrawal-operations.ts'
import { calendarImport, calendarList } from '../terms/calendar-operations.ts'
import { termsShow } from '../terms/operations.ts'
import { verify, verifyProgress } from '../verification/operations.ts'
import {
  webhookPause,
  webhookResume,
  webhookRetry,
  webhookSwitchKey,
} from '../webhooks/delivery-operations.ts'
import { webhookList, webhookShow } from '../webhooks/operations.ts'
import { alarmList } from './alarms.ts'
import type { AskedContext } from './context.ts'
import { credentialExplain, credentialSign } from './credentials.ts'
import { depositAdd, depositReverse } from './deposits.ts'
import { doctor } from './doctor.ts'
import { operatorInvite, operatorUninvite } from './invitations.ts'
import { keyList, keyRevoke, keyRotate } from './keys.ts'
import { attention, overview } from './overview.ts'
import { queueList } from './queue.ts'
import { keyRewrap } from './re-encryption.ts'
import { webhookDropSecret, webhookRotateSecret } from './webhook-secrets.ts'

/** Its input has to pass its schema before it is run. */
export type AnyOperation = Operation<unknown, unknown, AskedContext>

const everywhere = [
  apply,
  recordFind,
  orderList,
  orderShow,
  archiveShow,
  ...orderChanges,
  listShow,
  listSetColumns,
  listSaveFilter,
  listRemoveFilter,
  orderCancelAll,
  orderQuarantined,
  orderClear,
  orderEvidence,
  evidenceKey,
  evidenceRotate,
  reconciliationRead,
  reconciliationApply,
  reconciliationProgress,
  reconciliationBank,
  reconciliationBankProgress,
  reconciliationBook,
  reconciliationDays,
  reconciliationDay,
  approvalList,
  approvalShow,
  approvalApprove,
  approvalRefuse,
  approvalWithdraw,
  approvalCarryOut,
  approvalThresholds,
  approvalSetThreshold,
  approvalRemoveThreshold,
  claimOpen,
  claimList,
  claimShow,
  claimAnswer,
  claimAddEvidence,
  claimEvidence,
  claimAccept,
  claimUphold,
  claimReject,
  claimWithdraw,
  partyFreeze,
  partyUnfreeze,
  merchantList,
  merchantShow,
  providerList,
  providerShow,
  termsShow,
  termsSetFee,
  termsSetCommission,
  termsSetSettlement,
  termsSetExposure,
  termsSetNetwork,
  calendarList,
  calendarImport,
  rateList,
  rateShow,
  rateAccept,
  webhookList,
  webhookShow,
  webhookRetry,
  webhookPause,
  webhookResume,
  webhookSwitchKey,
  webhookRotateSecret,
  webhookDropSecret,
  notificationList,
  notificationShow,
  notificationRetry,
  notificationTest,
  notificationEvents,
  notificationApply,
  notificationChannelList,
  notificationChannelSet,
  notificationChannelRemove,
  notificationRuleList,
  notificationRuleSet,
  notificationRuleRemove,
  exceptionList,
  exceptionShow,
  exceptionResolve,
  exceptionRefund,
  depositAdd,
  depositReverse,
  paymentDue,
  paymentOutstanding,
  paymentFile,
  paymentOrder,
  paymentSent,
  paymentBook,
  paymentReturn,
  paymentReceive,
  paymentIdentify,
  paymentExport,
  paymentList,
  paymentShow,
  bankRecord,
  bankList,
  adjustmentRecord,
  adjustmentList,
  conversionRecord,
  conversionSell,
  conversionList,
  keyList,
  keyRotate,
  keyRevoke,
  keyRewrap,
  clockShow,
  clockAccept,
  nodeShow,
  nodeDrain,
  nodeUndrain,
  nodeShowRestore,
  nodeAcceptRestore,
  personalErase,
  chainLag,
  chainRescan,
  overview,
  attention,
  machineList,
  orderReplay,
  journalList,
  queueList,
  alarmList,
  operatorList,
  operatorAdd,
  operatorChange,
  operatorDisable,
  operatorEnable,
  operatorReset,
  operatorPassword,
  operatorSet,
  operatorSetOwn,
  operatorInvite,
  operatorUninvite,
  operatorResetFactors,
  sessionList,
  sessionEnd,
  auditList,
  settlementToday,
  statementList,
  statementShow,
  statementExport,
  statementClose,
  settlementResume,
  withdrawalRequest,
  verify,
  verifyProgress,
  doctor,
  backupList,
  backupMake,
  backupDrill,
] as const satisfies readonly AnyOperation[]

const sandboxOnly = [
  credentialSign,
  credentialExplain,
  sandboxSimulate,
  sandboxGoLive,
  sandboxRequests,
  sandboxFaults,
  sandboxSetFault,
  sandboxRemoveFault,
  sandboxDeliveries,
  sandboxInbox,
  sandboxSampleReport,
  sandboxSampleStatement,
  sandboxClockShow,
  sandboxClockAdvance,
  sandboxClockReset,
] as const satisfies readonly AnyOperation[]

/** Of every operation there is. */
export type OperationName = (typeof everywhere | typeof sandboxOnly)[number]['name']

/** Of what there is in sandboxes alone. */
export const sandboxNames: ReadonlySet<string> = new Set(sandboxOnly.map(({ name }) => name))

export function operationsOf(mode: 'sandbox' | 'production'): readonly AnyOperation[] {
  return mode === 'sandbox' ? [...everywhere, ...sandboxOnly] : everywhere
}
