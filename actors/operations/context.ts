/** All that a node gives to its operations. */

import type { RestoreContext } from '../anchors/restore-operations.ts'
import type { ApprovalContext } from '../approvals/operations.ts'
import type { ChainContext } from '../chains/operations.ts'
import type { ClaimContext } from '../claims/fields.ts'
import type { BackupContext } from '../condition/backup-operations.ts'
import type { ClockContext } from '../condition/clock-operations.ts'
import type { DrainContext } from '../condition/drain-operations.ts'
import type { EvidenceContext } from '../evidence/operations.ts'
import type { Surroundings } from '../foundation/surroundings.ts'
import type { MasterKeyFile } from '../keys/master-key.ts'
import type { MailSender } from '../notifications/mail.ts'
import type { SettingContext } from '../notifications/setting.ts'
import type { OrderContext } from '../orders/operations.ts'
import type { ProvisioningContext } from '../provisioning/operations.ts'
import type { BankContext } from '../reconciliation/bank-operation.ts'
import type { SandboxContext } from '../sandbox/operations.ts'
import type { PaymentContext } from '../settlement/anchored.ts'
import type { VerificationContext } from '../verification/operations.ts'
import type { InvitationContext } from './invitations.ts'

export interface NodeContext
  extends OrderContext,
    ChainContext,
    ProvisioningContext,
    ClockContext,
    DrainContext,
    RestoreContext,
    BackupContext,
    PaymentContext,
    BankContext,
    EvidenceContext,
    InvitationContext,
    SettingContext,
    ClaimContext,
    SandboxContext,
    VerificationContext {
  masterKey: MasterKeyFile
  /** As the settings have them. */
  approvals: { expireHours: number }
  /** It works on the database itself: whoever asks has the machine. */
  isDirect?: boolean
  /** What the settings and the host say. */
  surroundings: Surroundings
  /** `null` where no server is set. */
  mail: Pick<MailSender, 'check'> | null
}

/** The same of one that somebody asks for now. */
export interface AskedContext extends NodeContext, ApprovalContext {}
