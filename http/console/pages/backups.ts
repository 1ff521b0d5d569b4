/** Backups on the page of the node's health: the newest, and one more now. */
import { setTimeout as sleep } from 'node:timers/promises'
import { backupList, backupMake } from '../../../actors/condition/backup-operations.ts'
import type { Block } from '../blocks.ts'
import { code, time } from '../cells.ts'
import { formPath, operationForm } from '../forms.ts'
import type { Action, Done, PageRequest } from '../page.ts'
import { age } from '../readable.ts'
import type { Texts } from '../texts/index.ts'

/** A small database is copied in less; whoever has a large one watches its progress on the page. */
const patienceMs = 3_000

export async function backupBlocks(request: PageRequest): Promise<Block[]> {
  const { ask, may } = request
  if (!may(backupList)) return []
  const { folder, running, backups } = await ask(backupList, {})
  const told =
    running === null
      ? []
      : [(texts: Texts) => texts.backups.aBackupHasBeenRunning(running.since, running.told)]
  const where =
    folder === null
      ? (texts: Texts) => texts.backups.noBackupFolderIsConfigured
      : (texts: Texts) => texts.backups.theNodeMakesThemIn(folder)
  const blocks: Block[] = [
    { kind: 'heading', text: (texts) => texts.backups.backups },
    ...[where, ...told].map((text) => ({ kind: 'text' as const, text })),
  ]
  if (folder === null) return blocks
  blocks.push({
    kind: 'table',
    label: (texts) => texts.backups.backups,
    empty: (texts) => texts.common.thereIsNone,
    columns: [
      { label: (texts) => texts.backups.backup },
      { label: (texts) => texts.common.created },
      { label: (texts) => texts.common.age, isRight: true },
      { label: (texts) => texts.backups.size, isRight: true },
      { label: (texts) => texts.common.orders, isRight: true },
      { label: (texts) => texts.backups.verified },
    ],
    rows: backups.map((backup) => [
      code(backup.name),
      time(backup.made),
      age(backup.ageSeconds),
      (texts) =>
        texts.backups.mib((backup.bytes / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 })),
      backup.orders.toLocaleString('en'),
      { text: (texts) => texts.common.yes, tone: 'good' },
    ]),
  })
  if (running !== null) return blocks
  const form = operationForm(request, backupMake, {
    title: (texts) => texts.backups.makeABackupNow,
    lead: (texts) => texts.backups.aVerifiedCopyOfThe,
    button: (texts) => texts.backups.backUpNow,
    fields: [],
  })
  return [...blocks, ...form]
}

export const backupActions: readonly Action[] = [
  {
    path: formPath(backupMake),
    name: backupMake.name,
    async run({ ask }): Promise<Done> {
      const made = ask(backupMake, {}).then(() => false)
      // A failure that comes later is in the audit log, and in the checks of the page.
      const isUnfinished = await Promise.race([made, sleep(patienceMs, true, { ref: false })])
      return { kind: 'go', isUnfinished }
    },
  },
]
