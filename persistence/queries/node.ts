/** Facts and secrets of the node itself. */
import { statement } from '../statement.ts'

export const secretByName = statement<{ name: string }>()('secret.byName', ({ db }, arg) =>
  db.selectFrom('secrets').selectAll().where('name', '=', arg('name')),
)

export const factByName = statement<{ name: string }>()('fact.byName', ({ db }, arg) =>
  db.selectFrom('facts').selectAll().where('name', '=', arg('name')),
)
