/** How a bank's statement is read as CSV: set for a bank that is there, changed and taken away by a file. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { apply } from '../../../actors/provisioning/operations.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld } from '../../support/order-world.ts'

const play = inOrderWorld(test)

const columns = { day: 'Fecha', reference: 'Ref', amount: 'Importe' }
const bank = (statement?: object | null) => ({
  banks: [{ name: 'main', currency: 'MXN', ...(statement === undefined ? {} : { statement }) }],
})

/** Applied one after the other: the statement, the members that change, and what is kept then. */
const steps: [what: string, statement: object | null, members: string[], kept: RegExp | null][] = [
  [
    'set',
    { columns },
    [
      'statement.encoding – → utf-8',
      'statement.columns.day – → Fecha',
      'statement.columns.reference – → Ref',
      'statement.columns.amount – → Importe',
      'statement.decimal – → .',
    ],
    /"decimal":"\."/,
  ],
  [
    'changed',
    { columns: { ...columns, text: 'Concepto' }, decimal: ',' },
    ['statement.columns.text – → Concepto', 'statement.decimal . → ,'],
    /"decimal":","/,
  ],
  [
    'taken away',
    null,
    [
      'statement.encoding utf-8 → –',
      'statement.columns.day Fecha → –',
      'statement.columns.reference Ref → –',
      'statement.columns.amount Importe → –',
      'statement.columns.text Concepto → –',
      'statement.decimal , → –',
    ],
    null,
  ],
]

play(
  'the columns of a bank’s statement are set, changed and taken away, each after a dry run',
  async (world) => {
    const { ask } = operatorOf(world)
    await ask(apply, bank())
    const kept = async () => (await world.rows('banks')).at(0)?.statement_json ?? null
    for (const [what, statement, members, stays] of steps) {
      const before = await kept()
      const dry = await ask(apply, { ...bank(statement), dryRun: true })
      assert.is(await kept(), before, what)
      assert.equal(
        dry.differences.flatMap((one) =>
          one.members.map(({ name, before, after }) => `${name} ${before ?? '–'} → ${after ?? '–'}`),
        ),
        members,
        what,
      )
      const { changes } = await ask(apply, { ...bank(statement), digest: dry.digest })
      assert.equal(changes, ['bank main: statement set'], what)
      if (stays === null) assert.is(await kept(), null)
      else assert.match((await kept()) ?? '', stays)
      assert.equal((await ask(apply, bank(statement))).changes, [], `${what} once`)
    }
  },
)

test.run()
