/**
 * Stellar: Freighter, by the messages of its API (@stellar/freighter-api 6). It signs, and the node sends on what it has
 * signed: the page asks no other host.
 */
import { type Discover, type Order, Problem, problemOf, type Wallet } from './wallet.ts'

interface Answer {
  isConnected?: boolean
  publicKey?: string
  networkDetails?: { networkPassphrase?: string }
  signedTransaction?: string
  apiError?: unknown
}

const lookMs = 2_000
let count = 0

export const discoverStellar: Discover = (order, found) => {
  void ask('REQUEST_CONNECTION_STATUS', {}, lookMs)
    .then(({ isConnected }) => {
      if (isConnected) found(freighter(order))
    })
    // There is none: nobody has answered.
    .catch(() => {})
}

function ask(type: string, fields: Record<string, unknown> = {}, timeoutMs = 0): Promise<Answer> {
  const messageId = performance.timeOrigin + performance.now() + count++
  return new Promise((resolve, reject) => {
    const hear = ({ source, data }: MessageEvent<unknown>) => {
      if (source !== window || !isAnswer(data, messageId)) return
      removeEventListener('message', hear)
      if (data.apiError) reject(problemOf(data.apiError))
      else resolve(data)
    }
    addEventListener('message', hear)
    if (timeoutMs > 0) {
      setTimeout(() => {
        removeEventListener('message', hear)
        reject(new Problem('failed'))
      }, timeoutMs)
    }
    const message = { source: 'FREIGHTER_EXTERNAL_MSG_REQUEST', messageId, type, ...fields }
    window.postMessage(message, location.origin)
  })
}

/** `messagedId` is how Freighter spells it. */
function isAnswer(data: unknown, messageId: number): data is Answer {
  return (
    typeof data === 'object' &&
    data !== null &&
    'source' in data &&
    data.source === 'FREIGHTER_EXTERNAL_MSG_RESPONSE' &&
    'messagedId' in data &&
    data.messagedId === messageId
  )
}

function freighter({ address, network, url }: Order): Wallet {
  return {
    name: 'Freighter',
    icon: null,
    async connect() {
      const { publicKey } = await ask('REQUEST_ACCESS')
      if (!publicKey) throw new Problem('refused')
      if (publicKey !== address) throw new Problem('other_account')
      const { networkDetails } = await ask('REQUEST_NETWORK_DETAILS')
      if (networkDetails?.networkPassphrase !== network) throw new Problem('wrong_network')
    },
    async signAndSend(transactionXdr) {
      const fields = { transactionXdr, networkPassphrase: network, accountToSign: address }
      const { signedTransaction } = await ask('SUBMIT_TRANSACTION', fields)
      if (!signedTransaction) throw new Problem('refused')
      await submit(url, signedTransaction)
    },
  }
}

async function submit(url: string, signed: string): Promise<void> {
  const answer = await fetch(`${url}/submission`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ signed }),
  })
  if (answer.ok) return
  const { problem } = answer.status === 409 ? await answer.json() : { problem: 'unavailable' }
  throw new Problem(problem)
}
