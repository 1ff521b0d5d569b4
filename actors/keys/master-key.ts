/** The master key at its place outside the database, and how another one takes that place. */

/**
 * A change is safe wherever it is cut off: the next key lies beside the present one before the database is put
 * under it, and whichever of the two the database is under is the one a start takes.
 */
export interface MasterKeyFile {
  /** Where it is, for people. */
  readonly path: string
  /** The key that is there. @throws VaultError, or an error of the file system */
  read(): Uint8Array
  /** Puts the next key beside the present one, durably. @throws an error of the file system */
  prepare(key: Uint8Array): void
  /** Takes back `prepare`. */
  withdraw(): void
  /**
   * The next key takes the place of the present one, which is kept: backups made before can be read with no other.
   * Does nothing twice. @returns where the one before is kept. @throws an error of the file system
   */
  promote(fingerprintBefore: string): string
}
