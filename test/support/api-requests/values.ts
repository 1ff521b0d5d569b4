/** Values that the document has nothing against. */
import fc from 'fast-check'
import type { BodySchema, FieldSchema } from './operations.ts'

/** What there is that a request may name. */
export interface KnownThings {
  /** By the name of the field or the parameter. */
  readonly [name: string]: readonly string[]
}

const texts = (minLength: number, maxLength: number) =>
  fc
    .string({ unit: 'grapheme', minLength, maxLength })
    .filter(
      (text) =>
        (minLength === 0 || text.trim() !== '') && !text.includes('\0') && [...text].length <= maxLength,
    )

const instant = fc
  .date({ min: new Date('2026-03-01T13:00:00Z'), max: new Date('2026-06-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString())

const byFormat: Readonly<Record<string, fc.Arbitrary<string>>> = {
  decimal: fc.oneof(
    fc.constantFrom('1000.00', '10.00', '1', '0', '00012.50'),
    fc
      .tuple(fc.nat(10_000_000), fc.nat(99))
      .map(([whole, cents]) => `${whole}.${String(cents).padStart(2, '0')}`),
  ),
  'date-time': instant,
  date: fc.constantFrom('2026-02-28', '2026-03-01', '2026-03-02'),
  uri: fc.webUrl({ withFragments: true, withQueryParameters: true, validSchemes: ['https'] }),
  email: fc.stringMatching(/^[a-z]{1,10}(\.[a-z]{1,5})?@[a-z]{1,10}\.(com|mx|example)$/),
  uuid: fc.uuid(),
}

export function validText(name: string, schema: FieldSchema, known: KnownThings): fc.Arbitrary<string> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: 200 }).map(String)
  const { minLength = 0, maxLength = 40 } = schema
  const any = byFormat[schema.format ?? ''] ?? texts(minLength, Math.min(maxLength, 60))
  const own = known[name]
  return own === undefined || own.length === 0
    ? any
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...own) }, { weight: 1, arbitrary: any })
}

export function validBody(schema: BodySchema, known: KnownThings): fc.Arbitrary<Record<string, unknown>> {
  const [contact] = schema['x-at-least-one-of'] ?? []
  const members = Object.entries(schema.properties).map(([name, field]) => [
    name,
    validText(name, name === contact ? { ...field, minLength: 1 } : field, known),
  ])
  const requiredKeys = [...schema.required, ...(contact === undefined ? [] : [contact])]
  return fc.record(Object.fromEntries(members), { requiredKeys })
}
