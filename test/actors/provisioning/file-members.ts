/** Members of provisioning files with all they need, and what a file can change. */
import type { OrderWorld } from '../../support/order-world.ts'

export const secret = 'a secret with thirty-two characters or more'.replaceAll(' ', '-')

/** Every table that a file can change, to see that nothing was. */
export async function everything(world: OrderWorld): Promise<unknown> {
  const tables = [
    'parties',
    'credentials',
    'pairs',
    'networks',
    'rates',
    'account_deposits',
    'accounts',
  ] as const
  return Promise.all([...tables, 'postings' as const, 'facts' as const].map((table) => world.rows(table)))
}

export function merchant(members: Record<string, unknown>): Record<string, unknown> {
  return { merchants: [{ name: 'Kiosk', ...members }] }
}

export function provider(members: Record<string, unknown>): Record<string, unknown> {
  return { providers: [{ name: 'Tills', ...members }] }
}

export function rate(members: Record<string, unknown>): Record<string, unknown> {
  return {
    rates: [
      { blockchains: ['SOLANA'], send: 'USDC', country: 'MX', target: 'MXN', rate: '17.25', ...members },
    ],
  }
}

export const pair = { country: 'MX', currency: 'MXN', min: '10.00', max: '50000.00' }

export const deposit = { currency: 'MXN', amount: '100.00', reference: 'one' }
