/** Forms of the console that make files, as somebody without scripts fills them in and applies what they show. */
import * as assert from 'uvu/assert'
import type { ConsoleAnswer, ConsoleVisitor } from './console.ts'

/** Opens a form of a page, changes some of its fields and sends it; what it had otherwise it keeps. */
export async function look(
  visitor: ConsoleVisitor,
  path: string,
  changes: Record<string, string>,
): Promise<ConsoleAnswer> {
  const { text } = await visitor.get(path)
  const [, form = ''] =
    /<dialog open[\s\S]*?<form[^>]*action="\/apply\/preview"[^>]*>([\s\S]*?)<\/form>/.exec(text) ?? []
  assert.ok(form !== '', `${path} has the form open`)
  return visitor.post('/apply/preview', { ...fieldsOf(form), form_page: path, ...changes })
}

/** What a browser would send of a form that nobody has written into. */
function fieldsOf(form: string): Record<string, string> {
  const inputs = [...form.matchAll(/<input([^>]*)>/g)].flatMap(([, text = '']) => {
    const named = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1]
    const isOff = named('type') === 'checkbox' && !/\bchecked/.test(text)
    return isOff || named('type') === 'file' ? [] : [[named('name') ?? '', unescaped(named('value') ?? '')]]
  })
  const areas = [...form.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>([^<]*)/g)]
  const selects = [...form.matchAll(/<select[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)]
  return Object.fromEntries([
    ...inputs,
    ...areas.map(([, name = '', text = '']) => [name, unescaped(text)]),
    ...selects.map(([, name = '', options = '']) => [
      name,
      (/<option value="([^"]*)"[^>]*selected/.exec(options) ??
        /<option value="([^"]*)"/.exec(options))?.[1] ?? '',
    ]),
  ])
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** Presses *Apply* on the page that shows the changes. */
export async function applyShown(
  visitor: ConsoleVisitor,
  answer: ConsoleAnswer,
  reason = '',
): Promise<ConsoleAnswer> {
  const [, form = ''] = /<form[^>]*action="\/apply"[^>]*>([\s\S]*?)<\/form>/.exec(answer.text) ?? []
  assert.ok(form !== '', 'it can be applied')
  return visitor.post('/apply', { ...fieldsOf(form), ...(reason === '' ? {} : { reason }) })
}

/** The rows of the tables of changes, tags left out. */
export function changesOf({ text }: ConsoleAnswer): string[] {
  return [...text.matchAll(/<tr role="row">([\s\S]*?)<\/tr>/g)]
    .map(([, row = '']) =>
      [...row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)]
        .map(([, cell = '']) => unescaped(cell.replace(/<[^>]*>/g, '')))
        .join(' | '),
    )
    .filter((row) => row !== '')
}
