/** Forms of the console, what they say and what they ask for. */
import type { Field as Described } from '../../actors/foundation/fields.ts'
import { type Operation, wordsOf } from '../../actors/foundation/operation.ts'
import { localTime } from '../../actors/terms/days.ts'
import type { Block, Field, Form } from './blocks.ts'
import type { Action, Done, FormValues, PageRequest } from './page.ts'
import { named } from './readable.ts'
import { type AmountKind, withTypedAmounts } from './typed-amounts.ts'
import { wording } from './wording.ts'
import { momentOf } from './zones.ts'

/** Only paths of this listener: a link must not lead a signed-in operator elsewhere. */
export function ownPath(text: string | undefined, otherwise = '/'): string {
  return text !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) ? text : otherwise
}

/** What cannot be decoded is the path of nothing. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}

/** Members that were filled in. */
export function filled<Members extends Record<string, string | undefined>>(
  members: Members,
): { [Name in keyof Members]?: string } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(entries) as { [Name in keyof Members]?: string }
}

/** A form that asks for an operation: what the page says of it, besides what the operation says of its fields. */
interface OperationForm<Input> extends Omit<Form, 'action' | 'fields' | 'hidden'> {
  /** Unless it is sent to where the operation is asked for. */
  action?: string
  /** Those that it shows, in their order. */
  fields: readonly (keyof Input & string)[]
  /** What the page knows better of them: what there is to choose from, a value to begin with. */
  adjusted?: { readonly [Name in keyof Input]?: Partial<Field> }
  hidden?: Form['hidden']
}

/** No form where the operator may not ask for the operation. */
export function operationForm<Input, Output>(
  { may }: Pick<PageRequest, 'may'>,
  operation: Operation<Input, Output>,
  { fields: names, adjusted = {}, hidden = {}, ...form }: OperationForm<Input>,
): Block[] {
  if (!may(operation)) return []
  const fields = names.flatMap((name) => {
    const described = operation.fields[name]
    return described === undefined ? [] : [{ ...formField(name, described), ...adjusted[name] }]
  })
  return [{ kind: 'form', form: { action: formPath(operation), ...form, hidden, fields } }]
}

/** A form that looks first: what its operation would do is shown in answer, and done from there. */
export function lookingForm<Input, Output>(
  request: Pick<PageRequest, 'may'>,
  operation: Operation<Input, Output>,
  { hidden = {}, ...form }: Omit<OperationForm<Input>, 'button'>,
): Block[] {
  return operationForm(request, operation, {
    ...form,
    button: ({ common }) => common.preview,
    hidden: { ...hidden, ...onlyShown },
  })
}

/**
 * A form that shows what it would book.
 * @param books `null` where that is not known before it is filled in: then it looks first
 */
export function bookingForm<Input, Output>(
  request: Pick<PageRequest, 'may'>,
  operation: Operation<Input, Output>,
  books: Form['books'] | null,
  { button, ...form }: OperationForm<Input>,
): Block[] {
  if (books == null) return lookingForm(request, operation, form)
  return operationForm(request, operation, { ...form, button, books })
}

/** What such a form says beside its fields. */
const onlyShown = { dryRun: 'yes' }

interface Offered<Shown> {
  shown: Shown
  /** Of what is shown, by the names of fields: each operation gets those that it takes. */
  known: Form['hidden']
  /** What each would book, by its name: those that are not among them are looked at first. */
  books: ReadonlyMap<string, NonNullable<Form['books']>>
}

/** The forms of those operations that are asked of what is shown, and can be now. */
export function offeredForms<Shown>(
  request: Pick<PageRequest, 'may'>,
  operations: readonly Operation<never, Shown>[],
  { shown, known, books }: Offered<Shown>,
): Block[] {
  return operations.flatMap((operation) => {
    const offer = operation.offer?.(shown) ?? null
    if (offer === null) return []
    const { fields, labels = {}, known: offered = {}, isDanger, title, lead, button } = offer
    const taken = Object.entries(known).filter(([name]) => Object.hasOwn(operation.fields, name))
    const adjusted = Object.fromEntries(
      Object.entries(labels).map(([name, label]) => [name, { label: wording(label) }]),
    )
    const hidden = { ...Object.fromEntries(taken), ...offered }
    const booked = books.get(operation.name)
    return bookingForm<Readonly<Record<string, unknown>>, Shown>(request, operation, booked, {
      ...(isDanger === undefined ? {} : { isDanger }),
      title: wording(title),
      ...(lead === undefined ? {} : { lead: wording(lead) }),
      button: wording(button),
      fields,
      adjusted,
      hidden,
    })
  })
}

/** A field in which one of these is chosen. */
export function oneOf(values: readonly string[]): Partial<Field> {
  return { type: 'select', options: values.map((value) => [value, value] as const) }
}

/** So many parties are to be chosen from: a page with thousands of them would be a long one, and nobody finds one there. */
export const partiesShown = 200

/** The same of merchants or providers; of more the whole name is written. */
export function oneOfParties(names: readonly string[], { isOptional = false } = {}): Partial<Field> {
  const each = [...new Set(names)]
  if (each.length > partiesShown) return { hint: (texts) => texts.common.itsWholeName }
  return {
    type: 'select',
    options: optionsOf(
      each.map((name) => [name, name]),
      isOptional,
    ),
  }
}

/** For a field of a time: 24 hours before now. */
export function dayBefore({ now, view }: Pick<PageRequest, 'now' | 'view'>): string {
  return localTime(now - 86_400_000, view.zone)
}

function formField(name: string, { kind, schema, values, isOptional, form }: Described): Field {
  const { label, hint, control = 'text', choices, maxLength = schema.maxLength, ...rest } = form ?? {}
  return {
    ...rest,
    name,
    label: label === undefined ? named(name) : wording(label),
    ...(hint === undefined ? {} : { hint: wording(hint) }),
    type: kind === 'choice' ? 'select' : kind === 'flag' ? 'check' : control,
    ...(isOptional ? { isOptional } : {}),
    ...(typeof maxLength === 'number' ? { maxLength } : {}),
    ...(values === undefined
      ? {}
      : { options: optionsOf(choices?.map(worded) ?? values.map(choice), isOptional) }),
  }
}

/** A word of the program's own. */
export const choice = (value: string) => [value, named(value)] as const

const worded = ([value, text]: readonly [string, string]) => [value, wording(text)] as const

type Choices = NonNullable<Field['options']>

/** What may be left out is left out unless somebody chooses: a browser would send the first choice. */
function optionsOf(choices: Choices, isOptional: boolean): Choices {
  return isOptional ? [['', '–'], ...choices] : choices
}

/**
 * What a form says, as the input of an operation; whether it is one, the operation's schema says.
 * @param zone of times, which are sent as they are on a wall
 * @throws OperationError where an amount is not clear
 */
export function formInput<Input, Output>(
  { fields }: Operation<Input, Output>,
  sentValues: FormValues,
  zone: string,
): Input {
  const kinds = Object.entries(fields).map(([name, { form }]) => ({ name, type: form?.control }))
  const values = withTypedAmounts(sentValues, amountKinds(kinds))
  const members = Object.entries(fields).flatMap(([name, { isOptional, read, form }]) => {
    const sent = values[name] ?? ''
    const written = form?.control === 'datetime-local' ? momentOf(sent, zone) : sent
    return written === '' && isOptional ? [] : [[name, read(written) ?? written]]
  })
  // Each member is what its field reads from a text, or the dispatcher refuses it.
  return Object.fromEntries(members) as Input
}

/** Of those fields that are amounts. */
export function amountKinds(
  fields: readonly { name: string; type: string | undefined }[],
): ReadonlyMap<string, AmountKind> {
  return new Map(
    fields.flatMap(({ name, type }) =>
      type === 'amount' || type === 'units' ? [[name, type] as const] : [],
    ),
  )
}

/** Where an operation's form is sent to. */
export function formPath(operation: Pick<Operation<never, never>, 'name'>): string {
  return `/${wordsOf(operation).join('/')}`
}

/** Asks for an operation with what its form says; unless more is to be said, the operator is back where the form was. */
export function operationAction<Input, Output>(
  operation: Operation<Input, Output>,
  done: (output: Output, values: FormValues) => Done = () => ({ kind: 'go' }),
  path = formPath(operation),
): Action {
  return {
    path,
    name: operation.name,
    run: async ({ ask, view }, values) =>
      done(await ask(operation, formInput(operation, values, view.zone)), values),
  }
}
