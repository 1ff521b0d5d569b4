/** hledger (Debian: hledger), which reads what we export without knowing anything of us. */
import { spawnSync } from 'node:child_process'
import { parse } from 'csv-parse/sync'
import * as assert from 'uvu/assert'
import { exportLedger } from '../../actors/ledger/export.ts'
import { currencyDecimals } from '../../machines/money.ts'
import { openReader } from '../../persistence/index.ts'

export function hasHledger(what: string): boolean {
  if (spawnSync('hledger', ['--version']).status === 0) return true
  assert.is(process.env.CI, undefined, 'hledger is missing')
  console.log(`SKIP ${what}: hledger is not on this machine (Debian: hledger)`)
  return false
}

/** A ledger's journal, as it is at a time. */
export async function journalOf(
  url: string,
  { from = null, to = null, now = 0 }: { from?: string | null; to?: string | null; now?: number } = {},
): Promise<string> {
  const reader = await openReader(url)
  let journal = ''
  try {
    await exportLedger({
      reader,
      from,
      to,
      now,
      write: (text) => {
        journal += text
      },
    })
  } finally {
    await reader.close()
  }
  return journal
}

function hledger(journal: string, ...args: string[]): string {
  // Amounts and names are Unicode, and hledger reads by the locale.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  const { status, stdout, stderr } = spawnSync('hledger', ['-f', '-', ...args], {
    input: journal,
    encoding: 'utf8',
    env,
    maxBuffer: 2 ** 28,
  })
  assert.is(status, 0, `hledger ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** Balances in minor units by account and commodity, once hledger has found nothing wrong: `assets:bank MXN`. */
export function hledgerBalances(journal: string): Map<string, bigint> {
  hledger(journal, 'check', '--strict')
  const csv = hledger(journal, 'balance', '--flat', '-E', '-N', '--layout=bare', '-O', 'csv')
  const rows: string[][] = parse(csv, { from: 2 })
  return new Map(
    rows.map(([account = '', commodity = '', balance = '']) => {
      const decimals = currencyDecimals(commodity)
      const [whole = '0', fraction = ''] = balance.split('.')
      assert.ok(fraction.length <= decimals, `${account} ${balance} ${commodity}`)
      return [`${account} ${commodity}`, BigInt(whole + fraction.padEnd(decimals, '0'))]
    }),
  )
}

interface Account {
  id: string
  kind: string
  owner_id: string
  currency: string
  balance_minor: bigint
}

/** Every account of ours is one of hledger's with the same balance (debits are positive there), and there is no other. */
export function assertSameBalances(
  journal: string,
  accounts: readonly Account[],
  nameOf: (ownerId: string) => string,
): void {
  const found = [...hledgerBalances(journal)]
    .filter(([, minor]) => minor !== 0n)
    .map(([name, minor]) => `${name.slice(name.indexOf(':') + 1)}: ${minor}`)
  const expected = accounts
    .filter(({ balance_minor }) => balance_minor !== 0n)
    .map(({ kind, owner_id, currency, balance_minor }) => {
      const owner = owner_id === '' ? '' : `:${nameOf(owner_id)}`
      return `${kind}${owner} ${currency}: ${-balance_minor}`
    })
  assert.ok(expected.length > 0)
  assert.equal(found.toSorted(), expected.toSorted())
}
