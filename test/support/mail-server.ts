/** A real SMTP server on the loopback, and what came to it. */
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import {
  createMailSender,
  type Mail,
  type MailSender,
  type MailServer,
} from '../../actors/notifications/mail.ts'

export interface HeardMail {
  from: string
  to: string[]
  isSecure: boolean
  user: string | null
  raw: string
}

export interface TestMailServer {
  port: number
  heard: HeardMail[]
  read(index: number): Promise<Email>
  close(): Promise<void>
}

/** @param fault what a mail that came is answered with; nothing where it is taken */
export async function startMailServer(
  options: Omit<SMTPServerOptions, 'onData'> = {},
  fault: (count: number) => Error | null | Promise<null> = () => null,
): Promise<TestMailServer> {
  const heard: HeardMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    ...options,
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        heard.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          isSecure: session.secure,
          user: typeof session.user === 'string' ? session.user : null,
          raw: Buffer.concat(chunks).toString('utf8'),
        })
        void Promise.resolve(fault(heard.length)).then(callback)
      })
    },
  })
  // Connections that a test breaks off are no failure of the server.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    heard,
    read: (index) => PostalMime.parse(heard[index]?.raw ?? ''),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** An error that the server answers with a code. */
export function answering(code: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code })
}

export function senderTo(port: number, changes: Partial<MailServer> = {}): MailSender {
  return createMailSender({
    ...{ host: '127.0.0.1', port, security: 'none', from: 'node@pay.example', user: null, timeoutMs: 60_000 },
    ...{ password: async () => null, authorities: async () => null },
    ...changes,
  })
}

export const someMail: Mail = {
  messageId: '<0197-a@pay.example>',
  date: new Date('2026-03-01T12:00:00Z'),
  to: 'ops@shop.example',
  subject: 'A subject',
  text: 'A text\n',
  html: '<p>A text</p>',
  attachment: null,
}
