/** What no start checks, because it cannot change there: that each schema is one of its draft. */
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { operationsOf } from '../../../actors/operations/index.ts'
import { requestSchemas } from '../../../http/api/schemas.ts'
import { settingsSchema } from '../../../node/settings/validator.ts'

const draft2020 = new Ajv2020()

test('the schema of every request is one of draft 2020-12', () => {
  for (const [name, schema] of Object.entries(requestSchemas))
    assert.ok(draft2020.validateSchema(schema), `${name}: ${draft2020.errorsText()}`)
})

test('the schema of the input of every operation is one of draft 2020-12', () => {
  for (const { name, input } of operationsOf('sandbox'))
    assert.ok(draft2020.validateSchema(input), `${name}: ${draft2020.errorsText()}`)
})

test('the schema of the settings is one of draft 7', () => {
  const ajv = new Ajv()
  assert.ok(ajv.validateSchema(settingsSchema()), ajv.errorsText())
})

test('a schema that is none of its draft would be found', () => {
  assert.not.ok(draft2020.validateSchema({ type: 'text' }))
})

test.run()
