/** People who ask and approve, for the tests of approvals. */
import { OperationError } from '../../../actors/foundation/operation.ts'
import type { Role } from '../../../actors/foundation/roles.ts'
import type { Asker } from '../../../actors/operations/authority.ts'
import type { NodeContext } from '../../../actors/operations/context.ts'
import type { Dispatch } from '../../../actors/operations/dispatch.ts'
import { newPerson } from '../../../actors/people/accounts.ts'
import { approvalByNumber } from '../../../persistence/queries/approvals.ts'
import type { Row, Store } from '../../../persistence/store.ts'
import { dispatchOver } from '../../support/operations.ts'
import type { OrderWorld } from '../../support/order-world.ts'

export interface TwoPeople {
  /** Signed in with a fresh factor; `null` is whoever has the token, or works on the database itself. */
  as(name: string | null, operation: string, input: unknown, role?: Role): Promise<unknown>
  /** `code: message` of a refusal. */
  refused(name: string | null, operation: string, input: unknown, role?: Role): Promise<string>
  /** Asks for what needs a second person. @returns its number */
  asks(name: string | null, operation: string, input: unknown): Promise<number>
  approval(number: number): Promise<Row<'approvals'>>
}

export async function addPeople(
  store: Store,
  names: readonly string[],
  role: Role = 'administrator',
): Promise<void> {
  for (const name of names) {
    await store.step({
      rows: {},
      decide: (_, at) => {
        const values = newPerson({ name, role, party_id: null, passwordHash: 'none', at })
        return { answer: null, writes: [{ insert: 'people', values }] }
      },
    })
  }
}

/**
 * Ana and Luis are administrators; above 1,000.00 MXN it takes both.
 * @param isDirect whoever is not signed in works on the database itself
 */
export async function twoPeople(
  world: OrderWorld & Partial<NodeContext>,
  amount: string | null = '1000.00',
  isDirect = false,
): Promise<TwoPeople> {
  await addPeople(world.store, ['ana', 'luis'])
  const people = peopleOver(world.store, world.clock, dispatchOver({ ...world, isDirect }))
  if (amount !== null) {
    await people.as('ana', 'approval.setThreshold', { currency: 'MXN', amount, reason: 'agreed' })
  }
  return people
}

export function peopleOver(store: Store, clock: { now(): number }, dispatch: Dispatch): TwoPeople {
  const as: TwoPeople['as'] = (name, operation, input, role = 'administrator') => {
    const asker: Asker = { role, hasFactor: true, factorAt: clock.now() }
    return dispatch(operation, input, name ?? 'script', name === null ? undefined : asker)
  }
  const refusal: TwoPeople['refused'] = async (name, operation, input, role) => {
    try {
      await as(name, operation, input, role)
    } catch (error) {
      if (error instanceof OperationError) return `${error.code}: ${error.message}`
      throw error
    }
    throw new Error(`${operation} was done`)
  }
  return {
    as,
    refused: refusal,
    async asks(name, operation, input) {
      const said = await refusal(name, operation, input)
      const number = /^asked: .*approval (\d+)/.exec(said)?.[1]
      if (number === undefined) throw new Error(`${operation} was not asked for: ${said}`)
      return Number(number)
    },
    async approval(number) {
      const [approval] = await store.query(approvalByNumber, { number })
      if (approval === undefined) throw new Error(`There is no approval ${number}.`)
      return approval
    },
  }
}
