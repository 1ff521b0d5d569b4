/** Why a database cannot be used, in words for the operator who has to do something about it. */

/** The database cannot be opened or is not ours; the node does not start. */
export class DatabaseUnusable extends Error {
  override readonly name: string = 'DatabaseUnusable'
}

/** Another process owns the database. */
export class DatabaseLocked extends DatabaseUnusable {
  override readonly name: string = 'DatabaseLocked'
}

/** Another process has the file itself open, whatever the name; it may be one that only reads. */
export class DatabaseOpenElsewhere extends DatabaseLocked {
  override readonly name = 'DatabaseOpenElsewhere'
}

/** A later version of this program has changed the database: an older one must not write to it. */
export class DatabaseTooNew extends DatabaseUnusable {
  override readonly name = 'DatabaseTooNew'
}
