/** What the doctor finds of approvals: whether anything takes two people, who could approve, and what waits. */
import { currencyName } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { allThresholds, askedApprovals, ledgerCurrencies } from '../../persistence/queries/approvals.ts'
import { enabledAdministratorNames } from '../../persistence/queries/people.ts'
import { everyOperation } from '../approvals/sums.ts'
import { countIndependent } from './approvers.ts'
import type { NodeContext } from './context.ts'
import { type DoctorCheck, fine, wrong } from './doctor-check.ts'

const set = 'ventanilla approval set-threshold --currency MXN --amount 10000.00'

/** What waits longer is forgotten by whoever should approve it. */
const longMs = 24 * 3_600_000

export async function checkApprovals({ store, clock, surroundings }: NodeContext): Promise<DoctorCheck> {
  const thresholds = await store.query(allThresholds, {})
  const administrators = await store.query(enabledAdministratorNames, {})
  const hasOthers = (await countIndependent(store)) > 1
  if (thresholds.length === 0) {
    const told = 'no threshold is set: one person alone moves any amount'
    // Whoever works alone has nobody to ask.
    if (surroundings.mode === 'sandbox' || !hasOthers) return fine('approvals', told)
    return wrong('approvals', told, `Set one for each currency: \`${set}\`.`)
  }
  if (!hasOthers) {
    const who =
      ['nobody', 'one administrator'][administrators.length] ?? 'administrators who count as one person'
    const told = `thresholds are set, and ${who} could approve`
    return wrong(
      'approvals',
      told,
      'Add another one: `ventanilla operator invite NAME --role administrator`.',
    )
  }
  const covered = new Set(
    thresholds.flatMap(({ operation, currency }) => (operation === everyOperation ? [currency] : [])),
  )
  const used = (await store.query(ledgerCurrencies, {})).map(({ currency }) => currency)
  const open = used.filter((currency) => !covered.has(currency)).map(currencyName)
  if (open.length > 0) {
    return wrong(
      'approvals',
      `${open.join(', ')}: no threshold, so that one person alone moves any amount`,
      `\`${set}\`, for each of them.`,
    )
  }
  const [waiting] = await store.query(askedApprovals, {})
  const count = Number(waiting?.count ?? 0)
  const since = waiting?.since ?? null
  if (since !== null && since < clock.now() - longMs) {
    return wrong(
      'approvals',
      `${count} wait, the oldest since ${formatInstant(since)}`,
      'Somebody who has not asked for it approves or refuses it, in the console.',
    )
  }
  return fine('approvals', count === 0 ? 'none waits' : count === 1 ? 'one waits' : `${count} wait`)
}
