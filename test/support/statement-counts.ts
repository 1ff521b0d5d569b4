/** Counts the statements that SQLite is asked to execute. */
import Database from 'better-sqlite3'

/** How many statements were executed while something was done, transactions' own among them. */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const restore = counted(statementPrototype(), ['run', 'get', 'all'], () => count++)
  try {
    await work()
  } finally {
    restore()
  }
  return count
}

function statementPrototype(): object {
  const database = new Database(':memory:')
  const prototype: object = Object.getPrototypeOf(database.prepare('SELECT 1'))
  database.close()
  return prototype
}

function counted(target: object, names: readonly string[], count: () => void): () => void {
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const)
  for (const [name, descriptor] of before) {
    const original: unknown = descriptor?.value
    if (typeof original !== 'function') throw new Error(`there is no ${name} to count`)
    Object.defineProperty(target, name, {
      ...descriptor,
      value(this: unknown, ...args: unknown[]) {
        count()
        return Reflect.apply(original, this, args)
      },
    })
  }
  return () => {
    for (const [name, descriptor] of before) if (descriptor) Object.defineProperty(target, name, descriptor)
  }
}
