/** How operators like the console's lists; what columns hold is said in `schema.ts`. */

export interface OperatorListTable {
  /** Who; also one that has the node's token alone, and is in no table. */
  operator: string
  /** Such as `orders`. */
  list: string
  kind: 'columns' | 'filter'
  /** Of a filter; '' of columns. */
  name: string
  /** Names of columns with commas between them, or the query of an address. */
  value: string
}
