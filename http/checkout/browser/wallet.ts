/** The panel that pays for a foreign-currency order: finds wallets, connects one, lets it sign, and says what happened. */
import { discoverEvm } from './wallets/evm.ts'
import { discoverSolana } from './wallets/solana.ts'
import { discoverStellar } from './wallets/stellar.ts'
import { type Order, Problem, type ProblemKind, problemOf, type Wallet } from './wallets/wallet.ts'

interface Settings extends Order {
  names: Record<string, string>
  words: {
    looking: string
    none: string
    connect: string
    connecting: string
    connected: string
    sign: string
    signing: string
    sent: string
    again: string
    other: string
    problems: Record<ProblemKind, string>
  }
}

type State =
  | { is: 'choosing' }
  | { is: 'connecting' | 'connected' | 'signing' | 'sent'; wallet: Wallet }
  | { is: 'problem'; wallet: Wallet; kind: ProblemKind; detail: string; then: 'connect' | 'sign' }

const discover = { solana: discoverSolana, stellar: discoverStellar, evm: discoverEvm }
/** So long until the page says that there is none; one that comes later is shown all the same. */
const lookMs = 2_500

/** As in the page's style. */
const isPhone = matchMedia('(hover: none) and (pointer: coarse)')

const wallets: Wallet[] = []
let state: State = { is: 'choosing' }
let isLooking = true
/** What was sent; a page that asks for another sum has something to sign again. */
let sent = ''

function settingsOf(panel: HTMLElement): Settings {
  return JSON.parse(panel.dataset.wallet ?? '')
}

function show(next: State): void {
  state = next
  render()
}

async function connect(wallet: Wallet): Promise<void> {
  show({ is: 'connecting', wallet })
  try {
    await wallet.connect()
    show({ is: 'connected', wallet })
  } catch (error) {
    fail(error, wallet, 'connect')
  }
}

async function sign(wallet: Wallet, { url, names }: Settings): Promise<void> {
  show({ is: 'signing', wallet })
  try {
    await wallet.signAndSend(await freshTransaction(url))
    sent = names.amount ?? ''
    show({ is: 'sent', wallet })
  } catch (error) {
    fail(error, wallet, 'sign')
  }
}

function fail(error: unknown, wallet: Wallet, then: 'connect' | 'sign'): void {
  const { kind, message } = problemOf(error)
  show({ is: 'problem', wallet, kind, detail: message, then })
}

/** Just before it is signed: on some chains one is good for less than a minute. */
async function freshTransaction(url: string): Promise<string> {
  const answer = await fetch(`${url}/transaction`, { cache: 'no-store' }).catch(() => null)
  if (answer === null || (answer.status !== 200 && answer.status !== 409)) throw new Problem('unavailable')
  const { transaction, problem } = await answer.json()
  if (answer.status === 409) throw new Problem(problem)
  return transaction
}

function render(): void {
  const panel = document.getElementById('wallet')
  if (panel === null) return
  const settings = settingsOf(panel)
  if (state.is === 'sent' && sent !== settings.names.amount) state = { is: 'connected', wallet: state.wallet }
  const focusedKey = panel.contains(document.activeElement)
    ? document.activeElement?.getAttribute('data-key')
    : null
  // Whoever has a wallet in this browser need not be told of another.
  const here = document.querySelector<HTMLElement>('.here')
  if (here !== null) here.hidden = wallets.length > 0
  const parts = partsOf(settings)
  panel.replaceChildren(...parts)
  // A button that was pressed is gone; what it led to is next.
  if (focusedKey) {
    const same = panel.querySelector<HTMLElement>(`[data-key="${CSS.escape(focusedKey)}"]`)
    const next = same ?? panel.querySelector<HTMLElement>('button, .told')
    next?.focus()
  }
}

function partsOf(settings: Settings): HTMLElement[] {
  const { words, names } = settings
  const about = 'wallet' in state ? { ...names, wallet: state.wallet.name } : names
  switch (state.is) {
    case 'choosing':
      if (wallets.length > 0) return choices(settings)
      // What a phone can do instead stands below.
      if (!isLooking && isPhone.matches) return []
      return [told(filled(isLooking ? words.looking : words.none, about))]
    case 'connecting':
      return [told(filled(words.connecting, about))]
    case 'signing':
      return [told(filled(words.signing, about))]
    case 'sent':
      return [told(filled(words.sent, about))]
    case 'connected': {
      const { wallet } = state
      const press = button(filled(words.sign, about), 'sign', () => void sign(wallet, settings))
      return [told(filled(words.connected, about)), press, ...otherWallet(settings)]
    }
    case 'problem': {
      const { kind, detail, wallet, then } = state
      const text = filled(words.problems[kind] ?? words.problems.failed, {
        ...about,
        address: settings.address,
        detail: detail === '' ? '' : `${detail.replace(/\.$/, '')}.`,
      })
      const again = () => void (then === 'connect' ? connect(wallet) : sign(wallet, settings))
      const isOver = kind === 'paid' || kind === 'closed'
      return isOver
        ? [told(text, true)]
        : [told(text, true), button(words.again, 'again', again), ...otherWallet(settings)]
    }
  }
}

function choices({ words, names }: Settings): HTMLElement[] {
  return wallets.map((wallet, index) => {
    const text = filled(words.connect, { ...names, wallet: wallet.name })
    const press = button(text, `wallet-${index}`, () => void connect(wallet))
    if (wallet.icon !== null) {
      const icon = document.createElement('img')
      icon.src = wallet.icon
      icon.alt = ''
      press.prepend(icon)
    }
    return press
  })
}

function otherWallet({ words }: Settings): HTMLElement[] {
  if (wallets.length < 2) return []
  const press = button(words.other, 'other', () => show({ is: 'choosing' }))
  press.className = 'quiet'
  return [press]
}

function told(text: string, isProblem = false): HTMLElement {
  const part = document.createElement('p')
  part.className = isProblem ? 'told problem' : 'told'
  part.setAttribute('role', isProblem ? 'alert' : 'status')
  part.tabIndex = -1
  part.textContent = text
  return part
}

function button(text: string, key: string, press: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.dataset.key = key
  made.append(text)
  made.addEventListener('click', press)
  return made
}

function filled(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '').replace(/ {2,}/g, ' ')
}

const first = document.getElementById('wallet')
if (first !== null) {
  const settings = settingsOf(first)
  discover[settings.family](settings, (wallet) => {
    wallets.push(wallet)
    if (state.is === 'choosing') render()
  })
  setTimeout(() => {
    isLooking = false
    if (state.is === 'choosing') render()
  }, lookMs)
  render()
  // A tablet may have been put to its keyboard.
  isPhone.addEventListener('change', render)
  // The page has been shown anew: what the panel knows goes on.
  document.addEventListener('checkout:shown', render)
}
