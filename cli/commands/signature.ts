/** `ventanilla signature …`: why two sides do not come to the same hash. */
import type { Command } from 'commander'
import { parseMessageDate } from '../../actors/keys/signature.ts'
import { explainSignature, type SignatureExplanation } from '../../actors/keys/signature-explanation.ts'
import { credentialExplain } from '../../actors/operations/credentials.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import {
  addCommand,
  addGroup,
  answer,
  type CommonOptions,
  given,
  settingsOf,
  withOperations,
} from '../command.ts'
import { readInputBytes, readInputText } from '../input-file.ts'
import { fields } from '../table.ts'
import type { Terminal } from '../terminal.ts'

interface ExplainOptions extends CommonOptions {
  as: string
  date: string
  hash?: string
  otherKey?: string
  secretFile?: string
}

interface Explanation extends SignatureExplanation {
  /** What else is wrong, whatever the hash is: sentences. */
  remarks: readonly string[]
}

export function addSignatureCommands(terminal: Terminal, program: Command): void {
  const signature = addGroup(program, 'signature', 'Find out why a signature is refused.')
  const command = addCommand(signature, 'explain <method> <path> [body]', {
    summary:
      'Show the exact string to sign and its hash; with --hash, explain how another hash came about. ' +
      'The body is a file, or - for standard input. In a sandbox the node knows the secret; in production ' +
      'give --secret-file.',
    examples: [
      'signature explain --as mk_demo --date 1772366400.250 POST /api/v1/merchants/orders/pay-out/ body.json',
      'signature explain --as mk_demo --date 1772366400 --hash 5d41… GET /api/v1/merchants/orders/pay-out/',
      'signature explain --as pk_demo --secret-file secret.txt --date 1772366400 GET ' +
        '/api/v1/providers/orders/pay-out/123456789012347/',
    ],
  })
    .requiredOption('--as <key>', 'the key that was sent')
    .requiredOption('--date <text>', 'the Message-Date that was sent')
    .option('--hash <text>', 'the Message-Hash that was sent')
    .option('--other-key <key>', 'another key that may have been used by mistake')
    .option('--secret-file <file>', 'the secret, in a file')
  command.action(async () => {
    const options = command.opts<ExplainOptions>()
    const [method = '', path = '', bodyFile] = command.args
    const body = bodyFile === undefined ? Buffer.alloc(0) : await readInputBytes(terminal, bodyFile)
    const message = { key: options.as, messageDate: options.date, method: method.toUpperCase(), path, body }
    const explained = await explain(terminal, options, message)
    const document: Explanation = {
      ...explained,
      remarks: remarksOf(terminal, options, message, explained.kind),
    }
    answer(terminal, options, document, explanationText(document))
  })
}

interface Message {
  key: string
  messageDate: string
  method: string
  path: string
  body: Buffer
}

type Kind = 'merchant' | 'provider'

async function explain(
  terminal: Terminal,
  options: ExplainOptions,
  message: Message,
): Promise<SignatureExplanation & { kind: Kind | null }> {
  const { hash, otherKey, secretFile } = options
  if (secretFile !== undefined) {
    const secret = (await readInputText(terminal, secretFile)).trim()
    const otherKeys = otherKey === undefined ? [] : [otherKey]
    return { kind: null, ...explainSignature(message, secret, hash ?? null, otherKeys) }
  }
  if (settingsOf(terminal, options).mode === 'production') {
    throw new CommandError(exitCodes.usage, 'In production the node computes no hashes: give --secret-file.')
  }
  const input = { ...message, body: message.body.toString('base64'), ...given({ hash, otherKey }) }
  return withOperations(terminal, options, (operations) => operations.perform(credentialExplain, input))
}

/** What would be refused though the hash were right. */
function remarksOf(
  terminal: Terminal,
  options: ExplainOptions,
  message: Message,
  kind: Kind | null,
): string[] {
  const remarks: string[] = []
  const { messageDate, path } = message
  const saidAt = parseMessageDate(messageDate)
  if (saidAt === null) {
    remarks.push('The date must be ten digits of seconds, with up to nine decimals.')
  } else {
    const seconds = Math.round((saidAt - terminal.clock.now()) / 1000)
    const tolerance = settingsOf(terminal, options).signature.toleranceSeconds
    const side = seconds < 0 ? 'behind' : 'ahead of'
    if (Math.abs(seconds) > tolerance) {
      remarks.push(`The date is ${Math.abs(seconds)} s ${side} this clock; ${tolerance} s are allowed.`)
    }
  }
  if (!path.startsWith('/api/v')) remarks.push('The path of a request begins with /api/v1.')
  const [, room] = /^\/api\/v\d+\/(merchant|provider)s\//.exec(path) ?? []
  if (kind !== null && room !== undefined && room !== kind) {
    remarks.push(`The key is a ${kind}'s, and the path is for ${room}s.`)
  }
  return remarks
}

function explanationText(document: Explanation): string {
  const { head, body, signedBytes, expected, received, remarks } = document
  const shown = body.ends === '' ? body.begins : `${body.begins} … ${body.ends}`
  return [
    fields([
      ['signed', `${head}BODY`],
      ['body', body.bytes === 0 ? 'none, so the string ends with a colon' : shown],
      ['body bytes', body.bytes],
      ['body SHA-256', body.sha256],
      ['signed bytes', signedBytes],
      ['expected hash', expected],
      ['received hash', received?.hash ?? null],
    ]),
    received === null ? '' : `\n${verdict(received)}`,
    ...remarks.map((remark) => `${remark}\n`),
  ].join('')
}

function verdict({ isRight, mistakes }: NonNullable<Explanation['received']>): string {
  if (isRight) return 'The received hash is right.\n'
  if (mistakes === null) {
    return 'The received hash differs, and no known mistake explains it. Compare the SHA-256 of the body, and the secret.\n'
  }
  return `The received hash differs. It results when:\n${mistakes.map((mistake) => `  ${mistake}\n`).join('')}`
}
