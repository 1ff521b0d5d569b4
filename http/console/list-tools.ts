/** What each operator makes of a list: the columns that it shows, and filters that they have saved. */
import {
  type ListDocument,
  listRemoveFilter,
  listSaveFilter,
  listSetColumns,
  listShow,
} from '../../actors/people/lists.ts'
import type { Block, Column, Field } from './blocks.ts'
import { formPath, operationForm } from './forms.ts'
import type { Action, PageRequest } from './page.ts'
import type { Words } from './view.ts'

type Table = Extract<Block, { kind: 'table' }>

/** Fields of the form that chooses columns. */
const columnPrefix = 'column-'

/** Of an address, what is no filter. */
const notFilters = ['cursor', 'done', 'form']

/** The blocks of a page with its lists as the operator likes them. */
export async function withTools(
  request: PageRequest,
  path: string,
  blocks: readonly Block[],
): Promise<readonly Block[]> {
  const table = blocks.find(hasChoice)
  if (table === undefined) return blocks
  const { columns, filters } = await request.ask(listShow, { list: table.list })
  const shown = columns === null ? table : narrowed(table, new Set(columns))
  const tools: Block = {
    kind: 'fold',
    title: ({ lists }) => lists.columnsAndFilters,
    blocks: toolForms(request, table, { columns, filters }),
  }
  return [
    ...(filters.length === 0 ? [] : [filterLinks(path, filters)]),
    ...blocks.map((block) => (block === table ? shown : block)),
    tools,
  ]
}

function hasChoice(block: Block): block is Table & { list: string } {
  return (
    block.kind === 'table' && block.list !== undefined && block.columns.some(({ key }) => key !== undefined)
  )
}

function narrowed(table: Table, wanted: ReadonlySet<string>): Table {
  const isShown = ({ key }: Column) => key === undefined || wanted.has(key)
  const places = table.columns.map(isShown)
  return {
    ...table,
    columns: table.columns.filter(isShown),
    rows: table.rows.map((row) => row.filter((_, index) => places[index] ?? true)),
  }
}

function filterLinks(path: string, filters: ListDocument['filters']): Block {
  return {
    kind: 'links',
    items: filters.map(({ name, query }) => ({ text: name, href: query === '' ? path : `${path}?${query}` })),
  }
}

function toolForms(
  request: PageRequest,
  { list, columns }: Table & { list: string },
  { columns: chosen, filters }: ListDocument,
): Block[] {
  const query = new URLSearchParams(request.query)
  for (const name of notFilters) query.delete(name)
  return [
    {
      kind: 'form',
      form: {
        action: columnsPath,
        title: ({ lists }) => lists.chooseColumns,
        button: ({ lists }) => lists.showThem,
        hidden: { list },
        fields: columns.flatMap(({ key, label }) =>
          key === undefined ? [] : [columnField(key, label, chosen)],
        ),
      },
    },
    ...operationForm(request, listSaveFilter, {
      title: ({ lists }) => lists.saveThisFilter,
      button: ({ lists }) => lists.save,
      fields: ['name'],
      hidden: { list, query: query.toString() },
    }),
    ...(filters.length === 0
      ? []
      : operationForm(request, listRemoveFilter, {
          title: ({ lists }) => lists.removeAFilter,
          button: ({ lists }) => lists.remove,
          fields: ['name'],
          adjusted: {
            name: { type: 'select', options: filters.map(({ name }) => [name, name] as const) },
          },
          hidden: { list },
        })),
  ]
}

function columnField(key: string, label: Words, chosen: readonly string[] | null): Field {
  const isChosen = chosen === null || chosen.includes(key)
  return {
    name: `${columnPrefix}${key}`,
    label,
    type: 'check',
    isOptional: true,
    value: isChosen ? 'yes' : '',
  }
}

const columnsPath = formPath(listSetColumns)

export const listActions: readonly Action[] = [
  {
    path: columnsPath,
    name: listSetColumns.name,
    async run({ ask }, values) {
      const columns = Object.keys(values)
        .filter((name) => name.startsWith(columnPrefix))
        .map((name) => name.slice(columnPrefix.length))
      await ask(listSetColumns, { list: values.list ?? '', columns })
      return { kind: 'go' }
    },
  },
]
