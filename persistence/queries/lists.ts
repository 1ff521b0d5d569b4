/** How operators like the console's lists. */
import { statement } from '../statement.ts'

/** All of one operator: they are few. */
export const listsOfOperator = statement<{ operator: string }>()('operatorLists.of', ({ db }, arg) =>
  db
    .selectFrom('operator_lists')
    .selectAll()
    .where('operator', '=', arg('operator'))
    .orderBy('list')
    .orderBy('kind')
    .orderBy('name'),
)
