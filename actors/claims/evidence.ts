/**
 * What somebody shows for a claim: texts and files, each encrypted under a key of its own (protocol 16.9). Erasing forgets the
 * key and what is stored.
 */
import { isUtf8 } from 'node:buffer'
import { createHash, randomBytes } from 'node:crypto'
import type { Instant } from '../../machines/time.ts'
import { contentOfEvidence, evidenceOfClaim, textContents } from '../../persistence/queries/claims.ts'
import type { Row, Store, Write } from '../../persistence/store.ts'
import { openBytes, sealBytes } from '../keys/aes-gcm.ts'

export const maxFileBytes = 5 * 1024 * 1024
export const maxTextLength = 2_000
/** Texts and files of one claim. */
export const maxPieces = 20

export interface Piece {
  /** Null of a text. */
  fileName: string | null
  mediaType: string
  bytes: Buffer
}

export function textPiece(text: string): Piece {
  return { fileName: null, mediaType: 'text/plain', bytes: Buffer.from(text) }
}

const signatures: readonly [mediaType: string, signature: Buffer][] = [
  ['application/pdf', Buffer.from('%PDF-')],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
]

const extensions: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'text/csv': 'csv',
  'text/plain': 'txt',
}

/** `encoding`: what may be text, and is not UTF-8. */
export type NoPiece = 'empty' | 'too_large' | 'type' | 'encoding'

/** What a file is by its bytes: whatever it is called or said to be counts for nothing. */
export function readFile(name: string, written: Uint8Array): Piece | NoPiece {
  const bytes = Buffer.from(written)
  if (bytes.length === 0) return 'empty'
  if (bytes.length > maxFileBytes) return 'too_large'
  const mediaType = mediaTypeOf(bytes, name)
  if (mediaType === null) return isTextOtherwise(bytes, name) ? 'encoding' : 'type'
  return { fileName: nameOf(name, mediaType), mediaType, bytes }
}

function mediaTypeOf(bytes: Buffer, name: string): string | null {
  const [known] =
    signatures.find(([, signature]) => bytes.subarray(0, signature.length).equals(signature)) ?? []
  if (known !== undefined) return known
  if (!isPlainText(bytes)) return null
  return /\.csv$/i.test(name) ? 'text/csv' : 'text/plain'
}

/** UTF-8 without signs that steer something, and no page, drawing or document of markup. */
function isPlainText(bytes: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    return !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text) && !/^\s*</.test(text)
  } catch {
    return false
  }
}

/** UTF-16, as its first bytes say; or what is called a text, has no steering signs, and is not UTF-8, as Latin-1 is not. */
function isTextOtherwise(bytes: Buffer, name: string): boolean {
  const mark = bytes.toString('hex', 0, 2)
  if (mark === 'fffe' || mark === 'feff') return true
  if (!/\.(csv|txt)$/i.test(name) || isUtf8(bytes)) return false
  return !bytes.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d)
}

/** Letters, digits and few other signs, with the ending of what it is. */
function nameOf(name: string, mediaType: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const stem = last
    .replace(/\.[^.]*$/, '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N} _-]+/gu, '_')
    .replace(/^[ _-]+|[ _-]+$/g, '')
  return `${[...stem].slice(0, 60).join('') || 'file'}.${extensions[mediaType]}`
}

/** Writes of a piece of evidence. @param sequence of the claim's entry that tells of it */
export function evidenceWrites(
  { id: claim_id }: Pick<Row<'claims'>, 'id'>,
  sequence: number,
  { fileName, mediaType, bytes }: Piece,
  { at, actor, random = randomBytes }: { at: Instant; actor: string; random?: (size: number) => Buffer },
): Write[] {
  const key = random(32)
  const sealed = sealBytes(key, sealedName(claim_id, sequence), bytes)
  const place = { claim_id, sequence }
  return [
    {
      insert: 'claim_evidence',
      values: {
        ...place,
        added_at: at,
        actor,
        file_name: fileName,
        media_type: mediaType,
        byte_count: bytes.length,
        digest: digestOf(sealed),
        evidence_key: key.toString('base64url'),
      },
    },
    { insert: 'claim_contents', values: { ...place, content: sealed.toString('base64') } },
  ]
}

function sealedName(claimId: string, sequence: number): string {
  return `claim ${claimId} ${sequence}`
}

function digestOf(sealed: Buffer): string {
  return createHash('sha256').update(sealed).digest('base64url')
}

/** @returns null where it was erased. @throws Error where what is stored is not what was stored. */
export async function readEvidence(
  store: Pick<Store, 'query'>,
  { claim_id: claimId, sequence, evidence_key, digest }: Row<'claim_evidence'>,
): Promise<Buffer | null> {
  if (evidence_key === null) return null
  const [found] = await store.query(contentOfEvidence, { claimId, sequence })
  // Erased between the two reads.
  if (found === undefined) return null
  return opened(claimId, sequence, evidence_key, digest, found.content)
}

function opened(claimId: string, sequence: number, key: string, digest: string, content: string): Buffer {
  const sealed = Buffer.from(content, 'base64')
  if (digestOf(sealed) !== digest)
    throw new Error(`Evidence ${sequence} of claim ${claimId} is not what was stored.`)
  return openBytes(Buffer.from(key, 'base64url'), sealedName(claimId, sequence), sealed)
}

export interface ShownEvidence {
  piece: Row<'claim_evidence'>
  /** Of a text that was not erased. */
  text: string | null
}

/** All evidence of a claim, with its texts. */
export async function shownEvidence(store: Pick<Store, 'query'>, claimId: string): Promise<ShownEvidence[]> {
  const pieces = await store.query(evidenceOfClaim, { claimId })
  const contents = new Map(
    (await store.query(textContents, { claimId })).map(({ sequence, content }) => [sequence, content]),
  )
  return pieces.map((piece) => {
    const { sequence, evidence_key, digest } = piece
    const content = contents.get(sequence)
    const text =
      evidence_key === null || content === undefined
        ? null
        : opened(claimId, sequence, evidence_key, digest, content).toString()
    return { piece, text }
  })
}

/** Forgets a piece of evidence. */
export function erasureOf(place: { claim_id: string; sequence: number }): Write[] {
  return [
    { delete: 'claim_contents', key: place },
    { update: 'claim_evidence', key: place, set: { evidence_key: null } },
  ]
}
