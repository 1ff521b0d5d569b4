/** An Ethereum node of one process, that executes and refuses as Monad's machine does. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import type { Instant } from '../../../../machines/time.ts'

export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** An error that the node answers with. */
export class Refused extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export type RpcResult = { readonly value: unknown } | { readonly error: Refused }

export class Anvil {
  readonly url: string
  readonly #stop: () => Promise<void>

  constructor(url: string, stop: () => Promise<void>) {
    this.url = url
    this.#stop = stop
  }

  async call(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const [result] = await this.batch([{ method, params }])
    if (result === undefined) throw new Error('one call, one result')
    if ('error' in result) throw result.error
    return result.value
  }

  async batch(calls: readonly RpcCall[]): Promise<readonly RpcResult[]> {
    if (calls.length === 0) return []
    const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(this.url, { method: 'POST', headers, body })
    const answers: readonly AnvilAnswer[] = JSON.parse(await response.text())
    return answers
      .toSorted((a, b) => a.id - b.id)
      .map(({ error, result }) =>
        error === undefined ? { value: result } : { error: new Refused(error.code, error.message) },
      )
  }

  /** One after the other, for what changes the network. */
  async inTurn(calls: readonly RpcCall[]): Promise<void> {
    for (const { method, params } of calls) await this.call(method, ...params)
  }

  stop(): Promise<void> {
    return this.#stop()
  }
}

interface AnvilAnswer {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** The first block has the given time, each further one is a second later; two blocks later it is final. */
export async function startAnvil(chainId: number, startAt: Instant, port = 0): Promise<Anvil> {
  const options = {
    '--port': port,
    '--chain-id': chainId,
    '--timestamp': Math.floor(startAt / 1000),
    '--base-fee': 100_000_000_000,
    '--slots-in-an-epoch': 1,
    '--accounts': 1,
    '--threads': 1,
    // In memory: without it, states go to the home directory, gigabytes of them.
    '--prune-history': 500,
  }
  const child = spawn(binary(), Object.entries(options).flat().map(String), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = (): void => {
    child.kill()
  }
  process.once('exit', end)
  const stop = async (): Promise<void> => {
    process.off('exit', end)
    if (child.exitCode !== null || child.signalCode !== null) return
    end()
    await once(child, 'exit')
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /^Listening on (\S+)/.exec(line)?.[1]
    if (address === undefined) continue
    // What it prints from now on would fill the pipe.
    child.stdout.resume()
    const anvil = new Anvil(`http://${address}`, stop)
    await anvil.call('anvil_setBlockTimestampInterval', 1)
    return anvil
  }
  throw new Error('anvil ended before it listened')
}

/**
 * The package for this machine; the one that is named in package.json only chooses it, with a Node of its
 * own.
 */
function binary(): string {
  const chooser = createRequire(import.meta.resolve('@foundry-rs/anvil/package.json'))
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  return chooser.resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/bin/${file}`)
}
