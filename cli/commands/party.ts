/** `ventanilla party …`, `merchant …` and `provider …` */
import type { Command } from 'commander'
import { type MerchantDocument, merchantList, merchantShow } from '../../actors/parties/merchants.ts'
import {
  type CredentialDocument,
  type PartyDocument,
  partyFreeze,
  partyUnfreeze,
} from '../../actors/parties/operations.ts'
import {
  type ProviderBalance,
  type ProviderDocument,
  providerList,
  providerShow,
} from '../../actors/parties/providers.ts'
import { addGroup, addOperationCommand } from '../command.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addPartyCommands(terminal: Terminal, program: Command): void {
  const party = addGroup(program, 'party', 'Freeze and unfreeze merchants and providers.')
  for (const [verb, operation, example] of [
    ['freeze', partyFreeze, 'key leaked'],
    ['unfreeze', partyUnfreeze, 'new key in use'],
  ] as const) {
    addOperationCommand(terminal, party, {
      operation,
      examples: [`party ${verb} "Demo Shop" --reason "${example}"`],
      show: (document) => fields(partyFields(document)),
    })
  }
}

export function addMerchantCommands(terminal: Terminal, program: Command): void {
  const merchant = addGroup(program, 'merchant', 'Look at merchants.')
  addOperationCommand(terminal, merchant, {
    operation: merchantList,
    examples: ['merchant list'],
    show: ({ merchants }) => {
      if (merchants.length === 0) return 'No merchants.\n'
      const lines = merchants.flatMap((it) =>
        (it.balances.length === 0 ? [null] : it.balances).map((balance) => ({ ...it, balance })),
      )
      return table(lines, [
        { title: 'NAME', value: (line) => line.name },
        { title: 'STATE', value: stateOf },
        { title: 'CURRENCY', value: ({ balance }) => balance?.currency ?? null },
        { title: 'AVAILABLE', value: ({ balance }) => balance?.available ?? null, right: true },
        { title: 'RESERVED', value: ({ balance }) => balance?.reserved ?? null, right: true },
        { title: 'PAYABLE', value: ({ balance }) => balance?.payable ?? null, right: true },
        { title: 'IN TRANSIT', value: ({ balance }) => balance?.transit ?? null, right: true },
        { title: 'SUSPENSE', value: ({ balance }) => balance?.suspense ?? null, right: true },
        { title: 'DEBT', value: ({ balance }) => balance?.debt ?? null, right: true },
        { title: 'CONTACT', value: (line) => line.contact },
      ])
    },
  })
  addOperationCommand(terminal, merchant, {
    operation: merchantShow,
    examples: ['merchant show "Demo Shop"'],
    show: merchantText,
  })
}

export function addProviderCommands(terminal: Terminal, program: Command): void {
  const provider = addGroup(program, 'provider', 'Look at payment providers.')
  addOperationCommand(terminal, provider, {
    operation: providerList,
    examples: ['provider list'],
    show: ({ providers }) =>
      providers.length === 0
        ? 'No providers.\n'
        : table(providers, [
            { title: 'NAME', value: (it) => it.name },
            { title: 'STATE', value: stateOf },
            { title: 'NETWORKS', value: (it) => it.networks.join(', ') },
            { title: 'WE OWE IT', value: (it) => amounts(it.balances) },
            { title: 'CONTACT', value: (it) => it.contact },
          ]),
  })
  addOperationCommand(terminal, provider, {
    operation: providerShow,
    examples: ['provider show "Demo Network"'],
    show: providerText,
  })
}

function stateOf({ frozen }: PartyDocument): string {
  return frozen === null ? 'active' : 'frozen'
}

function amounts(balances: readonly ProviderBalance[]): string {
  return balances
    .map(({ currency, amount, transit }) => {
      const ordered = /[1-9]/.test(transit) ? ` and ${transit} in transit` : ''
      return `${amount} ${currency}${ordered}`
    })
    .join(', ')
}

function partyFields(party: PartyDocument): (readonly [string, string | number | null])[] {
  const { frozen } = party
  return [
    ['name', party.name],
    ['kind', party.kind],
    ['state', frozen === null ? 'active' : `frozen since ${shortTime(frozen.at)}: ${frozen.reason}`],
    ['contact', party.contact],
    ['requests a minute', party.requestsPerMinute],
    ['created', shortTime(party.created)],
  ]
}

function credentialTable(credentials: readonly CredentialDocument[]): string {
  if (credentials.length === 0) return ''
  return table(credentials, [
    { title: 'KEY', value: (it) => it.key },
    { title: 'CREATED', value: (it) => shortTime(it.created) },
    { title: 'LAST USED', value: (it) => shortTime(it.lastUsed) },
    { title: 'REVOKED', value: (it) => shortTime(it.revoked) },
  ])
}

function merchantText(merchant: MerchantDocument): string {
  const balances = table(merchant.balances, [
    { title: 'CURRENCY', value: (it) => it.currency },
    { title: 'AVAILABLE', value: (it) => it.available, right: true },
    { title: 'RESERVED', value: (it) => it.reserved, right: true },
    { title: 'PAYABLE', value: (it) => it.payable, right: true },
    { title: 'IN TRANSIT', value: (it) => it.transit, right: true },
    { title: 'SUSPENSE', value: (it) => it.suspense, right: true },
    { title: 'DEBT', value: (it) => it.debt, right: true },
  ])
  const waiting = merchant.waiting.map(({ currency, amount }) => `${amount} ${currency}\n`).join('')
  const pairs = table(merchant.pairs, [
    { title: 'COUNTRY', value: (it) => it.country },
    { title: 'CURRENCY', value: (it) => it.currency },
    { title: 'MIN', value: (it) => it.min, right: true },
    { title: 'MAX', value: (it) => it.max, right: true },
    { title: 'CASH STEP', value: (it) => it.cashIncrement, right: true },
    { title: 'DIRECTIONS', value: (it) => it.directions.join(', ') },
  ])
  const deposits = table(merchant.deposits, [
    { title: 'AT', value: (it) => shortTime(it.at) },
    { title: 'AMOUNT', value: (it) => `${it.amount} ${it.currency}`, right: true },
    { title: 'BANK', value: (it) => it.bank },
    { title: 'REFERENCE', value: (it) => it.reference },
    { title: 'REVERSED', value: (it) => shortTime(it.reversed) },
  ])
  return [
    fields(partyFields(merchant)),
    section('Balances', merchant.balances.length === 0 ? '' : balances),
    section('Wanted by orders that wait', waiting),
    section('Enabled for', merchant.pairs.length === 0 ? '' : pairs),
    section('Keys', credentialTable(merchant.credentials)),
    section('Deposits', merchant.deposits.length === 0 ? '' : deposits),
  ].join('')
}

function providerText(provider: ProviderDocument): string {
  const held = table(provider.held, [
    { title: 'SINCE', value: (it) => shortTime(it.since) },
    { title: 'ORDER', value: (it) => it.order },
  ])
  return [
    fields([
      ...partyFields(provider),
      ['networks', provider.networks.join(', ')],
      ['we owe it', amounts(provider.balances) || null],
    ]),
    section('Keys', credentialTable(provider.credentials)),
    section('Orders it holds', provider.held.length === 0 ? '' : held),
  ].join('')
}
