/** `ventanilla chain …` */
import type { Command } from 'commander'
import { type ChainLag, chainLag } from '../../actors/chains/operations.ts'
import { chainRescan, type RescanDocument } from '../../actors/chains/rescan-operation.ts'
import type { CheckItem } from '../../chain/chain.ts'
import { type Blockchain, blockchains } from '../../machines/blockchains.ts'
import { openNodeChains } from '../../node/chains.ts'
import { AlreadyTold } from '../../node/exit-codes.ts'
import {
  addCommand,
  addGroup,
  addOperationCommand,
  answer,
  type CommonOptions,
  settingsOf,
} from '../command.ts'
import { shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

interface CheckDocument {
  ok: boolean
  checks: readonly (CheckItem & { chain: Blockchain })[]
}

export function addChainCommands(terminal: Terminal, program: Command): void {
  const chain = addGroup(program, 'chain', 'Look at the configured blockchains.')
  addCommand(chain, 'check', {
    summary: "Compare each chain's endpoints, network, treasury and assets with the settings.",
    examples: ['chain check', 'chain check --json'],
  }).action(async (options: CommonOptions) => {
    const document = await check(terminal, options)
    answer(terminal, options, document, textOf(document))
    if (!document.ok) throw new AlreadyTold()
  })
  addOperationCommand(terminal, chain, {
    operation: chainLag,
    examples: ['chain lag', 'chain lag --json'],
    show: ({ chains }) => lagText(chains),
  })
  addOperationCommand(terminal, chain, {
    operation: chainRescan,
    examples: [
      'chain rescan SOLANA --from 312000000 --dry-run',
      'chain rescan STELLAR --from 51000000 --endpoint 2',
    ],
    // A chain may be written in small letters.
    adjust: ({ chain: name, ...input }) => ({
      ...input,
      chain: blockchains.find((one) => one === name.toUpperCase()) ?? name,
    }),
    show: rescanText,
  })
}

function rescanText({ chain, from, isDone, next, dryRun, found, credited }: RescanDocument): string {
  const end = isDone ? 'to its last final block' : `up to block ${next}: go on with --from ${next}`
  const read = `${chain} was read from block ${from} ${end}.\n`
  if (found.length === 0) return `${read}Nothing was missing.\n`
  const what = dryRun ? 'This would be recorded:' : 'This was missing, and is recorded now:'
  const lines = table(found, [
    { title: 'BLOCK', value: (it) => it.height },
    { title: 'WAY', value: (it) => it.direction },
    { title: 'AMOUNT', value: (it) => `${it.amount} ${it.asset}` },
    { title: 'WALLET', value: (it) => it.wallet ?? '-' },
    { title: 'TRANSACTION', value: (it) => it.transactionId },
  ])
  const orders = credited.length === 0 ? '' : `\nCredited orders: ${credited.join(', ')}\n`
  return `${read}\n${what}\n${lines}${orders}`
}

function lagText(chains: readonly ChainLag[]): string {
  if (chains.length === 0) return 'No chain is configured, and none was ever read.\n'
  return table(chains, [
    { title: 'CHAIN', value: (it) => it.chain },
    { title: 'READ AT', value: (it) => shortTime(it.readAt) },
    { title: 'COMPLETE BEFORE', value: (it) => shortTime(it.scannedTo) },
    { title: 'BEHIND', value: (it) => (it.lagSeconds === null ? '-' : `${it.lagSeconds} s`) },
    { title: 'PROBLEM', value: (it) => it.problem ?? '-' },
  ])
}

/** Asks the chains themselves: neither the node nor the database has a part in it. */
async function check(terminal: Terminal, options: CommonOptions): Promise<CheckDocument> {
  const { chains } = settingsOf(terminal, options)
  const opened = await openNodeChains(chains, terminal.clock)
  try {
    const checks = await Promise.all(
      [...opened.chains.values()].map(async (adapter) => {
        const { blockchain } = adapter
        const former = opened.treasuries.get(blockchain)?.former ?? []
        const items = [...(await adapter.check()), ...former.map(formerItem)]
        return items.map((item) => ({ chain: blockchain, ...item }))
      }),
    )
    const all = checks.flat()
    return { ok: all.every(({ ok }) => ok), checks: all }
  } finally {
    await opened.close()
  }
}

/** It need not be able to receive any more. */
function formerItem({ name }: { name: string }): CheckItem {
  const found = 'a former treasury: payments to it are read, new orders do not use it'
  return { what: 'treasury', subject: name, ok: true, found, action: null }
}

function textOf({ checks }: CheckDocument): string {
  if (checks.length === 0)
    return 'No chain is on. A chain is on once it has a treasury (chains.<NAME>.treasury).\n'
  const lines = table(checks, [
    { title: 'CHAIN', value: (it) => it.chain },
    { title: 'WHAT', value: (it) => it.what },
    { title: 'OK', value: (it) => (it.ok ? 'yes' : 'NO') },
    { title: 'SUBJECT', value: (it) => it.subject },
    { title: 'FOUND', value: (it) => it.found },
  ])
  const actions = checks.flatMap(({ action }) => (action === null ? [] : [`\n- ${action}`]))
  return actions.length === 0 ? lines : `${lines}\nTo do:${actions.join('')}\n`
}
