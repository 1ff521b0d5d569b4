/** Files of `node:fs/promises` that answer in the same turn: what reaches a disk when is the simulation's to say, not the machine's. */
import fs from 'node:fs'

/** As far as `LineLog` and drafts need one. */
export async function openFile(path: string, flags: string, mode?: number) {
  const descriptor = fs.openSync(path, flags, mode)
  return {
    async read(buffer: Buffer, offset: number, length: number, at: number) {
      return { buffer, bytesRead: fs.readSync(descriptor, buffer, offset, length, at) }
    },
    async write(buffer: Buffer, offset: number, length: number, at: number) {
      return { buffer, bytesWritten: fs.writeSync(descriptor, buffer, offset, length, at) }
    },
    stat: async () => fs.fstatSync(descriptor),
    truncate: async (length: number) => fs.ftruncateSync(descriptor, length),
    async datasync() {},
    async sync() {},
    close: async () => fs.closeSync(descriptor),
  }
}
