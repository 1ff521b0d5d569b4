/** How mails leave this node, as its settings say. */
import { readFile } from 'node:fs/promises'
import { decodeUtf8 } from '../actors/foundation/utf8.ts'
import { createMailSender, type MailSender } from '../actors/notifications/mail.ts'
import type { Settings } from './settings/config.ts'

/** `null` where no server is set. */
export function mailSenderOf({ mail }: Pick<Settings, 'mail'>): MailSender | null {
  const { host, port, security, from, user, password, passwordFile, authorityFile, timeoutSeconds } = mail
  if (host === null || from === null) return null
  return createMailSender({
    ...{ host, port, security, from, user, timeoutMs: timeoutSeconds * 1000 },
    password: async () =>
      passwordFile === null ? password : firstLine(await read('mail.passwordFile', passwordFile)),
    authorities: async () => (authorityFile === null ? null : read('mail.authorityFile', authorityFile)),
  })
}

/** Of what the ids of messages are made: the domain of the sender. */
export function mailDomainOf({ mail }: Pick<Settings, 'mail'>): string {
  return mail.from?.split('@')[1] ?? 'localhost'
}

async function read(setting: string, file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new Error(`${setting}: ${file} cannot be read (${reason})`, { cause: error })
  })
  const decoded = decodeUtf8(bytes)
  if (decoded.ok) return decoded.text
  throw new Error(`${setting}: ${file} ${decoded.problem}`)
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? ''
}
