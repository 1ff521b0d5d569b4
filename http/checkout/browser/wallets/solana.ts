/** Solana: the Wallet Standard, by which wallets and pages find each other through events of the window. */
import { type Discover, Problem, problemOf, shownIcon, type Wallet } from './wallet.ts'

interface Account {
  address: string
  chains: readonly string[]
}

interface StandardWallet {
  name: string
  icon?: string
  chains: readonly string[]
  accounts: readonly Account[]
  features: {
    'standard:connect'?: { connect(): Promise<{ accounts: readonly Account[] }> }
    'solana:signAndSendTransaction'?: {
      signAndSendTransaction(input: {
        account: Account
        transaction: Uint8Array
        chain: string
      }): Promise<unknown>
    }
  }
}

interface Registry {
  register(...wallets: readonly StandardWallet[]): () => void
}

export const discoverSolana: Discover = (order, found) => {
  const known = new Set<StandardWallet>()
  const registry: Registry = {
    register(...wallets) {
      for (const wallet of wallets) {
        if (known.has(wallet) || !wallet.features['solana:signAndSendTransaction']) continue
        known.add(wallet)
        found(walletOf(wallet, order.address, order.network))
      }
      return () => {}
    },
  }
  addEventListener('wallet-standard:register-wallet', (event) => {
    if (event instanceof CustomEvent && typeof event.detail === 'function') event.detail(registry)
  })
  dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: registry }))
}

function walletOf(wallet: StandardWallet, address: string, chain: string): Wallet {
  let account: Account | undefined
  return {
    name: wallet.name,
    icon: shownIcon(wallet.icon),
    async connect() {
      if (!wallet.chains.includes(chain)) throw new Problem('wrong_network')
      const connected = await wallet.features['standard:connect']?.connect().catch(raise)
      const accounts = connected?.accounts ?? wallet.accounts
      account = accounts.find((one) => one.address === address)
      if (account === undefined) throw new Problem('other_account')
    },
    async signAndSend(text) {
      const feature = wallet.features['solana:signAndSendTransaction']
      if (account === undefined || feature === undefined) throw new Problem('other_account')
      const transaction = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
      await feature.signAndSendTransaction({ account, transaction, chain }).catch(raise)
    },
  }
}

function raise(error: unknown): never {
  throw problemOf(error)
}
