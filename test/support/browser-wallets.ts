/**
 * Wallets in a browser, as their extensions put them into every page: a Wallet Standard wallet on Solana, an EIP-6963
 * provider on EVM chains, Freighter on Stellar. What they sign is signed with the keys of a local network.
 *
 * `window.wallet.answer` says what the next request for a signature gets: signed, or an error of the wallet's own.
 */
import type { Page } from 'playwright-core'
import { type Blockchain, type BlockchainFamily, blockchainFacts } from '../../machines/blockchains.ts'

export interface BrowserWallet {
  blockchain: Blockchain
  address: string
  /** The network it is on, as wallets name it. */
  network: string
  /** Signs, and sends where the chain's wallets do; what it resolves with is given to the page. */
  sign(transaction: string): Promise<string>
}

export async function installWallet(page: Page, wallet: BrowserWallet): Promise<void> {
  await page.exposeFunction('signWithKey', async (transaction: string) => {
    try {
      return { value: await wallet.sign(transaction) }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  })
  const { address, network } = wallet
  await page.addInitScript(
    `${shared}(${scripts[blockchainFacts[wallet.blockchain].family]})(${JSON.stringify({ address, network })})`,
  )
}

const shared = `
window.wallet = { answer: null, network: null, address: null, asked: [] }
const answered = async (transaction) => {
  wallet.asked.push(transaction)
  const error = wallet.answer
  wallet.answer = null
  if (error) throw Object.assign(new Error(error.message), error)
  const signed = await signWithKey(transaction)
  if (signed.error) throw new Error(signed.error)
  return signed.value
}
`

const solana = `({ address, network }) => {
  const account = () => ({ address: wallet.address ?? address, chains: [network], features: [], publicKey: new Uint8Array(32) })
  const it = {
    version: '1.0.0', name: 'Stub Wallet', icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
    get chains() { return [wallet.network ?? network] }, accounts: [],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account()] }) },
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        signAndSendTransaction: async ({ transaction }) => {
          const text = btoa(String.fromCharCode(...transaction))
          await answered(text)
          return [{ signature: new Uint8Array(64) }]
        },
      },
    },
  }
  const register = ({ register }) => register(it)
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
  window.addEventListener('wallet-standard:app-ready', ({ detail }) => register(detail))
}`

const evm = `({ address, network }) => {
  const provider = {
    async request({ method, params }) {
      if (method === 'eth_requestAccounts') return [wallet.address ?? address]
      if (method === 'eth_chainId') return wallet.network ?? network
      if (method === 'wallet_switchEthereumChain') {
        if (wallet.knowsNoOther) throw Object.assign(new Error('Unrecognized chain ID.'), { code: 4902 })
        wallet.network = params[0].chainId
        return null
      }
      if (method === 'eth_sendTransaction') return answered(JSON.stringify(params[0]))
      throw Object.assign(new Error('not supported'), { code: 4200 })
    },
  }
  const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'Stub Wallet', icon: 'https://elsewhere.example/i.png', rdns: 'example.stub' }
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}`

const stellar = `({ address, network }) => {
  window.addEventListener('message', async ({ source, data }) => {
    if (source !== window || data?.source !== 'FREIGHTER_EXTERNAL_MSG_REQUEST') return
    const answer = (fields) => window.postMessage({ source: 'FREIGHTER_EXTERNAL_MSG_RESPONSE', messagedId: data.messageId, ...fields }, location.origin)
    switch (data.type) {
      case 'REQUEST_CONNECTION_STATUS': return answer({ isConnected: true })
      case 'REQUEST_ACCESS': return answer({ publicKey: wallet.address ?? address })
      case 'REQUEST_NETWORK_DETAILS': return answer({ networkDetails: { networkPassphrase: wallet.network ?? network } })
      case 'SUBMIT_TRANSACTION':
        try {
          answer({ signedTransaction: await answered(data.transactionXdr), signerAddress: address })
        } catch (error) {
          answer({ signedTransaction: '', apiError: { code: error.code, message: error.message } })
        }
    }
  })
}`

const scripts: Readonly<Record<BlockchainFamily, string>> = { solana, stellar, evm }
