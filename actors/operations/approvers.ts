/**
 * Who may approve what whom has asked for: somebody else, who may do it themselves, and whom neither has let in. Whoever made an account,
 * or gave it its password, may sign in under its name, so that both count as one person.
 */
import { allOperators } from '../../persistence/queries/people.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { isAtLeast, operatorRole, type Role } from '../foundation/roles.ts'

/** What was approved is not what would be done, or not by those who have done so: it is void. */
export class NoLongerHolds extends OperationError {}

type Approval = Row<'approvals'>
type Person = Pick<Row<'people'>, 'name' | 'role' | 'disabled_at' | 'let_in_by'>

/** Whoever has the node's token, or the machine, as `let_in_by` names them. */
const tokenHolder = 'token'

/** As `let_in_by` names them. */
export function holderOf(person: string | null): string {
  return person === null ? tokenHolder : `person:${person}`
}

/** Those that count as one person, under the same name. */
function circles(people: readonly Pick<Person, 'name' | 'let_in_by'>[]): (holder: string) => string {
  const above = new Map(people.map(({ name, let_in_by }) => [holderOf(name), let_in_by]))
  return (holder) => {
    const seen = new Set<string>()
    for (let at: string | null = holder; at !== null && !seen.has(at); at = above.get(at) ?? null)
      seen.add(at)
    // Where two have let in each other, both come to the same.
    const way = [...seen]
    const last = way.at(-1) ?? holder
    const again = above.get(last)
    return again == null ? last : (way.slice(way.indexOf(again)).toSorted()[0] ?? last)
  }
}

/** @returns under which name whoever asks counts: all whom one of them has let in count as one. */
export async function circleOf(store: Pick<Store, 'query'>, person: string | null): Promise<string> {
  return circles(await store.query(allOperators, {}))(holderOf(person))
}

/** How many people could approve what another one of them asks for: enabled administrators whom none of the others has let in. */
export async function countIndependent(store: Pick<Store, 'query'>): Promise<number> {
  const people = await store.query(allOperators, {})
  const circle = circles(people)
  const able = people.filter((one) => one.disabled_at === null && one.role === 'administrator')
  return new Set(able.map(({ name }) => circle(holderOf(name)))).size
}

/** @throws OperationError where both may be one person. */
export async function assertIndependent(
  store: Pick<Store, 'query'>,
  { number, asked_by, is_person }: Approval,
  approver: string,
): Promise<void> {
  const circle = circles(await store.query(allOperators, {}))
  const asker = holderOf(is_person === 1 ? asked_by : null)
  if (circle(asker) !== circle(holderOf(approver))) return
  throw new NoLongerHolds(
    'forbidden',
    `Approval ${number} was asked for by ${asked_by}: one of you has let the other in, and you count as one person.`,
    {
      hint: 'Somebody whom neither of you has let in approves it; the operator’s guide says who counts as one.',
    },
  )
}

/**
 * Who asked and who approved still may, as they are in a step that holds both.
 * @throws OperationError
 */
export function assertStillMay(
  { number, asked_by, is_person, decided_by }: Approval,
  { asker, approver }: { asker: Person | null; approver: Person | null },
  role: Role,
): void {
  if (is_person === 1 && !may(asker, role))
    throw new NoLongerHolds(
      'refused',
      `${asked_by}, who asked for approval ${number}, may not do it any more.`,
    )
  if (decided_by !== null && !may(approver, role))
    throw new NoLongerHolds(
      'refused',
      `${decided_by}, who approved approval ${number}, may not do it any more.`,
    )
}

function may(person: Person | null, role: Role): boolean {
  return person !== null && person.disabled_at === null && isAtLeast(operatorRole(person.role), role)
}
