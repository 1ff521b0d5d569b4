/** What holds in the database, and what an operator should do about the node. */
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openExceptionCount, webhookCounts } from '../../persistence/queries/operations.ts'
import { findAlarms } from '../alarms.ts'
import type { VerifyProgress } from '../verification/verifier.ts'
import type { Verification } from '../verification/verify.ts'
import type { Operation, OperationContext } from './operation.ts'
import { hideCodes } from './order-documents.ts'

const nothing = { type: 'object', additionalProperties: false } as const

export const verify: Operation<Record<string, never>, Verification> = {
  name: 'verify',
  summary: 'Check everything that has to hold in the database, while the node serves.',
  input: nothing,
  isRead: true,
  role: 'operator',
  run: ({ verification }) => verification.verify(),
}

export const verifyProgress: Operation<Record<string, never>, VerifyProgress> = {
  name: 'verify.progress',
  summary: 'Say how far a verification has come.',
  input: nothing,
  isRead: true,
  run: async ({ verification }) => verification.progress(),
}

export interface DoctorCheck {
  name: string
  ok: boolean
  detail: string
  /** What to do; `null` when nothing is to be done. */
  action: string | null
}

export interface DoctorDocument {
  ok: boolean
  checks: DoctorCheck[]
}

/** Below this a disk is full soon. */
const leastFreeBytes = 512 * 1024 * 1024

export const doctor: Operation<Record<string, never>, DoctorDocument> = {
  name: 'doctor',
  summary: 'Look at disk, clock, exceptions, webhooks and locks, and say what to do.',
  input: nothing,
  isRead: true,
  forViewers: ({ ok, checks }) => ({
    ok,
    checks: checks.map((check) => ({ ...check, detail: hideCodes(check.detail) })),
  }),
  async run(context) {
    const checks = await Promise.all([
      checkCondition(context),
      checkClock(context),
      checkDisk(context),
      checkExceptions(context),
      checkWebhooks(context),
      checkAlarms(context),
    ])
    return { ok: checks.every(({ ok }) => ok), checks }
  },
}

function fine(name: string, detail: string): DoctorCheck {
  return { name, ok: true, detail, action: null }
}

function wrong(name: string, detail: string, action: string): DoctorCheck {
  return { name, ok: false, detail, action }
}

async function checkCondition({ condition }: OperationContext): Promise<DoctorCheck> {
  const { reasons } = condition.getSnapshot().context
  const told = Object.entries(reasons).map(([part, reason]) => `${part}: ${reason}`)
  return told.length === 0
    ? fine('node', 'nothing degrades it')
    : wrong('node', told.join(' '), 'Mend what is named; /readyz says the same.')
}

async function checkClock({ clockWatch }: OperationContext): Promise<DoctorCheck> {
  const { state, reason, now } = await clockWatch.show()
  return state === 'trusted'
    ? fine('clock', `it is ${now}`)
    : wrong('clock', reason ?? 'in doubt', 'Set the clock right, then `ventanilla clock accept`.')
}

async function checkDisk({ verification }: OperationContext): Promise<DoctorCheck> {
  const { file } = verification
  if (file === null) return fine('disk', 'the database is on a server of its own')
  const { bavail, bsize } = await statfs(dirname(file))
  const free = bavail * bsize
  const detail = `${Math.floor(free / 1024 / 1024).toLocaleString('en')} MiB are free where ${file} lies`
  return free >= leastFreeBytes
    ? fine('disk', detail)
    : wrong('disk', detail, 'Make room: new orders are refused on a full disk.')
}

async function checkExceptions({ store }: OperationContext): Promise<DoctorCheck> {
  const [counted] = await store.query(openExceptionCount, {})
  const open = counted?.open ?? 0
  return open === 0
    ? fine('exceptions', 'none is open')
    : wrong('exceptions', `${open} wait for a person`, 'See `ventanilla exception list`.')
}

async function checkWebhooks({ store }: OperationContext): Promise<DoctorCheck> {
  const counts = new Map((await store.query(webhookCounts, {})).map(({ state, count }) => [state, count]))
  const pending = counts.get('pending') ?? 0
  const dead = counts.get('dead') ?? 0
  const detail = `${pending} wait to be delivered, ${dead} are dead letters`
  const action = 'See `ventanilla webhook list --state dead`, and tell the merchants.'
  return dead === 0 ? fine('webhooks', detail) : wrong('webhooks', detail, action)
}

async function checkAlarms(context: OperationContext): Promise<DoctorCheck> {
  const { alarms } = await findAlarms(context)
  return alarms.length === 0
    ? fine('locks', 'none is old, and no order is given back again and again')
    : wrong('locks', alarms.map(({ message }) => message).join(' '), 'See `ventanilla alarm list`.')
}
