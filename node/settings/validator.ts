/**
 * The settings' schema, compiled. The one executable has what `npm run build:binary` compiled in the place of this
 * module: to compile it anew would take a tenth of each start.
 */
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { settingFormats } from './formats.ts'
import { Leaf, type Section } from './leaf.ts'
import { type SettingsDocument, settingsTable } from './schema.ts'

type SettingsValidator = ValidateFunction<SettingsDocument>

let compiled: SettingsValidator | null = null

export function settingsValidator(): SettingsValidator {
  // Code that runs once in a process is not worth improving.
  compiled ??= settingsAjv({ optimize: false }).compile<SettingsDocument>(settingsSchema())
  return compiled
}

export function settingsSchema(): object {
  return schemaOf(settingsTable)
}

/** What holds the schema to its draft is a test, not each start. */
export function settingsAjv(code: NonNullable<Options['code']>): Ajv {
  return new Ajv({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    formats: settingFormats,
    meta: false,
    validateSchema: false,
    code,
  })
}

function schemaOf(node: Section | Leaf<unknown>): object {
  if (node instanceof Leaf) return node.schema
  const properties = Object.fromEntries(Object.entries(node).map(([name, child]) => [name, schemaOf(child)]))
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}
