/** Writes every row but those of the journal. */
import { Rows as AllRows } from '../../../../persistence/sqlite/rows.ts'

export class Rows extends AllRows {
  override write(...[write, at]: Parameters<AllRows['write']>): void {
    if (!('insert' in write && write.insert === 'journal')) super.write(write, at)
  }
}
