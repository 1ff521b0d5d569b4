/** What follows from the fields of an operation: the type of its input, its schema, the values of what is written. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  choice,
  flag,
  type InputOf,
  optional,
  reason,
  schemaOf,
  text,
  texts,
  wholeNumber,
} from '../../../actors/foundation/fields.ts'
import { defineOperation, type OperationContext } from '../../../actors/foundation/operation.ts'

const described = {
  id: text({ description: 'Its id.', option: ['--id <id>', 'which'], form: { label: 'Id' } }),
  state: choice(['open', 'closed']),
  reason: optional(reason('For the journal.')),
  ids: optional(texts({ maxItems: 2 })),
  force: optional(flag({ description: 'All the same.' })),
  revision: optional(wholeNumber({ minimum: 1, maximum: 10 })),
}

test('the schema has the rules of each field, and asks for those that are not optional', () => {
  assert.equal(schemaOf(described), {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'Its id.' },
      state: { enum: ['open', 'closed'] },
      reason: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        description: 'For the journal.',
      },
      ids: { type: 'array', items: { type: 'string' }, maxItems: 2 },
      force: { type: 'boolean', description: 'All the same.' },
      revision: { type: 'integer', minimum: 1, maximum: 10 },
    },
    required: ['id', 'state'],
    additionalProperties: false,
  })
  assert.equal(schemaOf({}), { type: 'object', additionalProperties: false })
})

test('the type of an input has the members of the fields, and leaves out only what is optional', () => {
  const least: InputOf<typeof described> = { id: 'a', state: 'open' }
  const whole: Required<InputOf<typeof described>> = {
    id: 'a',
    state: 'closed',
    reason: 'b',
    ids: ['c'],
    force: true,
    revision: 3,
  }
  // @ts-expect-error: a state that there is not
  const wrong: InputOf<typeof described> = { id: 'a', state: 'ajar' }
  // @ts-expect-error: no id
  const missing: InputOf<typeof described> = { state: 'open' }
  assert.equal(
    Object.keys({ ...least, ...whole, ...wrong, ...missing }).toSorted(),
    Object.keys(described).toSorted(),
  )
})

test('what is written is read as a value of its field, or as none', () => {
  const { state, ids, force, revision } = described
  assert.equal([state.read('open'), state.read('ajar')], ['open', undefined])
  assert.equal(ids.read('a b'), ['a b'])
  assert.equal([force.read('yes'), force.read('')], [true, false])
  assert.equal(['true', 'on', '1', 'YES', 'no', 'false', '0'].map(force.read), Array(7).fill(undefined))
  assert.equal(['1', '0', '01', '-1', '1.5', 'x', ''].map(revision.read), [1, ...Array(6).fill(undefined)])
})

test('an operation has the schema of its fields, and is given what they describe', async () => {
  const operation = defineOperation({
    name: 'thing.show',
    summary: 'Show a thing.',
    fields: { id: described.id },
    arguments: ['id'],
    isRead: true,
    run: async (_: OperationContext, { id }) => ({ shown: id.toUpperCase() }),
  })
  assert.equal(operation.input, schemaOf({ id: described.id }))
  assert.equal(operation.arguments, ['id'])
})

test.run()
