import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RequestSchema } from '../../../http/api/field-schemas.ts'
import { type RequestName, requestSchemas } from '../../../http/api/schemas.ts'
import { validate } from '../../../http/api/validation.ts'

const schemas: [string, RequestSchema][] = Object.entries(requestSchemas)

function exampleOf(schema: RequestSchema): Record<string, string> {
  const examples = Object.entries(schema.properties).map(([name, field]) => [name, String(field.examples[0])])
  return Object.fromEntries(examples)
}

for (const [name, schema] of schemas) {
  test(`the examples of ${schema.title} make a request that its schema takes`, () =>
    assert.equal(validate(name as RequestName, exampleOf(schema)), { errors: [], fields: exampleOf(schema) }))

  test(`${schema.title} requires only fields that it has, in their order`, () => {
    const names = Object.keys(schema.properties)
    assert.equal(
      schema.required,
      names.filter((field) => schema.required.includes(field)),
    )
    for (const field of schema['x-at-least-one-of'] ?? []) assert.ok(names.includes(field))
  })
}

/** Protocol 2.7. */
const lengths: [field: string, longest: number, unit: string][] = [
  ['merchant_order_id', 127, '😀'],
  ['consumer_phone_number', 128, '😀'],
  ['description', 1000, '😀'],
  ['country', 2, '😀'],
  ['price_currency', 3, '😀'],
]
for (const [field, longest, unit] of lengths)
  test(`${field} has at most ${longest} code points`, () => {
    const errorsOf = (length: number) =>
      validate('localPayOut', { ...exampleOf(requestSchemas.localPayOut), [field]: unit.repeat(length) })
        .errors
    assert.equal(errorsOf(longest), [])
    assert.equal(errorsOf(longest + 1), [
      {
        attr: field,
        code: 'max_length',
        detail: `Ensure this field has no more than ${longest} characters.`,
      },
    ])
  })

test('an e-mail address has at most 254 characters and a URL 2,048', () => {
  const base = exampleOf(requestSchemas.localPayOut)
  const codesOf = (change: Record<string, string>) =>
    validate('localPayOut', { ...base, ...change }).errors.map(({ attr, code }) => `${attr} ${code}`)
  const email = (length: number) => ({
    consumer_email: `${'a'.repeat(length - '@example.com'.length)}@example.com`,
  })
  const url = (length: number) => ({ return_url: 'https://shop.example/'.padEnd(length, 'x') })
  assert.equal(codesOf({ ...email(254), ...url(2048) }), [])
  assert.equal(codesOf({ ...email(255), ...url(2049) }), [
    'return_url max_length',
    'consumer_email max_length',
  ])
})

test.run()
