/** How each operator likes the console's lists: which columns they show, and what they are narrowed by again and again. */
import { listsOfOperator } from '../../persistence/queries/lists.ts'
import { type Decision, type Row, row, type Store, type Write } from '../../persistence/store.ts'
import { text, texts } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'

export interface ListDocument {
  /** `null` for all there are. */
  columns: string[] | null
  /** By their names. */
  filters: SavedFilter[]
}

export interface SavedFilter {
  name: string
  /** As in the address of the list: `status=READY&merchant=Shop`. */
  query: string
}

/** More than anybody keeps apart. */
const mostFilters = 30

const list = text({ description: 'Such as orders.', pattern: '^[a-z-]{1,40}$' })

const name = text({
  description: 'Of the filter, the operator’s own.',
  minLength: 1,
  maxLength: 60,
  pattern: '\\S',
  form: { label: 'Name', hint: 'Such as: ready ones of today.' },
})

export const listShow = defineOperation({
  name: 'list.show',
  summary: 'Show the columns and saved filters of a list of the console, of whoever asks.',
  fields: { list },
  isRead: true,
  async run({ store, operator }: OperationContext, { list: of }): Promise<ListDocument> {
    const rows = (await store.query(listsOfOperator, { operator })).filter((one) => one.list === of)
    const columns = rows.find(({ kind }) => kind === 'columns')
    const filters = rows.filter(({ kind }) => kind === 'filter')
    return {
      columns: columns === undefined ? null : columns.value.split(',').filter((one) => one !== ''),
      filters: filters.map((one) => ({ name: one.name, query: one.value })),
    }
  },
})

export const listSetColumns = defineOperation({
  name: 'list.setColumns',
  summary: 'Choose the columns of a list of the console, for whoever asks.',
  done: 'The columns are chosen.',
  fields: { list, columns: texts({ maxItems: 40 }) },
  isRead: false,
  async run({ store, operator }: OperationContext, { list: of, columns }): Promise<null> {
    if (!columns.every((one) => /^[\w-]{1,40}$/.test(one))) {
      throw new OperationError('invalid', 'These are no columns.')
    }
    const key = { operator, list: of, kind: 'columns' as const, name: '' }
    return keep(store, key, columns.length === 0 ? null : columns.join(','))
  },
})

export const listSaveFilter = defineOperation({
  name: 'list.saveFilter',
  summary: 'Save what a list of the console is narrowed by, under a name of whoever asks.',
  done: 'The filter is saved.',
  fields: {
    list,
    name,
    query: text({
      description: 'As in the address: status=READY.',
      maxLength: 1000,
      pattern: '^[\\x21-\\x7e]*$',
    }),
  },
  isRead: false,
  async run({ store, operator }: OperationContext, { list: of, name: called, query }): Promise<null> {
    const saved = await store.query(listsOfOperator, { operator })
    const others = saved.filter(
      (one) => one.kind === 'filter' && one.list === of && one.name !== called.trim(),
    )
    if (others.length >= mostFilters) {
      throw new OperationError('refused', `There are ${mostFilters} filters already: remove one first.`)
    }
    return keep(store, { operator, list: of, kind: 'filter', name: called.trim() }, query)
  },
})

export const listRemoveFilter = defineOperation({
  name: 'list.removeFilter',
  summary: 'Remove a saved filter of a list of the console, of whoever asks.',
  done: 'The filter is removed.',
  fields: { list, name },
  isRead: false,
  run: ({ store, operator }: OperationContext, { list: of, name: called }): Promise<null> =>
    keep(store, { operator, list: of, kind: 'filter', name: called }, null),
})

type Key = Omit<Row<'operator_lists'>, 'value'>

/** @param value `null` takes it away */
async function keep(store: Store, key: Key, value: string | null): Promise<null> {
  await store.step({
    rows: { before: row('operator_lists', key) },
    decide: ({ before }): Decision<null> => ({ answer: null, writes: writesOf(key, value, before !== null) }),
  })
  return null
}

function writesOf(key: Key, value: string | null, isThere: boolean): Write[] {
  if (value === null) return isThere ? [{ delete: 'operator_lists', key }] : []
  return isThere
    ? [{ update: 'operator_lists', key, set: { value } }]
    : [{ insert: 'operator_lists', values: { ...key, value } }]
}
