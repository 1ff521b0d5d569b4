/** Migrations in order, forward only; each is one transaction's worth of definitions for each engine. */

import { foundation } from './0001-foundation.ts'
import { foreignCurrency } from './0002-foreign-currency.ts'
import { operators } from './0003-operators.ts'
import { housekeeping } from './0004-housekeeping.ts'
import { namedDeposits } from './0005-named-deposits.ts'
import { rateDoubts } from './0006-rate-doubts.ts'
import { messages } from './0007-messages.ts'
import { treasuries } from './0008-treasuries.ts'
import { quarantine } from './0009-quarantine.ts'
import { formerOutflows } from './0010-former-outflows.ts'
import { terms } from './0011-terms.ts'
import { postingDays } from './0012-posting-days.ts'
import { statements } from './0013-statements.ts'
import { orderFees } from './0014-order-fees.ts'
import { refunds } from './0015-refunds.ts'
import { payments } from './0016-payments.ts'
import { anchoredPayments } from './0017-anchored-payments.ts'
import { adjustments } from './0018-adjustments.ts'
import { conversions } from './0019-conversions.ts'
import { exchangePairs } from './0020-exchange-pairs.ts'
import { depositBanks } from './0021-deposit-banks.ts'
import { statementSums } from './0022-statement-sums.ts'
import { paymentRests } from './0023-payment-rests.ts'
import { networkReferences } from './0024-network-references.ts'
import { search } from './0025-search.ts'
import { reconciliation } from './0026-reconciliation.ts'
import { sentReports } from './0027-sent-reports.ts'
import { operatorLanguages } from './0028-operator-languages.ts'
import { orderCounters } from './0029-order-counters.ts'
import { people } from './0030-people.ts'
import { notifications } from './0031-notifications.ts'
import { claims } from './0032-claims.ts'
import { operatorLists } from './0033-operator-lists.ts'
import { claimedCash } from './0034-claimed-cash.ts'
import { claimedRefunds } from './0035-claimed-refunds.ts'
import { anchoredClaims } from './0036-anchored-claims.ts'
import { claimsOfParties } from './0037-claims-of-parties.ts'
import { standardWebhooks } from './0038-standard-webhooks.ts'
import { reportRules } from './0039-report-rules.ts'
import { telephoneNumbers } from './0040-telephone-numbers.ts'
import { statementColumns } from './0041-statement-columns.ts'
import { exceptionsByKind } from './0042-exceptions-by-kind.ts'
import { simulations } from './0043-simulations.ts'
import { approvals } from './0044-approvals.ts'
import { peopleRevisions } from './0045-people-revisions.ts'
import { mailedInvitations } from './0046-mailed-invitations.ts'
import { sandboxReceivers } from './0047-sandbox-receivers.ts'
import { approvers } from './0048-approvers.ts'
import { exceptionsByOrder } from './0049-exceptions-by-order.ts'
import { changedAccounts } from './0050-changed-accounts.ts'
import { auditDays } from './0051-audit-days.ts'
import type { Migration } from './migration.ts'

export type { Migration }

export const migrations: readonly Migration[] = [
  foundation,
  foreignCurrency,
  operators,
  housekeeping,
  namedDeposits,
  rateDoubts,
  messages,
  treasuries,
  quarantine,
  formerOutflows,
  terms,
  postingDays,
  statements,
  orderFees,
  refunds,
  payments,
  anchoredPayments,
  adjustments,
  conversions,
  exchangePairs,
  depositBanks,
  statementSums,
  paymentRests,
  networkReferences,
  search,
  reconciliation,
  sentReports,
  operatorLanguages,
  orderCounters,
  people,
  notifications,
  claims,
  operatorLists,
  claimedCash,
  claimedRefunds,
  anchoredClaims,
  claimsOfParties,
  standardWebhooks,
  reportRules,
  telephoneNumbers,
  statementColumns,
  exceptionsByKind,
  simulations,
  approvals,
  peopleRevisions,
  mailedInvitations,
  sandboxReceivers,
  approvers,
  exceptionsByOrder,
  changedAccounts,
  auditDays,
]
