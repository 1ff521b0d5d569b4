/**
 * Ids of what there are many of: UUIDs of version 7 (RFC 9562, part 5.7), which begin with their time.
 *
 * Ids at random would put each new row into another page of every index that they are in. Among a million orders
 * each of those pages has to be read, and written, for one row; in the order of time the new ones share a few. The
 * 74 bits that are random keep an order's page, whose address is its id, from being guessed.
 */
import { randomBytes } from 'node:crypto'
import type { Instant } from '../../machines/time.ts'

export function timeOrderedId(at: Instant): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(at, 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
