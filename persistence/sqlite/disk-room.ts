/**
 * Room on the disk: a ballast file beside the database, given up when the disk is full, so that what was begun
 * can be finished (protocol 13.4).
 *
 * From then on what can wait (a new order) is refused, until there is room to keep the ballast again. An empty
 * ballast file says after a restart that it was given up.
 */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, ftruncateSync, openSync, statfsSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What a node keeps: confirmations of hours, or of some minutes at full load. */
export const standardBallastBytes = 64 * 1024 * 1024

/** With less than this the database cannot even be opened, and its log begun anew. */
const leastToOpenBytes = 1024 * 1024
const lookEveryMs = 1000
const chunkBytes = 1024 * 1024

export interface DiskRoomOptions {
  /** The database's file; the ballast is `<file>.ballast`. */
  file: string
  /** 0: none is kept, and a full disk refuses whatever does not fit. */
  ballastBytes: number
  /** Called with what is wrong with the room on the disk, for people; with null once it is well again. */
  onChange: (problem: string | null) => void
}

export class DiskRoom {
  readonly #file: string
  readonly #ballast: string
  readonly #onChange: (problem: string | null) => void
  /** 0 where none is kept. */
  readonly #wantedBytes: number
  #isShort = false
  #isClosed = false
  /** Since the ballast was last begun. */
  #isGivenUp = false
  #making: Promise<void> | null = null
  #watch: NodeJS.Timeout | null = null
  #problem: string | null = null

  /** To be made by the owner of the database, before it is opened: on a full disk that may take the ballast. */
  constructor(options: DiskRoomOptions) {
    this.#file = options.file
    this.#ballast = `${options.file}.ballast`
    this.#onChange = options.onChange
    // A small disk is not filled by what is kept for its last moment.
    this.#wantedBytes = Math.min(options.ballastBytes, Math.floor(this.#space().total / 4))
    if (this.#wantedBytes === 0) return
    if (this.#space().free < leastToOpenBytes) this.makeRoom(true)
    else if (this.#held() === 0) this.#becomeShort()
  }

  /** Begins to keep the ballast, where it is not there yet. */
  keep(): void {
    if (this.#wantedBytes === 0 || this.#making !== null) return
    const held = this.#held() ?? 0
    if (held >= this.#wantedBytes) return
    const { free } = this.#space()
    if (free + held >= this.#wantedBytes + this.#marginBytes) {
      this.#making = this.#make().finally(() => {
        this.#making = null
      })
    } else if (!this.#isShort) {
      this.#tell(
        `There is no room to keep ${megabytes(this.#wantedBytes)} in reserve beside ${this.#file}: its disk ` +
          `has ${megabytes(free)} left. When it is full, confirmations will be refused too.`,
      )
    }
  }

  /** Whether what can wait may be written now. */
  admits(): boolean {
    if (this.#isShort) this.keep()
    return !this.#isShort
  }

  /** The disk was full when it was last written, and has not been well since. */
  get isShort(): boolean {
    return this.#isShort
  }

  /** The disk is full. Returns true when room was made for what must not wait. */
  makeRoom(isEssential: boolean): boolean {
    if (this.#wantedBytes === 0) return false
    this.#becomeShort()
    return isEssential && this.#giveUp()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#watch !== null) clearInterval(this.#watch)
    await this.#making
  }

  /** So much more has to be free than the ballast takes, or the disk would be full again at once. */
  get #marginBytes(): number {
    return Math.ceil(this.#wantedBytes / 4)
  }

  #space(): { total: number; free: number } {
    try {
      const { bsize, blocks, bavail } = statfsSync(dirname(this.#file))
      return { total: bsize * blocks, free: bsize * bavail }
    } catch {
      // A disk that does not even say how large it is gives no room.
      return { total: 0, free: 0 }
    }
  }

  /** The bytes the ballast really takes from the disk; null when there is no such file. */
  #held(): number | null {
    const found = statSync(this.#ballast, { throwIfNoEntry: false })
    if (found === undefined) return null
    // A copy may have become sparse, and would free nothing. Windows counts no blocks.
    return process.platform === 'win32' ? found.size : Math.min(found.size, found.blocks * 512)
  }

  #becomeShort(): void {
    this.#isShort = true
    this.#tell(
      `The disk that holds ${this.#file} is full. New orders are refused, orders under way go on in a reserve; ` +
        `free at least ${megabytes(this.#wantedBytes + this.#marginBytes)}.`,
    )
  }

  #giveUp(): boolean {
    this.#isGivenUp = true
    try {
      if ((this.#held() ?? 0) === 0) return false
      const descriptor = openSync(this.#ballast, 'r+')
      try {
        ftruncateSync(descriptor, 0)
        // A journaling file system hands the room out again only after this.
        fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
      return true
    } catch (error) {
      process.emitWarning(`${this.#ballast} could not be given up: ${String(error)}`)
      return false
    }
  }

  /** Bytes that no file system can leave out or compress, in pieces, so that no step waits for them. */
  async #make(): Promise<void> {
    this.#isGivenUp = false
    const isStopped = () => this.#isClosed || this.#isGivenUp
    try {
      const noise = randomBytes(Math.min(chunkBytes, this.#wantedBytes))
      const file = await open(this.#ballast, 'w', 0o600)
      try {
        for (let left = this.#wantedBytes; left > 0 && !isStopped(); left -= noise.length) {
          await file.appendFile(noise.subarray(0, Math.min(left, noise.length)))
        }
        // The last piece may have come after it was given up.
        if (this.#isGivenUp) await file.truncate(0)
        await file.sync()
      } finally {
        await file.close()
      }
      if (isStopped()) return
      this.#isShort = false
      this.#tell(null)
    } catch (error) {
      this.#giveUp()
      if (!this.#isShort) this.#tell(`${this.#ballast} cannot be kept in reserve: ${String(error)}.`)
    }
  }

  /** While something is wrong it is looked at again from time to time. */
  #tell(problem: string | null): void {
    if (problem === this.#problem || this.#isClosed) return
    this.#problem = problem
    if (this.#watch !== null) clearInterval(this.#watch)
    this.#watch = problem === null ? null : setInterval(() => this.keep(), lookEveryMs)
    this.#watch?.unref()
    this.#onChange(problem)
  }
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / (1024 * 1024))} MB`
}
