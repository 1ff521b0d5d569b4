/** What providers have said of quarantined orders, and whose word is missing. */
import type { Instant } from '../../machines/time.ts'
import { networksOfProvider } from '../../persistence/queries/provisioning.ts'
import { quarantineReports } from '../../persistence/queries/quarantine.ts'
import type { Store } from '../../persistence/store.ts'

export interface QuarantineWords {
  /** Every provider that could have paid before a time, by id. */
  providers: readonly { id: string; name: string; since: Instant }[]
  /** By order: the providers that have said they did not pay it, since it is quarantined. */
  denials: ReadonlyMap<string, ReadonlySet<string>>
}

/** @param providers all there are: nobody starts a payment without a network */
export async function quarantineWords(
  store: Pick<Store, 'query'>,
  providers: readonly { id: string; name: string; created_at: number }[],
): Promise<QuarantineWords> {
  const able: { id: string; name: string; since: number }[] = []
  for (const { id, name, created_at: since } of providers) {
    const networks = await store.query(networksOfProvider, { providerId: id })
    if (networks.length > 0) able.push({ id, name, since })
  }
  const denials = new Map<string, Set<string>>()
  for (const { id, event_json } of await store.query(quarantineReports, {})) {
    const { providerId }: { providerId?: unknown } = JSON.parse(event_json)
    if (typeof providerId !== 'string') continue
    const said = denials.get(id) ?? new Set()
    denials.set(id, said.add(providerId))
  }
  return { providers: able, denials }
}

/** Providers that could have paid an order since it is quarantined and have not said that they did not, by name. */
export function missingWords(
  { providers }: Pick<QuarantineWords, 'providers'>,
  said: ReadonlySet<string>,
  quarantinedAt: Instant,
): string[] {
  return providers.filter(({ id, since }) => since <= quarantinedAt && !said.has(id)).map(({ name }) => name)
}
