/** Files that the console makes of what it shows. */
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { isAtLeast } from '../../actors/foundation/roles.ts'
import type { Console, Visitor } from './answer.ts'
import { requestOf } from './answer-page.ts'
import { listFile } from './list-file.ts'
import { listFilePath } from './list-links.ts'
import { downloads } from './rooms.ts'

export type Download = (typeof downloads)[number] | typeof anyList

const anyList = {
  path: listFilePath,
  name: (query: URLSearchParams) => `${query.get('list')}.csv`,
  type: 'text/csv; charset=utf-8',
  isShown: false,
  read: listFile,
}

/** @param path decoded */
export function findDownload(path: string): Download | null {
  return path === anyList.path ? anyList : (downloads.find((one) => one.path === path) ?? null)
}

/** @throws OperationError before anything of the file is sent */
export async function answerDownload(
  console: Console,
  context: Context,
  visitor: Visitor,
  { name, type, isShown, read }: Download,
): Promise<void> {
  const { session, token } = visitor
  const query = new URL(context.url, 'http://console').searchParams
  const parts = read(requestOf(console, context, session, {}, query), { console, context, visitor })
  const first = await parts.next()
  const disposition = isShown === true ? 'inline' : 'attachment'
  context.set('Content-Disposition', `${disposition}; filename="${nameOf(name, query)}"`)
  context.type = type
  const maySee = async () => {
    const present = await console.sessions.find(token, false)
    return present !== null && isAtLeast(present.role, session.role)
  }
  // A file that was broken off must not look whole.
  const breakOff = () => context.res.destroy()
  context.body = Readable.from(whileAllowed(joined(first.done ? '' : first.value, parts), maySee, breakOff))
}

/** Signs that mean something in a header are left out, whatever was asked for. */
function nameOf(name: Download['name'], query: URLSearchParams): string {
  return typeof name === 'string' ? name : name(query).replace(/[^\w.-]/g, '')
}

async function* joined(first: string, others: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* others
}

/** A file may take long: whoever is signed out, disabled or given a lesser role meanwhile gets no more of it. */
async function* whileAllowed(
  parts: AsyncGenerator<string>,
  maySee: () => Promise<boolean>,
  breakOff: () => void,
): AsyncGenerator<string> {
  for await (const part of parts) {
    if (!(await maySee())) return breakOff()
    yield part
  }
}
