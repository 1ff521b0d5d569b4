/** Forms of the console as markup. */
import { attributes, html, type Markup } from '../pages/markup.ts'
import type { Block, FailedForm, Field, Form, PasskeyRequest, RenderContext } from './blocks.ts'
import { cell, sentence } from './cell-markup.ts'
import { accountName, money } from './cells.ts'
import { noticeMarkup } from './notice-markup.ts'
import { formIdField } from './sent-forms.ts'
import { say, type View } from './view.ts'
import { told } from './wording.ts'

/** @param index of the block on its page; makes the ids of its fields */
export function formMarkup(form: Form, context: RenderContext, index: string): Markup {
  const { failed, view } = context
  const isAgain = failed !== null && failed.action === form.action && isSame(form, failed.values)
  const fields = isAgain
    ? form.fields.map((field) => ({ ...field, ...refilled(field, failed) }))
    : form.fields
  const focused = focusedOf(form, fields, isAgain)
  const hidden = {
    ...form.hidden,
    ...(form.passkey === undefined ? {} : { passkey: '' }),
    form_token: context.formToken,
    form_page: context.from,
    [formIdField]: `${context.formsId}-${index}`,
  }
  const { isDanger, isMain, title, closeHref } = form
  // To look does nothing yet.
  const isLook = form.hidden.dryRun !== undefined
  const enctype = attributes({ enctype: fields.some(({ type }) => type === 'file') && 'multipart/form-data' })
  const inner = html`<form method="post" action="${form.action}"${enctype}${passkeyAttributes(form.passkey, view)}>${form.lead ? html`<p>${say(form.lead, view)}</p>` : ''}${booksMarkup(form.books, view)}
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fields.map((field) => fieldMarkup(focused === null ? field : { ...field, isFocused: field === focused }, `f${index}`, view))}
${scriptsNote(form.passkey, view)}<button${attributes({ class: isDanger && !isLook && 'danger' })}>${say(form.button, view)}</button></form>`
  if (isMain) return html`<div class="act main">${inner}</div>`
  const id = `f${index}`
  const close = say(({ drafts }) => drafts.close, view)
  // It is open: beside the page that its link leads back to, or because it has to be written again.
  const open = closeHref ?? (isAgain ? context.from : null)
  if (open !== null) {
    const told = isAgain ? untoldMarkup(failed, fields, view) : ''
    return panelMarkup(say(title, view), close, open, id, html`${told}${inner}`)
  }
  return popoverMarkup(
    { title: say(title, view), close, id, isDanger: isDanger === true, action: form.action },
    inner,
  )
}

/** The field to begin with, `null` for what the form says itself: after a failure, the first that something is wrong with. */
function focusedOf(form: Form, fields: readonly Field[], isAgain: boolean): Field | null {
  const wrong = fields.find(({ problem }) => problem !== undefined)
  if (wrong !== undefined) return wrong
  const isSaid = form.isMain === true || (form.closeHref !== undefined && !isAgain)
  return isSaid ? null : (fields[0] ?? null)
}

/** Beside the form, as it covers what the page tells: on a phone all of it. What each field tells is not told twice. */
function untoldMarkup({ notice, details = [] }: FailedForm, fields: readonly Field[], view: View) {
  const isAtField = (detail: string) =>
    fields.some(({ name, problem }) => problem !== undefined && detail.startsWith(`${name}: `))
  const isToldAtFields = details.length > 0 && details.every(isAtField)
  return notice === undefined || isToldAtFields ? '' : noticeMarkup(notice, view)
}

function booksMarkup(books: Form['books'], view: View): Markup {
  if (books === undefined) return html``
  const { posted } = view.texts
  if (books.length === 0) return html`<p>${posted.nothingMoves}</p>`
  return html`<div class="books"><p>${posted.wouldBook}</p><ul>${books.map(
    ({ debit, credit, amount, currency }) =>
      html`<li>${cell(money(amount, currency), view)} <span>${cell(accountName(debit), view)} → ${cell(accountName(credit), view)}</span></li>`,
  )}</ul><p>${posted.cannotBeUndone}</p></div>`
}

interface Popover {
  title: string
  close: string
  id: string
  isDanger: boolean
  action: string
}

/** A button, and the dialog that it opens beside the page: by the browser itself, so that no script is needed. */
function popoverMarkup({ title, close, id, isDanger, action }: Popover, inner: Markup): Markup {
  return html`
<button type="button" class="quiet${isDanger ? ' warns' : ''}" popovertarget="${id}-act" data-opens="${action}">${title}…</button>
<dialog popover class="panel" id="${id}-act" aria-labelledby="${id}-title"><div class="panel-head">
<h2 id="${id}-title">${title}</h2><button type="button" class="link" popovertarget="${id}-act" popovertargetaction="hide">${close}</button></div>${inner}</dialog>`
}

export function filtersMarkup(
  { action, fields, button }: Extract<Block, { kind: 'filters' }>,
  { view }: RenderContext,
  index: string,
): Markup {
  return html`<form class="filters" method="get" action="${action}" role="search" aria-label="${view.texts.frame.thisList}">
${fields.map((field) => fieldMarkup(field, `f${index}`, view))}
<button class="quiet">${say(button, view)}</button></form>`
}

/** Open without scripts, too: the link closes it. */
function panelMarkup(title: string, close: string, href: string, id: string, inner: Markup): Markup {
  return html`<dialog open class="panel" aria-labelledby="${id}-title"><div class="panel-head">
<h2 id="${id}-title">${title}</h2><a class="close" href="${href}">${close}</a></div>${inner}</dialog>`
}

/** Without scripts there are no passkeys, and that is said. */
function scriptsNote(passkey: PasskeyRequest | undefined, { texts }: View) {
  return passkey === undefined ? '' : html`<noscript><p>${texts.factors.needsScripts}</p></noscript>`
}

/** Scripts ask the browser with them. */
function passkeyAttributes(passkey: PasskeyRequest | undefined, view: View) {
  if (passkey === undefined) return attributes({})
  return attributes({
    'data-passkey': passkey.kind,
    'data-passkey-options': JSON.stringify(passkey.options),
    'data-passkey-button': passkey.kind === 'get' ? say(passkey.button, view) : null,
  })
}

/** As it was written, with what is wrong of it. No password is sent back, and what was not ticked is not. */
function refilled(field: Field, { values, details = [] }: FailedForm): Pick<Field, 'value' | 'problem'> {
  const written = values[field.name] ?? (field.type === 'check' ? '' : undefined)
  const isKept = written !== undefined && field.type !== 'password' && field.type !== 'file'
  const detail = details.find((line) => line.startsWith(`${field.name}: `))
  const problem = detail?.slice(field.name.length + 2)
  return {
    ...(isKept ? { value: written } : {}),
    ...(problem === undefined ? {} : { problem: told(problem) }),
  }
}

/** What differs from one sending to the next: of the revision, the reader is told that it is another one now. */
const changing = new Set(['form_token', 'form_page', formIdField, 'revision', 'passkey', 'dryRun'])

/** Several forms may ask for one operation; one says nothing that another knows or asks for. */
function isSame({ hidden, fields }: Form, values: Readonly<Record<string, string>>): boolean {
  // A file comes with what it was called.
  const asked = new Set(
    fields.flatMap(({ name, type }) => (type === 'file' ? [name, `${name}Name`] : [name])),
  )
  const said = Object.keys(values).filter((name) => !changing.has(name) && !asked.has(name))
  const known = Object.keys(hidden).filter((name) => !changing.has(name))
  return known.every((name) => values[name] === hidden[name]) && said.every((name) => known.includes(name))
}

function fieldMarkup(field: Field, prefix: string, view: View): Markup {
  const id = `${prefix}-${field.name}`
  const { problem, hint } = field
  return html`
<div class="field">
${controlMarkup(field, id, view)}
${problem ? html`<p class="problem" id="${id}-problem">${sentence(problem, view)}</p>` : ''}
${hint ? html`<p class="hint" id="${id}-hint">${say(hint, view)}</p>` : ''}</div>`
}

function controlMarkup(field: Field, id: string, view: View): Markup {
  const label = say(field.label, view)
  const { name, type, value = '', isOptional } = field
  if (type === 'check') {
    const isChecked = attributes({ checked: value !== '' })
    return html`<label class="check"><input type="checkbox" name="${name}" value="yes"${isChecked}> ${label}</label>`
  }
  const isPlain = type === 'search' || type === 'date'
  return html`<label for="${id}">${label}${isOptional && !isPlain ? html` <small>${view.texts.frame.optional}</small>` : ''}</label>
${inputMarkup(field, id, view)}`
}

function inputMarkup(field: Field, id: string, view: View): Markup {
  const { name, type, value = '', options = [], autocomplete } = field
  const maxLength = field.maxLength ?? 500
  const described = describedBy(field, id)
  const required = attributes({ required: !field.isOptional })
  const focused = attributes({ autofocus: field.isFocused })
  switch (type) {
    case 'area':
      return html`<textarea id="${id}" name="${name}" rows="${
        maxLength > 2000 ? 12 : 3
      }" maxlength="${maxLength}"${attributes({ class: field.isCode && 'code', spellcheck: field.isCode && 'false' })}${focused}${required}${described}>${value}</textarea>`
    case 'select':
      return html`<select id="${id}" name="${name}"${focused}${described}${attributes({ required: field.isChosen === true })}>${options.map(
        ([each, text]) => html`
<option value="${each}"${attributes({ selected: each === value })}>${say(text, view)}</option>`,
      )}</select>`
    case 'file':
      return html`<input id="${id}" type="file" name="${name}"${focused}${required}${described}>`
    default: {
      // No password is ever written on a page.
      const filled = attributes({
        value: type === 'password' ? null : value,
        autocomplete,
        autofocus: field.isFocused,
      })
      return html`<input id="${id}" type="${type === 'amount' || type === 'units' ? 'text' : type}" name="${name}" maxlength="${maxLength}" spellcheck="false"
${filled}${required}${described}>`
    }
  }
}

function describedBy({ problem, hint }: Field, id: string) {
  const notes = [...(problem ? [`${id}-problem`] : []), ...(hint ? [`${id}-hint`] : [])]
  return attributes({
    'aria-invalid': problem ? 'true' : null,
    'aria-describedby': notes.length > 0 ? notes.join(' ') : null,
  })
}
