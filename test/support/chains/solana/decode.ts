/** Reads an unsigned transaction with kit alone: no code of the adapter or of the SDK it is built with. */
import {
  address,
  getAddressEncoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit'
import type { DecodedTransfer } from '../local-chain.ts'
import type { SolanaLedger } from './ledger.ts'

const programs: Readonly<Record<string, 'compute budget' | 'memo' | 'token' | 'token account'>> = {
  ComputeBudget111111111111111111111111111111: 'compute budget',
  MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: 'memo',
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'token',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'token',
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: 'token account',
}

export function decodeTransfer(ledger: SolanaLedger, text: string): DecodedTransfer {
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(text))
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
  if (message.version !== 0) throw new Error(`version ${message.version}`)
  if (message.header.numSignerAccounts !== 1) throw new Error('somebody else signs as well')
  if ((message.addressTableLookups ?? []).length > 0) throw new Error('accounts are hidden in tables')
  const accounts = message.staticAccounts
  const others: string[] = []
  const transfers: DecodedTransfer[] = []
  for (const { programAddressIndex, accountIndices = [], data = new Uint8Array() } of message.instructions) {
    const program = accounts[programAddressIndex] ?? ''
    const bytes = Buffer.from(Uint8Array.from(data))
    const named = accountIndices.map((index) => accounts[index] ?? '')
    const kind = programs[program]
    if (kind === 'token' && bytes[0] === 12) transfers.push(transferOf(ledger, named, bytes))
    else others.push(nameOf(kind, bytes, program))
  }
  const [transfer, ...more] = transfers
  if (transfer === undefined || more.length > 0) throw new Error(`${transfers.length} transfers`)
  if (transfer.from !== accounts[0]) throw new Error('the payer of the fee does not own the tokens')
  const signatures = Object.values(transaction.signatures).filter((signature) => signature !== null)
  return { ...transfer, signatures: signatures.length, others }
}

function nameOf(kind: string | undefined, data: Buffer, program: string): string {
  if (kind === 'memo') return `memo ${data.toString('utf8')}`
  if (kind === 'compute budget' && data[0] === 2) return `compute limit ${data.readUInt32LE(1)}`
  if (kind === 'compute budget' && data[0] === 3) return `compute price ${data.readBigUInt64LE(1)}`
  return `${kind ?? program} instruction ${data[0]}`
}

function transferOf(ledger: SolanaLedger, accounts: readonly string[], data: Buffer): DecodedTransfer {
  const [source = '', mint = '', destination = '', owner = '', ...references] = accounts
  const [from, to] = [ledger.tokenAccount(source), ledger.tokenAccount(destination)]
  if (from?.mint !== mint || to?.mint !== mint) throw new Error('a token account of another mint')
  if (from.owner !== owner) throw new Error('a token account of another owner')
  return {
    from: from.owner,
    to: to.owner,
    assetId: mint,
    units: data.readBigUInt64LE(1),
    references: references.map((reference) =>
      Buffer.from(Uint8Array.from(getAddressEncoder().encode(address(reference)))).toString('hex'),
    ),
    signatures: 0,
    others: [],
  }
}
