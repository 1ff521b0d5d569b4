/**
 * Asks, approves and carries out in a process of its own, to be killed: `approval-node.ts URL before|after N` dies by SIGKILL before or
 * behind its N-th step, or statement that writes; with 0 it says how many there are. It goes on wherever it was cut off.
 */
import { createApprovalWork } from '../../actors/operations/approval-work.ts'
import { openStore } from '../../persistence/index.ts'
import { peopleOver } from '../actors/approvals/two-people.ts'
import { fakeClock } from '../support/clock.ts'
import { allRows } from '../support/database.ts'
import { contextOver, dispatchOver } from '../support/operations.ts'
import { changedStore, registryOf } from '../support/order-world.ts'
import { approvalDeposit, approvalPerson } from './approval-story.ts'

const [url = '', when = 'before', place = '0'] = process.argv.slice(2)
const clock = fakeClock()
const own = await openStore(url, { clock })
let writes = 0

async function mortal<Result>(write: () => Promise<Result>): Promise<Result> {
  writes += 1
  const isLast = writes === Number(place)
  if (isLast && when === 'before') process.kill(process.pid, 'SIGKILL')
  try {
    return await write()
  } finally {
    if (isLast) process.kill(process.pid, 'SIGKILL')
  }
}

const store = changedStore(own, {
  step: (step) => mortal(() => own.step(step)),
  execute: (statement, args) => mortal(() => own.execute(statement, args)),
})
const world = { store, clock, orders: registryOf(store, clock) }
const people = peopleOver(store, clock, dispatchOver(world))

/** What has become of the last one that was asked for. */
async function last(operation: string) {
  return (await allRows(store, 'approvals')).filter((one) => one.operation === operation).at(-1)
}

async function twice(operation: string, input: Record<string, unknown>): Promise<void> {
  const known = await last(operation)
  const number = known === undefined ? await people.asks('ana', operation, input) : known.number
  if ((await people.approval(number)).state === 'asked')
    await people.as('luis', 'approval.approve', { number })
}

// As a node does when it starts.
const onError = (error: unknown) => {
  throw error
}
await createApprovalWork({ context: contextOver(world), isTrusted: () => true, onError })(store)
await twice('deposit.add', approvalDeposit)
await twice('operator.add', approvalPerson)
if ((await last('operator.add'))?.state === 'approved') await people.as('ana', 'operator.add', approvalPerson)
await own.close()
process.stdout.write(`${writes}\n`)
