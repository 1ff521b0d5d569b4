export interface Migration {
  /** `NNNN-what`, recorded in the database once applied. */
  readonly name: string
  readonly sqlite: string
}
