/**
 * One attempt to send one mail over SMTP (protocol 17.4). Each has a connection of its own, ended in time whatever the
 * server does. The password is given to nobody but a server whose certificate is for its name, save on this very host.
 */

import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import type { AttemptOutcome } from '../../machines/retry.ts'

export interface MailServer {
  host: string
  port: number
  /** `none` on this host alone: the settings refuse it elsewhere. */
  security: 'starttls' | 'tls' | 'none'
  from: string
  user: string | null
  timeoutMs: number
  /** Read at each attempt: it may have been changed. Rejects where its file cannot be read. */
  password(): Promise<string | null>
  /** Certificates to trust instead of the usual ones, as PEM. */
  authorities(): Promise<string | null>
}

export interface Mail {
  /** The same over all attempts. */
  messageId: string
  date: Date
  to: string
  subject: string
  text: string
  html: string
  attachment: { name: string; text: string } | null
}

export interface MailResult {
  outcome: AttemptOutcome
  /** The reply's code, where one came. */
  status: number | null
  error: string | null
}

/** How far an attempt came. */
export type MailStage = 'settings' | 'connection' | 'login' | 'sending'

export interface MailSender {
  /** Never rejects: whatever goes wrong is an outcome. Aborting ends the attempt with `unknown`. */
  send(mail: Mail, signal?: AbortSignal): Promise<MailResult>
  /** Connects, greets, secures and signs in, and sends nothing. @returns what is wrong, and at which stage */
  check(): Promise<{ stage: MailStage; error: string } | null>
}

class Failure extends Error {
  readonly outcome: AttemptOutcome
  constructor(outcome: AttemptOutcome, message: string) {
    super(message)
    this.outcome = outcome
  }
}

export function createMailSender(server: MailServer): MailSender {
  return {
    async send(mail, signal) {
      const attempt = new Attempt(server, signal)
      try {
        await attempt.open()
        await attempt.send(mail)
        return { outcome: 'acknowledged', status: 250, error: null }
      } catch (error) {
        return resultOf(error, attempt.stage)
      } finally {
        attempt.close()
      }
    },
    async check() {
      const attempt = new Attempt(server)
      try {
        await attempt.open()
        return null
      } catch (error) {
        return { stage: attempt.stage, error: wordsOf(error) }
      } finally {
        attempt.close()
      }
    },
  }
}

class Attempt {
  stage: MailStage = 'settings'
  readonly #server: MailServer
  #connection: SMTPConnection | null = null
  #timer: NodeJS.Timeout | null = null
  #late: Promise<never> = new Promise(() => {})

  readonly #signal: AbortSignal | null
  #stop: () => void = () => {}

  constructor(server: MailServer, signal?: AbortSignal) {
    this.#server = server
    this.#signal = signal ?? null
  }

  async open(): Promise<void> {
    const { user, timeoutMs } = this.#server
    const [password, authorities] = await Promise.all([this.#server.password(), this.#server.authorities()])
    // Loaded with the first mail: most nodes send none, and it takes memory.
    const { default: Connection } = await import('nodemailer/lib/smtp-connection')
    const connection = new Connection(optionsOf(this.#server, authorities))
    this.#connection = connection
    this.stage = 'connection'
    this.#late = new Promise((_, reject) => {
      const late = () => reject(new Failure('timeout', `no end within ${timeoutMs} ms`))
      this.#timer = setTimeout(late, timeoutMs)
      this.#stop = () => reject(new Failure('unknown', 'the node is stopping'))
    })
    this.#late.catch(() => {})
    if (this.#signal?.aborted) this.#stop()
    else this.#signal?.addEventListener('abort', this.#stop, { once: true })
    await this.#done((end) => {
      connection.once('error', end)
      connection.once('end', () => end(new Failure('connection', 'the server closed the connection')))
      connection.connect(end)
    })
    if (user === null) return
    this.stage = 'login'
    await this.#done((end) => {
      connection.once('error', end)
      connection.login({ user, pass: password ?? '' }, end)
    })
  }

  async send(mail: Mail): Promise<void> {
    const { from } = this.#server
    const raw = await composed(mail, from)
    this.stage = 'sending'
    const connection = this.#connection
    if (connection === null) throw new Error('a mail is sent over a connection that is open')
    await this.#done((end) => {
      connection.once('error', end)
      connection.once('end', () => end(new Failure('connection', 'the server closed the connection')))
      connection.send({ from, to: [mail.to], size: raw.length }, raw, end)
    })
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#stop)
    const connection = this.#connection
    if (connection === null) return
    // What still fails has failed for nobody.
    connection.on('error', () => {})
    connection.close()
  }

  #done(begin: (end: (error?: Error | null) => void) => void): Promise<void> {
    const done = new Promise<void>((resolve, reject) => begin((error) => (error ? reject(error) : resolve())))
    done.catch(() => {})
    return Promise.race([done, this.#late])
  }
}

function optionsOf(
  { host, port, security, timeoutMs }: MailServer,
  authorities: string | null,
): SMTPConnectionOptions {
  return {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketCloseTimeout: 0,
    maxResponseSize: 64 * 1024,
    allowInternalNetworkInterfaces: true,
    tls: {
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
      ...(authorities === null ? {} : { ca: authorities }),
    },
  }
}

/** The whole message, as it goes over the line. No file and no address of the network is ever read for it. */
async function composed(mail: Mail, from: string): Promise<Buffer> {
  const { messageId, date, to, subject, text, html, attachment } = mail
  const { default: Composer } = await import('nodemailer/lib/mail-composer')
  const composer = new Composer({
    messageId,
    date,
    from: { name: 'Ventanilla', address: from },
    to: { name: '', address: to },
    subject: oneLine(subject),
    text,
    html,
    // Answers of machines are not wanted: RFC 3834, part 5.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    attachments:
      attachment === null
        ? []
        : [{ filename: attachment.name, content: attachment.text, contentType: 'text/csv; charset=utf-8' }],
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

/** No header follows the one that is written. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 200)
}

/** What follows from a failure. Only what the server says of this mail is final: whatever else is wrong, somebody mends. */
function resultOf(error: unknown, stage: MailStage): MailResult {
  const { code, responseCode: status = null } = error as { code?: string; responseCode?: number }
  return { outcome: outcomeOf(error, stage, code, status), status, error: wordsOf(error) }
}

function outcomeOf(
  error: unknown,
  stage: MailStage,
  code: string | undefined,
  status: number | null,
): AttemptOutcome {
  if (error instanceof Failure) return error.outcome
  if (status !== null) return stage === 'sending' && status >= 500 ? 'refused' : 'unavailable'
  switch (code) {
    case 'ETLS':
      return 'tls'
    case 'ETIMEDOUT':
      return 'timeout'
    case 'EDNS':
      return 'dns'
    case 'EAUTH':
      return 'unavailable'
    default:
      return isOfCertificate(error) ? 'tls' : 'connection'
  }
}

function isOfCertificate(error: unknown): boolean {
  return error instanceof Error && /certificate|altnames|ssl|tls/i.test(error.message)
}

/** One line, without anything that a server could smuggle into a log. */
function wordsOf(error: unknown): string {
  return oneLine(error instanceof Error ? error.message : String(error))
}
