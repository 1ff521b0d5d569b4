/** EVM chains: wallets announce themselves (EIP-6963) and are asked by JSON-RPC (EIP-1193). */
import { type Discover, type Order, Problem, problemOf, shownIcon, type Wallet } from './wallet.ts'

interface Provider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

export const discoverEvm: Discover = (order, found) => {
  const known = new Set<unknown>()
  addEventListener('eip6963:announceProvider', (event) => {
    if (!(event instanceof CustomEvent)) return
    const { info, provider } = event.detail ?? {}
    if (!isProvider(provider) || known.has(info?.uuid)) return
    known.add(info?.uuid)
    found(walletOf(String(info?.name ?? 'Wallet'), shownIcon(info?.icon), provider, order))
  })
  dispatchEvent(new Event('eip6963:requestProvider'))
  // The browsers of phone wallets may know only the older way.
  setTimeout(() => {
    const ethereum: unknown = Reflect.get(window, 'ethereum')
    if (known.size === 0 && isProvider(ethereum)) found(walletOf('Wallet', null, ethereum, order))
  }, 300)
}

function isProvider(value: unknown): value is Provider {
  return typeof value === 'object' && value !== null && 'request' in value
}

function walletOf(name: string, icon: string | null, provider: Provider, order: Order): Wallet {
  const ask = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
    try {
      return await provider.request({ method, params })
    } catch (error) {
      throw problemOf(error)
    }
  }
  const isOnNetwork = async () => Number(await ask('eth_chainId')) === Number(order.network)
  const ready = async (): Promise<void> => {
    if (await isOnNetwork()) return
    try {
      await ask('wallet_switchEthereumChain', [{ chainId: order.network }])
    } catch (error) {
      const { kind } = problemOf(error)
      throw kind === 'refused' ? error : new Problem('wrong_network')
    }
    if (!(await isOnNetwork())) throw new Problem('wrong_network')
  }
  return {
    name,
    icon,
    async connect() {
      const accounts = await ask('eth_requestAccounts')
      const addresses = Array.isArray(accounts) ? accounts.map((one) => String(one).toLowerCase()) : []
      if (!addresses.includes(order.address.toLowerCase())) throw new Problem('other_account')
      await ready()
    },
    async signAndSend(transaction) {
      // The network may have been changed since.
      await ready()
      await ask('eth_sendTransaction', [JSON.parse(transaction)])
    },
  }
}
