/** `ventanilla request`: an HTTP client that signs, for trying the API and for tills without a program. */
import { request as httpRequest, STATUS_CODES } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Command } from 'commander'
import { parseJson } from '../../actors/foundation/json-text.ts'
import { formatMessageDate, sign } from '../../actors/keys/signature.ts'
import { credentialSign } from '../../actors/operations/credentials.ts'
import { AlreadyTold, CommandError, exitCodes } from '../../node/exit-codes.ts'
import { startHere } from '../../node/own-name.ts'
import { readOrigin } from '../../node/settings/addresses.ts'
import { publicUrls, type Settings } from '../../node/settings/config.ts'
import { addCommand, answer, type CommonOptions, settingsOf, withOperations } from '../command.ts'
import { readInputText } from '../input-file.ts'
import { printableJson } from '../printable.ts'
import type { Terminal } from '../terminal.ts'

interface RequestOptions extends CommonOptions {
  as: string
  secretFile?: string
  url?: string
  idempotencyKey?: string
}

interface Signing {
  method: string
  path: string
  body: Buffer | null
}

const timeoutMs = 30_000

export function addRequestCommand(terminal: Terminal, program: Command): void {
  const command = addCommand(program, 'request <method> <path> [body]', {
    summary:
      'Send a signed request to the API. The body is a file, or - for standard input. ' +
      'In a sandbox the node signs for the key; in production give --secret-file.',
    examples: [
      'request --as mk_demo POST /api/v1/merchants/orders/pay-out/ body.json',
      'request --as pk_demo GET /api/v1/providers/orders/pay-out/123456789012345/',
      'request --as mk_demo --secret-file secret.txt --url https://pay.example GET /api/v1/merchants/orders/pay-out/',
    ],
  })
    .requiredOption('--as <key>', 'the key of the merchant or provider to sign as')
    .option('--secret-file <file>', 'sign with the secret in this file')
    .option('--url <origin>', 'send it here instead of to the node in the settings')
    .option('--idempotency-key <key>', 'send this Idempotency-Key')
  command.action(async () => {
    const options = command.opts<RequestOptions>()
    const [method = '', path = '', bodyFile] = command.args
    const body = bodyFile === undefined ? null : await readBody(terminal, bodyFile)
    const signing = { method: method.toUpperCase(), path, body }
    const { origin, headers } = await prepare(terminal, options, signing)
    const response = await send(origin, signing, {
      ...headers,
      ...(body === null ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }),
      ...(options.idempotencyKey === undefined ? {} : { 'Idempotency-Key': options.idempotencyKey }),
    })
    tell(terminal, options, response)
  })
}

async function readBody(terminal: Terminal, file: string): Promise<Buffer> {
  return Buffer.from(await readInputText(terminal, file))
}

/** Where the request goes, and the headers that sign it. */
async function prepare(terminal: Terminal, options: RequestOptions, signing: Signing) {
  if (!/^\/[\x21-\x7e]*$/.test(signing.path)) {
    const problem = `${signing.path}: the path must begin with / and be ASCII without blanks`
    throw new CommandError(exitCodes.usage, problem)
  }
  const url = options.url === undefined ? null : originOf('--url', options.url)
  if (options.secretFile !== undefined) {
    const secret = (await readInputText(terminal, options.secretFile)).trim()
    const origin = url ?? new URL(publicUrlOf(settingsOf(terminal, options)))
    return { origin, headers: signedHere(terminal, options.as, secret, signing) }
  }
  const { mode } = settingsOf(terminal, options)
  if (mode === 'production') {
    throw new CommandError(exitCodes.usage, 'In production the node does not sign: give --secret-file.')
  }
  return withOperations(terminal, options, async (operations, settings) => {
    const { method, path, body } = signing
    const { headers } = await operations.perform(credentialSign, {
      key: options.as,
      method,
      path,
      ...(body === null ? {} : { body: body.toString('base64') }),
    })
    return { origin: url ?? originOf('The node', operations.publicUrl ?? publicUrlOf(settings)), headers }
  })
}

function publicUrlOf({ http }: Settings): string {
  return publicUrls(http, http.port).publicUrl
}

/** Whatever else it holds may be a secret: it is not shown. */
function originOf(option: string, text: string): URL {
  const read = readOrigin(text)
  if ('value' in read) return new URL(read.value)
  const why = read.problem === null ? '' : `; ${read.problem}`
  throw new CommandError(
    exitCodes.usage,
    `${option}: must be an http or https origin such as https://pay.example${why}.`,
  )
}

function signedHere(terminal: Terminal, key: string, secret: string, { method, path, body }: Signing) {
  const messageDate = formatMessageDate(terminal.clock.now())
  return {
    // Nobody can be asked whose key it is; each of the two has its own routes.
    [/^\/api\/v\d+\/providers\//.test(path) ? 'Provider-Key' : 'Merchant-Key']: key,
    'Message-Date': messageDate,
    'Message-Hash': sign({ key, messageDate, method, path, body: body ?? '' }, secret),
  }
}

interface Response {
  status: number
  body: Buffer
}

/** `fetch` would rewrite the path, and what is signed is the path as sent. @throws CommandError */
function send(
  origin: URL,
  { method, path, body }: Signing,
  headers: Record<string, string>,
): Promise<Response> {
  const request = origin.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => {
      const hint = `Is the node running? \`${startHere()}\` runs it.`
      reject(new CommandError(exitCodes.failure, `${origin.origin}: ${cause.message}`, hint, { cause }))
    }
    const outgoing = request(
      origin,
      { method, path, headers, signal: AbortSignal.timeout(timeoutMs) },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks) }))
          .on('error', fail)
      },
    )
    outgoing.on('error', fail)
    outgoing.end(body ?? undefined)
  })
}

/** A person gets the body laid out, a program its exact bytes; the status goes beside it. */
function tell(terminal: Terminal, options: RequestOptions, { status, body }: Response): void {
  const statusLine = `HTTP ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()
  const text = body.toString()
  const read = parseJson(text)
  const isGood = status >= 200 && status < 300
  const document = { status, body: read.ok ? read.value : text }
  if (options.json || options.field !== undefined) {
    const message = `The node answered ${statusLine}.`
    const error = { code: 'failure', message, hint: null, details: [] }
    if (isGood) answer(terminal, options, document, '')
    else if (options.json) terminal.out(`${printableJson({ ...document, error }, 2)}\n`)
    else terminal.err(`${message}\n${text}\n`)
  } else {
    terminal.err(`${statusLine}\n`)
    if (text !== '') {
      const isLaidOut = terminal.isTerminal && 'value' in read
      terminal.out(isLaidOut ? `${printableJson(read.value, 2)}\n` : `${text}\n`)
    }
  }
  if (!isGood) throw new AlreadyTold()
}
