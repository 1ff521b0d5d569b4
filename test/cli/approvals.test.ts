/** Every door to an operation that takes two people: a form of the console, the operator API, a command beside the node, one without it. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { approvalSetThreshold } from '../../actors/approvals/thresholds.ts'
import { OperationError } from '../../actors/foundation/operation.ts'
import { depositAdd } from '../../actors/operations/deposits.ts'
import { connect } from '../../cli/connect.ts'
import { openStore } from '../../persistence/index.ts'
import { addOperators, onSqlite, tokenOf, visitorAs } from '../support/console.ts'
import { allRows } from '../support/database.ts'
import { startTestNode, type TestNode } from '../support/node.ts'

const deposit = (reference: string) => ({
  ...{ merchant: 'Shop', reference, amount: '5000.00', currency: 'MXN' },
  reason: 'seen at the bank',
})

async function asksByCommand({ settings, clock }: TestNode, reference: string): Promise<void> {
  const operations = await connect(settings, { clock, operator: 'ana', mayCreate: false })
  const error = await operations.perform(depositAdd, deposit(reference)).catch((thrown: unknown) => thrown)
  await operations.close()
  assert.ok(error instanceof OperationError)
  assert.equal([error.code, operations.publicUrl === null], ['asked', reference === 'stopped'])
}

async function asksByForm(node: TestNode): Promise<void> {
  const visitor = await visitorAs(node, 'administrator')
  await visitor.get('/approvals')
  const page = { form_page: '/parties/merchants/Shop' }
  assert.is((await visitor.post('/deposit/add', { ...deposit('form'), ...page })).status, 202)
}

async function asksByRequest(node: TestNode): Promise<void> {
  const answer = await fetch(`${node.operatorUrl}/api/operations/deposit.add`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tokenOf(node)}`,
      'Content-Type': 'application/json',
      'Operator-Name': 'ana',
    },
    body: JSON.stringify(deposit('request')),
  })
  const told: { error?: { code?: string } } = JSON.parse(await answer.text())
  assert.equal([answer.status, told.error?.code], [202, 'asked'])
}

test('none of the doors books above the threshold', async () => {
  const node = await startTestNode(onSqlite())
  const { clock } = node
  try {
    await addOperators(node)
    const operations = await connect(node.settings, { clock, operator: 'ana', mayCreate: false })
    await operations.perform(approvalSetThreshold, { currency: 'MXN', amount: '1000.00', reason: 'agreed' })
    await operations.close()
    await asksByForm(node)
    await asksByRequest(node)
    await asksByCommand(node, 'command')
  } finally {
    await node.stop()
  }
  await asksByCommand(node, 'stopped')
  const store = await openStore(`sqlite:${join(node.directory, 'node.db')}`, { clock })
  const approvals = (await allRows(store, 'approvals')).toSorted((one, other) => one.number - other.number)
  assert.equal(
    approvals.map(({ is_person, state }) => `${is_person} ${state}`),
    ['1 asked', '0 asked', '0 asked', '0 asked'],
  )
  const booked = (await allRows(store, 'account_deposits')).map(({ reference }) => reference)
  assert.equal(booked, ['opening'])
  await store.close()
  rmSync(node.directory, { recursive: true })
})

test.run()
