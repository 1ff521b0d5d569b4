/** How a second process speaks to running networks: JSON over HTTP on loopback, found by a file. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { balanceOf, grantTo, type Networks, signAndSend, unitsOf } from './networks.ts'

/** What can be asked; each answer is a line for people. */
export interface NetworksRequest {
  readonly command: 'grant' | 'balance' | 'wallet' | 'sign'
  readonly chain: string
  readonly wallet?: string
  readonly amount?: string
  readonly transaction?: string
}

interface Address {
  readonly url: string
  /** Other users of this machine, and web pages, have no part in it. */
  readonly token: string
}

export interface Control {
  close(): Promise<void>
}

export async function serveControl(networks: Networks, stateFile: string): Promise<Control> {
  const token = randomBytes(16).toString('hex')
  const server = createServer(async (request, response) => {
    const { status, answer } = await answerTo(networks, token, request)
    // Whoever asks may be busy with something else until long after a connection has ended that he would ask on again.
    const headers = { 'content-type': 'application/json', connection: 'close' }
    response.writeHead(status, headers).end(JSON.stringify({ answer }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the control server has no port')
  mkdirSync(dirname(stateFile), { recursive: true })
  const state: Address = { url: `http://127.0.0.1:${address.port}`, token }
  writeFileSync(stateFile, JSON.stringify(state), { mode: 0o600 })
  return {
    async close() {
      rmSync(stateFile, { force: true })
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
    },
  }
}

/** @throws an Error whose message is for whoever asked. */
export async function askNetworks(stateFile: string, request: NetworksRequest): Promise<string> {
  const { url, token } = addressIn(stateFile)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const sending = fetch(url, { method: 'POST', headers, body: JSON.stringify(request) })
  const response = await sending.catch(() => {
    throw new Error(`Nothing answers at ${url}: ${notRunning}`)
  })
  const { answer }: { answer: string } = JSON.parse(await response.text())
  if (!response.ok) throw new Error(answer)
  return answer
}

const notRunning = 'start the networks with `npm run networks`, and leave them running.'

function addressIn(stateFile: string): Address {
  try {
    return JSON.parse(readFileSync(stateFile, 'utf8'))
  } catch {
    throw new Error(`There is no ${stateFile}: ${notRunning}`)
  }
}

async function answerTo(
  networks: Networks,
  token: string,
  request: IncomingMessage,
): Promise<{ status: number; answer: string }> {
  if (request.headers.authorization !== `Bearer ${token}`) return { status: 403, answer: 'Another token.' }
  try {
    return { status: 200, answer: await perform(networks, JSON.parse(await text(request))) }
  } catch (error) {
    return { status: 400, answer: error instanceof Error ? error.message : String(error) }
  }
}

async function perform(networks: Networks, request: NetworksRequest): Promise<string> {
  const { command, wallet = '', amount = '0', transaction = '' } = request
  const chain = networks.chain(request.chain)
  switch (command) {
    case 'grant':
      return `${wallet} has ${await grantTo(chain, wallet, amount)}`
    case 'balance':
      return await balanceOf(chain, wallet)
    case 'wallet':
      return (await chain.newWallet(unitsOf(chain, amount))).address
    case 'sign': {
      const { transactionId, transfer } = await signAndSend(chain, { address: wallet }, transaction)
      const { from, to, units } = transfer
      return `signed and sent ${transactionId}: ${units} units of ${chain.asset.id} from ${from} to ${to}`
    }
  }
}
