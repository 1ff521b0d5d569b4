/** Backups on the page of the node's health: the newest, and one more now. */
import { setTimeout as sleep } from 'node:timers/promises'
import { backupList, backupMake } from '../../../actors/condition/backup-operations.ts'
import type { Block } from '../blocks.ts'
import { code, time } from '../cells.ts'
import { formPath, operationForm } from '../forms.ts'
import type { Action, Done, PageRequest } from '../page.ts'

/** A small database is copied in less; whoever has a large one watches its progress on the page. */
const patienceMs = 3_000

export async function backupBlocks(request: PageRequest): Promise<Block[]> {
  const { ask, may } = request
  if (!may(backupList)) return []
  const { folder, running, backups } = await ask(backupList, {})
  const told = running === null ? [] : [`A backup has been running since ${running.since}: ${running.told}.`]
  const where =
    folder === null
      ? 'No backup folder is configured: set backups.folder, preferably on another disk.'
      : `The node makes them in ${folder}.`
  const blocks: Block[] = [
    { kind: 'heading', text: 'Backups' },
    ...[where, ...told].map((text) => ({ kind: 'text' as const, text })),
  ]
  if (folder === null) return blocks
  blocks.push({
    kind: 'table',
    label: 'Backups',
    empty: 'There is none.',
    columns: [
      { label: 'Backup' },
      { label: 'Created' },
      { label: 'Age', isRight: true },
      { label: 'Size', isRight: true },
      { label: 'Orders', isRight: true },
      { label: 'Verified' },
    ],
    rows: backups.map((backup) => [
      code(backup.name),
      time(backup.made),
      ageText(backup.ageSeconds),
      `${(backup.bytes / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 })} MiB`,
      backup.orders.toLocaleString('en'),
      { text: 'yes', tone: 'good' },
    ]),
  })
  if (running !== null) return blocks
  const form = operationForm(request, backupMake, {
    title: 'Make a backup now',
    lead: 'A verified copy of the database as it is now, while the node serves.',
    button: 'Back up now',
    fields: [],
  })
  return [...blocks, ...form]
}

function ageText(seconds: number): string {
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`
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
