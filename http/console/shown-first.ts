/** What a form has shown that only shows: with what was said for it, and a button that does the same. */
import type { Field as Described } from '../../actors/foundation/fields.ts'
import { operationsOf } from '../../actors/operations/index.ts'
import type { Block, Cell } from './blocks.ts'
import { choice } from './forms.ts'
import type { Action, Done, FormValues, PageView } from './page.ts'
import { formIdField } from './sent-forms.ts'
import type { Texts } from './texts/index.ts'
import type { Words } from './view.ts'
import { wording } from './wording.ts'

/** What is of the form itself, and said anew with each. */
const ofTheForm = ['form_token', 'form_page', formIdField, 'dryRun', 'passkey']

/** What was shown is done with what was said for it: nobody writes it again. */
export function withDoing(
  { view, doIt = ({ answers }: Texts) => answers.doIt }: Extract<Done, { kind: 'show' }>,
  { path, name }: Action,
  values: FormValues,
): PageView {
  if (doIt === null) return view
  const hidden = Object.fromEntries(
    Object.entries(values).filter(([of]) => !ofTheForm.includes(of) && !/password/i.test(of)),
  )
  const form = { action: path, title: doIt, button: doIt, fields: [], hidden, isMain: true }
  const [lead, others] = [view.blocks.slice(0, 1), view.blocks.slice(1)]
  return { ...view, blocks: [...lead, ...saidOf(name, hidden), ...others, { kind: 'form', form }] }
}

/** As people read it, so that whoever presses the button sees what for. */
function saidOf(operation: string, values: FormValues): Block[] {
  const fields = operationsOf('sandbox').find(({ name }) => name === operation)?.fields ?? {}
  const items = Object.entries(fields).flatMap(([name, field]): (readonly [Words, Cell])[] => {
    const value = values[name] ?? ''
    const label = field.form?.label
    return value === '' || label === undefined ? [] : [[wording(label), cellOf(field, value)]]
  })
  return items.length === 0 ? [] : [{ kind: 'facts', items }]
}

const mostShown = 200

function cellOf({ kind, form }: Described, value: string): Cell {
  if (kind === 'flag') return ({ common }) => common.yes
  if (form?.control === 'datetime-local') return value.replace('T', ' ')
  if (kind !== 'choice') return value.length > mostShown ? `${value.slice(0, mostShown)}…` : value
  const known = form?.choices?.find(([of]) => of === value)
  return known === undefined ? choice(value)[1] : wording(known[1])
}
