/** `<database file>.anchors`: what the journal was, kept beside the database it speaks of. */

export function anchorsFileOf(databaseFile: string): string {
  return `${databaseFile}.anchors`
}
