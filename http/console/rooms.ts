/** Every page, every form and every file of the console, once. */
import type { Role } from '../../actors/foundation/roles.ts'
import { operationsOf } from '../../actors/operations/index.ts'
import { operationAction } from './forms.ts'
import type { Section } from './layout.ts'
import { listActions } from './list-tools.ts'
import type { Action, Page, PageRequest, RoomName } from './page.ts'
import { accountActions, accountPage } from './pages/account.ts'
import { adjustmentActions, adjustmentsPage } from './pages/adjustments.ts'
import { approvalPage } from './pages/approval.ts'
import { approvalsPage } from './pages/approvals.ts'
import { archivedPage } from './pages/archived.ts'
import { backupActions } from './pages/backups.ts'
import { bankActions, bankPage } from './pages/bank.ts'
import { bankStatementPage } from './pages/bank-statement.ts'
import { calendarActions, calendarsPage } from './pages/calendars.ts'
import { claimActions, claimPage } from './pages/claim.ts'
import { claimOpenActions, claimOpenPage } from './pages/claim-open.ts'
import { claimsPage } from './pages/claims.ts'
import { conversionActions, conversionsPage } from './pages/conversions.ts'
import { erasureActions } from './pages/erasure.ts'
import { exceptionActions, exceptionPage, exceptionsPage } from './pages/exceptions.ts'
import { authenticatorPage, factorActions, mustEnrolPage, passkeyPage } from './pages/factors.ts'
import { inspectorPage, machinePage, replayPage } from './pages/inspector.ts'
import { auditPage, healthPage, nodeActions, ratesPage, settingsPage } from './pages/node.ts'
import { notificationActions, notificationPage, notificationsPage } from './pages/notifications.ts'
import { operatorActions, operatorsPage } from './pages/operators.ts'
import { orderPage } from './pages/order.ts'
import { orderActions } from './pages/order-changes.ts'
import { evidenceAction } from './pages/order-evidence.ts'
import { ordersPage } from './pages/orders.ts'
import { overviewPage } from './pages/overview.ts'
import { merchantPage, partiesPage, providerPage } from './pages/parties.ts'
import { partyActions } from './pages/party-actions.ts'
import { paymentActions, paymentPage } from './pages/payment.ts'
import { paymentsActions, paymentsPage, runFile } from './pages/payments.ts'
import { provisioningActions } from './pages/provisioning.ts'
import { quarantinedPage } from './pages/quarantined.ts'
import { queuePage } from './pages/queue.ts'
import { ratePage } from './pages/rate.ts'
import { reconciliationActions, reconciliationPage } from './pages/reconciliation.ts'
import { reconciliationDayPage } from './pages/reconciliation-day.ts'
import { refundActions } from './pages/refund.ts'
import { reportActions, reportPage } from './pages/report.ts'
import { rescanActions } from './pages/rescan.ts'
import { integrationPage, sandboxActions, sandboxPage } from './pages/sandbox.ts'
import { deliveriesPage, inboxPage } from './pages/sandbox-receivers.ts'
import { requestsPage } from './pages/sandbox-requests.ts'
import { searchActions, searchPage } from './pages/search.ts'
import { settlementActions, settlementPage } from './pages/settlement.ts'
import { statementPage } from './pages/statement.ts'
import { statementJson, statementTable } from './pages/statement-files.ts'
import { statementPrint } from './pages/statement-print.ts'
import { statementsPage } from './pages/statements.ts'
import { sweepActions } from './pages/sweep.ts'
import { termsPage } from './pages/terms.ts'
import { webhookPage, webhooksPage } from './pages/webhooks.ts'
import { withdrawalActions } from './pages/withdrawal.ts'

export type { RoomName }

interface Room {
  name: RoomName
  href: string
  section: Section
  least: Role
  /** What waits there for a person. */
  counted?: 'exceptions' | 'approvals'
  isSandboxOnly?: true
}

/** The navigation, section by section. */
export const rooms: readonly Room[] = [
  { name: 'Overview', href: '/', section: 'daily', least: 'viewer' },
  { name: 'Orders', href: '/orders', section: 'daily', least: 'viewer' },
  { name: 'Exceptions', href: '/exceptions', section: 'daily', least: 'viewer', counted: 'exceptions' },
  { name: 'Approvals', href: '/approvals', section: 'daily', least: 'viewer', counted: 'approvals' },
  { name: 'Settlement', href: '/settlement', section: 'money', least: 'viewer' },
  { name: 'Payments', href: '/payments', section: 'money', least: 'viewer' },
  { name: 'Reconciliation', href: '/reconciliation', section: 'money', least: 'viewer' },
  { name: 'Rates', href: '/rates', section: 'money', least: 'viewer' },
  { name: 'Parties', href: '/parties', section: 'integration', least: 'viewer' },
  { name: 'Webhooks', href: '/webhooks', section: 'integration', least: 'viewer' },
  { name: 'Sandbox', href: '/sandbox', section: 'integration', least: 'viewer', isSandboxOnly: true },
  { name: 'Health', href: '/health', section: 'node', least: 'viewer' },
  { name: 'Notifications', href: '/notifications', section: 'node', least: 'operator' },
  { name: 'Audit', href: '/audit', section: 'node', least: 'operator' },
  { name: 'Operators', href: '/operators', section: 'node', least: 'administrator' },
  { name: 'Settings', href: '/settings', section: 'node', least: 'administrator' },
]

export const pages: readonly Page[] = [
  overviewPage,
  ordersPage,
  orderPage,
  archivedPage,
  quarantinedPage,
  exceptionsPage,
  exceptionPage,
  webhooksPage,
  webhookPage,
  partiesPage,
  merchantPage,
  providerPage,
  termsPage,
  calendarsPage,
  settlementPage,
  statementsPage,
  statementPage,
  paymentsPage,
  paymentPage,
  bankPage,
  bankStatementPage,
  adjustmentsPage,
  conversionsPage,
  reconciliationPage,
  reconciliationDayPage,
  approvalsPage,
  approvalPage,
  claimsPage,
  claimOpenPage,
  claimPage,
  reportPage,
  ratesPage,
  ratePage,
  healthPage,
  queuePage,
  notificationsPage,
  notificationPage,
  auditPage,
  operatorsPage,
  settingsPage,
  accountPage,
  mustEnrolPage,
  passkeyPage,
  authenticatorPage,
  searchPage,
  sandboxPage,
  integrationPage,
  deliveriesPage,
  inboxPage,
  requestsPage,
  inspectorPage,
  machinePage,
  replayPage,
]

/** Those that say more of what was done than the operation does. */
const telling: readonly Action[] = [
  ...listActions,
  ...searchActions,
  ...orderActions,
  evidenceAction,
  ...erasureActions,
  ...refundActions,
  ...partyActions,
  ...sweepActions,
  ...provisioningActions,
  ...calendarActions,
  ...settlementActions,
  ...withdrawalActions,
  ...paymentsActions,
  ...paymentActions,
  ...bankActions,
  ...adjustmentActions,
  ...conversionActions,
  ...reconciliationActions,
  ...reportActions,
  ...exceptionActions,
  ...claimOpenActions,
  ...claimActions,
  ...sandboxActions,
  ...nodeActions,
  ...rescanActions,
  ...backupActions,
  ...notificationActions,
  ...operatorActions,
  ...accountActions,
  ...factorActions,
]

/** Of the operations that say what was done, and need no more. */
const others = operationsOf('sandbox')
  .filter(({ done }) => done !== undefined)
  .map((operation) => operationAction(operation))
  .filter(({ path }) => !telling.some((action) => action.path === path))

export const actions: readonly Action[] = [...telling, ...others]

export const downloads: readonly {
  path: string
  name: string | ((query: URLSearchParams) => string)
  type: string
  /** A page of its own, without the console around it. */
  isShown?: boolean
  /** What is wrong with the request is thrown before the first part. */
  read(request: PageRequest): AsyncGenerator<string>
}[] = [runFile, statementTable, statementJson, statementPrint]
