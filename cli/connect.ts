/**
 * How a command reaches the operations: it calls the running node over its operator listener or, where no node
 * owns the database, performs them on the database itself.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeClock } from '../actors/condition/clock-watch.ts'
import { type Operation, OperationError, type OperationErrorCode } from '../actors/foundation/operation.ts'
import { notReceived, type Received } from '../actors/foundation/uploads.ts'
import { proofOf } from '../http/operator/access.ts'
import { CommandError, exitCodes } from '../node/exit-codes.ts'
import type { Settings } from '../node/settings/config.ts'
import { type NodeAddress, readTokenFile, tokenFileOf } from '../node/token-file.ts'
import { DatabaseLocked, DatabaseOpenElsewhere } from '../persistence/database-errors.ts'

export interface Operations {
  /** Where the running node's API is reached; `null` when no node runs. */
  readonly publicUrl: string | null
  /** @throws OperationError, CommandError */
  perform<Input, Output>(operation: Operation<Input, Output>, input: Input): Promise<Output>
  /** Sends a file that an operation is to look at. @returns what it is called there */
  send(bytes: Uint8Array): Promise<string>
  close(): Promise<void>
}

export interface ConnectOptions {
  clock: NodeClock
  /** Who asks, for journal and audit log. */
  operator: string
  /** A database that is not there yet may be made. */
  mayCreate: boolean
  /** How long to wait for a node that is starting, or another command that is at work. */
  patienceMs?: number
}

const retryMs = 100

/** @throws CommandError when neither the node nor the database can be reached. */
export async function connect(settings: Settings, options: ConnectOptions): Promise<Operations> {
  const { database } = settings
  if (database.engine !== 'sqlite') return openDatabase(settings, options)
  const attempts = Math.ceil((options.patienceMs ?? 5_000) / retryMs)
  for (let attempt = 1; ; attempt++) {
    const address = readTokenFile(database.file)
    const node = address && (await callNode(address, options.operator))
    if (node) return node
    if (!options.mayCreate && !existsSync(database.file)) throw noDatabase(database.file)
    try {
      return await openDatabase(settings, options)
    } catch (error) {
      const isLocked = error instanceof CommandError && error.cause instanceof DatabaseLocked
      if (!isLocked) throw error
      // No node of this name: what it says of other names tells more.
      const isElsewhere = error.cause instanceof DatabaseOpenElsewhere
      if (attempt >= attempts) throw isElsewhere ? error : unreachable(database.file, error)
    }
    await sleep(retryMs)
  }
}

function noDatabase(file: string): CommandError {
  const hint = 'Start the node once, or apply a file; --config names other settings.'
  return new CommandError(exitCodes.database, `database ${file}: there is none.`, hint)
}

function unreachable(file: string, cause: Error): CommandError {
  return new CommandError(
    exitCodes.database,
    `database ${file}: another process owns it, and no node answers at the address in ${tokenFileOf(file)}.`,
    'It may be starting, stopping or busy: try again, or look at its log.',
    { cause },
  )
}

/** `null` when whoever answers there is not that node. */
async function callNode({ url, token }: NodeAddress, operator: string): Promise<Operations | null> {
  const publicUrl = await greet(url, token)
  if (publicUrl === null) return null
  return {
    publicUrl,
    async perform(operation, input) {
      const response = await post(`${url}/api/operations/${operation.name}`, {
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'Operator-Name': encodeURIComponent(operator),
        },
        body: JSON.stringify(input),
      })
      const document: unknown = await response.json()
      if (!response.ok || response.status === 202) throw errorOf(document, response.status)
      // The node answers what the operation of this name returns, and all of that is JSON.
      return document as Awaited<ReturnType<typeof operation.run>>
    },
    async send(bytes) {
      const response = await post(`${url}/api/files`, {
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/octet-stream',
          'Operator-Name': encodeURIComponent(operator),
        },
        body: bytes,
      })
      const document: unknown = await response.json()
      if (!response.ok) throw errorOf(document, response.status)
      const { file }: { file?: unknown } = typeof document === 'object' && document !== null ? document : {}
      if (typeof file === 'string') return file
      throw new CommandError(exitCodes.failure, 'The node did not say where the file is.', null)
    },
    async close() {},
  }
}

/** The node's public URL, from whoever can prove to know the token; `null` from anybody else. */
async function greet(url: string, token: string): Promise<string | null> {
  const challenge = randomBytes(16).toString('base64url')
  try {
    const response = await fetch(`${url}/api/hello?challenge=${challenge}`, {
      signal: AbortSignal.timeout(2_000),
      redirect: 'error',
    })
    const hello: unknown = await response.json()
    if (typeof hello !== 'object' || hello === null) return null
    const { proof, publicUrl }: { proof?: unknown; publicUrl?: unknown } = hello
    return proof === proofOf(token, challenge) && typeof publicUrl === 'string' ? publicUrl : null
  } catch {
    return null
  }
}

async function post(
  url: string,
  request: { headers: Record<string, string>; body: string | Uint8Array },
): Promise<Response> {
  try {
    const body = typeof request.body === 'string' ? request.body : new Blob([Buffer.from(request.body)])
    return await fetch(url, { method: 'POST', redirect: 'error', headers: request.headers, body })
  } catch (error) {
    const hint = 'Whether anything was changed is not known: look before you try again.'
    throw new CommandError(exitCodes.failure, `The node at ${url} stopped answering.`, hint, { cause: error })
  }
}

const errorCodes: readonly OperationErrorCode[] = [
  'invalid',
  'not_found',
  'conflict',
  'refused',
  'forbidden',
  'unproved',
  'asked',
]

function errorOf(document: unknown, status: number): Error {
  const { error }: { error?: unknown } = typeof document === 'object' && document !== null ? document : {}
  const told: { code?: unknown; message?: unknown; hint?: unknown; details?: unknown } =
    typeof error === 'object' && error !== null ? error : {}
  const message = typeof told.message === 'string' ? told.message : `The node answered ${status}.`
  const hint = typeof told.hint === 'string' ? told.hint : null
  const details = Array.isArray(told.details) ? told.details.map(String) : []
  const code = errorCodes.find((known) => known === told.code)
  if (code === undefined) return new CommandError(exitCodes.failure, message, hint)
  return new OperationError(code, message, { ...(hint === null ? {} : { hint }), details })
}

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** @throws OperationError */
function sentFile(received: Received): string {
  if (received.ok) return received.upload.id
  throw notReceived(received.reason, 'This process')
}

async function openDatabase(settings: Settings, options: ConnectOptions): Promise<Operations> {
  const { clock, operator } = options
  // Loaded only here: a command that calls a running node is there in half the time without them.
  const { openCore } = await import('../node/core.ts')
  const { createDispatch } = await import('../actors/operations/dispatch.ts')
  const { operationsOf } = await import('../actors/operations/index.ts')
  const core = await openCore(settings, { clock })
  const dispatch = createDispatch(operationsOf(settings.mode), { ...core, isDirect: true })
  return {
    publicUrl: null,
    // The dispatcher answers what the operation of this name returns.
    perform: async (operation, input) =>
      (await dispatch(operation.name, input, operator)) as Awaited<ReturnType<typeof operation.run>>,
    send: async (bytes) => sentFile(await core.uploads.receive(inOne(bytes))),
    async close() {
      await core.reports.finish()
      core.uploads.close()
      await core.store.close()
    },
  }
}
