/** What an operator may ask for to prove things to others. */
import { createHash } from 'node:crypto'
import { formatInstant } from '../../machines/time.ts'
import { consumerOfOrder } from '../../persistence/queries/orders.ts'
import type { ArchiveFile } from '../archive/check.ts'
import { readOrderRows } from '../archive/order-rows.ts'
import { readArchivedRows } from '../archive/show.ts'
import { flag, optional } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import type { ChangingVault } from '../keys/changing-vault.ts'
import { findArchivedOrder, findOrder, type OrderContext, orderId } from '../orders/operations.ts'
import { claimsAbout } from './claims.ts'
import { signedZip } from './manifest.ts'
import { type KnownOrder, orderFiles } from './order-files.ts'
import { readme } from './readme.ts'
import { addKey, type EvidenceKey, evidenceKeys, signingKey } from './signing-key.ts'

export interface EvidenceContext extends OrderContext {
  vault: ChangingVault
  /** Read when they are asked for. */
  archiveFiles(): readonly ArchiveFile[]
}

export interface EvidenceFile {
  order: string
  /** What it is called unless somebody says otherwise. */
  name: string
  bytes: number
  sha256: string
  /** Of the key that has signed it. */
  fingerprint: string
  /** Base64. */
  zip: string
}

/** Files of claims are the most of it. */
const maxEvidenceBytes = 48 * 1024 * 1024

export const orderEvidence = defineOperation({
  name: 'order.evidence',
  summary: 'Make a signed ZIP file of all that is recorded of an order.',
  fields: {
    id: orderId,
    contact: optional(
      flag({
        description:
          "Its consumer's e-mail address and telephone number, too, and what receivers of webhooks answered.",
        option: ['--contact', "with its consumer's e-mail address and telephone number"],
        form: { label: 'With its consumer’s e-mail address and telephone number' },
      }),
    ),
  },
  arguments: ['id'],
  isRead: false,
  concluded: ({ order, sha256 }: EvidenceFile) => `of ${order}, SHA-256 ${sha256}`,
  async run(context: EvidenceContext, { id, contact = false }): Promise<EvidenceFile> {
    const { store, vault, clock } = context
    const known = await knownOrder(context, id)
    const order = known.rows.order.id
    const claims = await claimsAbout(store, order, clock.now())
    const { key, about } = await signingKey(store, vault)
    const files = await orderFiles(store, contact ? known : { ...known, consumer: null }, claims)
    const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
    if (total > maxEvidenceBytes) {
      throw new OperationError('refused', `It would have ${total} bytes, more than ${maxEvidenceBytes}.`, {
        hint: 'Take the files of its claims one by one from their pages.',
      })
    }
    const text = { name: 'README.txt', bytes: Buffer.from(readme(order, about.fingerprint)) }
    const zip = signedZip([text, ...files], key)
    return {
      order,
      name: `evidence-${order}.zip`,
      bytes: zip.length,
      sha256: createHash('sha256').update(zip).digest('hex'),
      fingerprint: about.fingerprint,
      zip: Buffer.from(zip).toString('base64'),
    }
  },
})

async function knownOrder(context: EvidenceContext, id: string): Promise<KnownOrder> {
  const { store, journalKey } = context
  const remains = await findArchivedOrder(store, id)
  if (remains !== null) {
    const { rows, consumer } = await readArchivedRows(remains, context.archiveFiles(), journalKey)
    return {
      rows,
      consumer: {
        email: consumer?.email ?? '',
        phoneNumber: consumer?.phone_number ?? '',
        erased: remains.erased_at === null ? null : formatInstant(remains.erased_at),
      },
      archived: formatInstant(remains.archived_at),
    }
  }
  const { id: orderId } = await findOrder(context, id)
  const rows = await readOrderRows(store, orderId)
  if (rows === null) throw new OperationError('not_found', `There is no order ${orderId}.`)
  const [consumer] = await store.query(consumerOfOrder, { orderId })
  const erasedAt = consumer?.erased_at ?? null
  return {
    rows,
    consumer: {
      email: consumer?.email ?? '',
      phoneNumber: consumer?.phone_number ?? '',
      erased: erasedAt === null ? null : formatInstant(erasedAt),
    },
    archived: null,
  }
}

export const evidenceKey = defineOperation({
  name: 'evidence.key',
  summary: 'Show the public key that evidence is signed with, and those before it.',
  examples: ['evidence key', 'evidence key --field current.publicKey > node.pem'],
  fields: {},
  isRead: true,
  async run({ store }: EvidenceContext): Promise<{ current: EvidenceKey | null; before: EvidenceKey[] }> {
    const keys = await evidenceKeys(store)
    return { current: keys.at(-1) ?? null, before: keys.slice(0, -1).reverse() }
  },
})

export const evidenceRotate = defineOperation({
  name: 'evidence.rotate',
  summary: 'Sign evidence with a new key from now on; the public keys before it stay known.',
  examples: ['evidence rotate'],
  fields: {},
  isRead: false,
  concluded: ({ fingerprint }: EvidenceKey) => fingerprint,
  run: ({ store, vault }: EvidenceContext): Promise<EvidenceKey> => addKey(store, vault, 'next'),
})
