/**
 * Encrypted backups, in the format of age (age-encryption.org): whoever has the identity opens them with this program,
 * or with `age --decrypt`. Files are read and written as streams: a database need not fit into memory.
 */
import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { NotUtf8, textOf } from '../../actors/foundation/utf8.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { digestOf } from './manifest.ts'

/**
 * Writes `${file}.age` for the recipients, and reads it back: with an identity that is made for this file alone and
 * forgotten, because the node has none of the recipients'.
 */
export async function encryptFile(file: string, recipients: readonly string[]): Promise<string> {
  const encrypted = `${file}.age`
  const passing = await generateX25519Identity()
  const encrypter = new Encrypter()
  for (const recipient of [...recipients, await identityToRecipient(passing)])
    encrypter.addRecipient(recipient)
  const written = await encrypter.encrypt(bytesOf(file))
  await pipeline(Readable.fromWeb(webOf(written)), createWriteStream(encrypted, { mode: 0o600, flush: true }))

  const decrypter = new Decrypter()
  decrypter.addIdentity(passing)
  const plain = await decrypter.decrypt(bytesOf(encrypted))
  if ((await digestOf(Readable.fromWeb(webOf(plain)))) !== (await digestOf(file))) {
    throw new Error(`${encrypted} does not hold what ${file} does.`)
  }
  return encrypted
}

/** @throws CommandError in one line; what was written of `target` until then is of no use. */
export async function decryptFile(encrypted: string, target: string, identity: string): Promise<void> {
  const decrypter = new Decrypter()
  for (const secret of readIdentities(identity)) decrypter.addIdentity(secret)
  try {
    const plain = await decrypter.decrypt(bytesOf(encrypted))
    await pipeline(Readable.fromWeb(webOf(plain)), createWriteStream(target, { mode: 0o600, flush: true }))
  } catch (error) {
    const why = whyOf(error)
    const isOthers = /no identity matched/.test(why)
    throw new CommandError(
      isOthers ? exitCodes.key : exitCodes.database,
      isOthers ? `${identity}: ${encrypted} is encrypted to others.` : `${encrypted}: it is damaged: ${why}.`,
      isOthers ? 'Use the identity of one of the recipients in backup.json.' : 'Take another backup.',
      { cause: error },
    )
  }
}

/** The library quotes the whole first line of what is no file of age. */
function whyOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return /^invalid version /.test(message) ? 'it does not begin as a file of age does' : message
}

/** A file as `age-keygen` writes it: identities, one a line, and comments. */
function readIdentities(file: string): string[] {
  let text: string
  try {
    text = textOf(readFileSync(file))
  } catch (error) {
    const why = error instanceof NotUtf8 ? error.message : `cannot be read: ${String(error)}`
    const message = `${file}: it ${why}.`
    throw new CommandError(exitCodes.key, message, null, { cause: error })
  }
  const found = text.split(/\r?\n/).map((line) => line.trim())
  const identities = found.filter((line) => /^AGE-SECRET-KEY-(1|PQ-1)[0-9A-Z]+$/.test(line))
  if (identities.length > 0) return identities
  throw new CommandError(exitCodes.key, `${file}: there is no age identity in it.`, 'age-keygen makes one.')
}

function bytesOf(file: string): globalThis.ReadableStream<Uint8Array> {
  return Readable.toWeb(createReadStream(file))
}

function webOf(stream: globalThis.ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return ReadableStream.from(stream)
}
