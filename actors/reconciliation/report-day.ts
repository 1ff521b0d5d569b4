/** Whose report of which day it is, as an operator says it: found, or said what is missing. */
import { createHash } from 'node:crypto'
import { oneSpelling } from '../../machines/written-names.ts'
import { networksOfProvider, partiesOfKind } from '../../persistence/queries/provisioning.ts'
import { networkById } from '../../persistence/queries/reconciliation.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { type Day, isDay } from '../terms/days.ts'
import { mappingOf, type ReportMapping } from '../terms/report-mapping.ts'
import type { ReportedDay } from './matching.ts'

export interface FoundDay {
  reported: ReportedDay
  network: Row<'networks'>
  provider: string
  mapping: ReportMapping
  /** SHA-256 in hex over what lines are judged by: with other terms the same file may come to something else. */
  rules: string
}

export interface SaidDay {
  /** Not needed where the network is said: its id is one of all. */
  provider?: string | undefined
  network?: string | undefined
  day: string
}

/** @throws OperationError */
export async function findReportedDay(
  store: Pick<Store, 'query'>,
  { provider, network, day }: SaidDay,
): Promise<FoundDay> {
  if (provider === undefined) {
    if (network !== undefined) return reportedDayOf(store, network, day)
    throw new OperationError('invalid', 'provider: say whose report it is, or of which network.')
  }
  const providers = await store.query(partiesOfKind, { kind: 'provider' })
  const party =
    providers.find(({ name }) => name === provider) ??
    providers.find(({ name }) => name === oneSpelling(provider))
  if (party === undefined) {
    throw new OperationError('not_found', `There is no provider ${provider}.`, {
      hint: 'provider list shows their names.',
    })
  }
  const found = await store.query(networksOfProvider, { providerId: party.id })
  const ids = found.map((one) => one.network_id)
  // Without a currency nothing can be compared: such a network is meant only where it is the only one.
  const meant = ids.length === 1 ? found : found.filter(({ currency }) => currency !== null)
  const networkId = network ?? (meant.length === 1 ? meant[0]?.network_id : undefined)
  if (networkId === undefined || !ids.includes(networkId)) {
    const problem =
      network === undefined
        ? ids.length === 0
          ? `${party.name} has none`
          : `${party.name} has ${ids.length} networks: say which`
        : `${network} is no network of ${party.name}`
    throw new OperationError('invalid', `network: ${problem}.`, {
      hint: `It has ${ids.join(', ') || 'none'}.`,
    })
  }
  return reportedDayOf(store, networkId, day)
}

/** @throws OperationError for what is no day, or a network without a currency. */
export async function reportedDayOf(
  store: Pick<Store, 'query'>,
  networkId: string,
  day: Day,
): Promise<FoundDay> {
  const [network] = await store.query(networkById, { networkId })
  if (network === undefined) throw new OperationError('not_found', `There is no network ${networkId}.`)
  if (!isDay(day)) throw new OperationError('invalid', `day: “${day}” is not a day such as 2026-12-01.`)
  if (network.currency === null) {
    throw new OperationError(
      'refused',
      `The network ${networkId} has no currency, so that nothing can be compared.`,
      {
        hint: `Set it first: terms set-network "${network.provider_name}" --network ${networkId} --currency MXN`,
      },
    )
  }
  const mapping = mappingOf(network.report_json)
  const { provider_id: providerId, currency } = network
  const { toleratedDays } = mapping
  return {
    reported: { networkId, providerId, currency, day, toleratedDays },
    network,
    provider: network.provider_name,
    mapping,
    rules: createHash('sha256')
      .update(JSON.stringify([currency, mapping]))
      .digest('hex'),
  }
}
