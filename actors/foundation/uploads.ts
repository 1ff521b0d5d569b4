/** Files that are sent, for operations to look at. */
import { OperationError } from './operation.ts'

/** Files that were sent, in a folder of their own until somebody has looked at them: bounded in size, number and time. */
export interface Upload {
  id: string
  path: string
  bytes: number
  /** In hex. */
  sha256: string
}

export type Received =
  | { ok: true; upload: Upload }
  | { ok: false; reason: 'too_large' | 'too_many' | 'cut_off' }

export interface Uploads {
  /** @param bytes until their end; what is too large is not read further */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<Received>
  /** For what one form sends, to be adopted from there: what is left in the folder is gone once `read` has ended. */
  inFolder<T>(read: (folder: string) => Promise<T>): Promise<T>
  readonly maxBytes: number
  /** Takes a file out of such a folder. */
  adopt(file: Omit<Upload, 'id'>): Promise<Received>
  find(id: string): Upload | null
  /** All of it; null where it is gone. */
  read(id: string): Promise<Uint8Array | null>
  drop(id: string): Promise<void>
}

export type NotReceived = Extract<Received, { ok: false }>['reason']

/** @param maxBytes whole MB, of 1024 × 1024 bytes */
export function largerThan(maxBytes: number): OperationError {
  return new OperationError('invalid', `The file is larger than ${maxBytes / (1024 * 1024)} MB.`)
}

/** @param who has no room for it */
export function notReceived(reason: NotReceived, who = 'The node'): OperationError {
  switch (reason) {
    case 'too_large':
      return new OperationError('invalid', 'The file is larger than 32 MB: no day of a network is.')
    case 'too_many':
      return new OperationError(
        'refused',
        `${who} holds as many files as it may: apply them, or try again in half an hour.`,
      )
    case 'cut_off':
      return new OperationError('invalid', 'The file did not arrive.')
  }
}
