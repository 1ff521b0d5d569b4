/** A node in a process of its own, on files that outlive it, to be killed at any moment. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Message, Question } from './load-node.ts'

export interface NodeProcess {
  /** Resolves with its address, or with null when it was killed before. */
  readonly listening: Promise<string | null>
  /** Resolves with null when the process is gone before it has answered. */
  ask(asked: Asked): Promise<string | null>
  /** Stops it where it stands (SIGSTOP), and lets it go on. */
  freeze(): void
  thaw(): void
  /** Resolves once the process has ended, in whatever way. */
  readonly gone: Promise<unknown>
  /** Kills it (`kill -9`) and waits until it is gone. */
  kill(): Promise<void>
  /** Asks it to stop (SIGTERM), as systemd does, and waits until it has ended in order. */
  stop(): Promise<void>
}

/** How a node is started: its settings beside those that all have, and what starts it in another place than here. */
export interface NodeStart {
  settings?: Readonly<Record<string, string>>
  /** A program that becomes the node, with its arguments: `ip netns exec NAME`. */
  within?: readonly string[]
}

type Asked = Question extends infer Each ? (Each extends Question ? Omit<Each, 'question'> : never) : never

/** @param directory where its database is: `node.db`, and beside it the key. */
export function startNodeProcess(
  directory: string,
  { settings = {}, within = [] }: NodeStart = {},
): NodeProcess {
  const { NODE_V8_COVERAGE: _, ...environment } = process.env
  const [program = '', ...args] = [...within, process.execPath, '--conditions=development']
  const child = fork(join(import.meta.dirname, 'load-node.ts'), {
    cwd: directory,
    execPath: program,
    execArgv: args,
    env: {
      ...environment,
      VENTANILLA_DATABASE: `sqlite:${join(directory, 'node.db')}`,
      VENTANILLA_HTTP_PORT: '0',
      VENTANILLA_OPERATOR_PORT: '0',
      VENTANILLA_WEBHOOKS_ALLOWPRIVATE: 'true',
      VENTANILLA_ORDERS_CONFIRMGRACESECONDS: '1',
      VENTANILLA_LIMITS_REQUESTSPERMINUTE: '1000000',
      // Who tells again what was not answered may name a code that has ended meanwhile.
      VENTANILLA_LIMITS_CODEMISSESPERMINUTE: '1000000',
      VENTANILLA_LIMITS_CODEMISSESPERDAY: '1000000',
      ...settings,
    },
  })
  const gone = once(child, 'exit')
  const waiting = new Map<number, (answer: string | null) => void>()
  const listening = Promise.withResolvers<string | null>()
  child.on('message', (message: Message) => {
    if (message.kind === 'listening') listening.resolve(message.url)
    else waiting.get(message.question)?.(message.answer)
  })
  void gone.then(() => {
    listening.resolve(null)
    for (const settle of waiting.values()) settle(null)
  })
  return {
    listening: listening.promise,
    ask: asking(child, waiting),
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    gone,
    kill: () => killed(child, gone),
    stop: () => stopped(child, gone),
  }
}

function asking(child: ChildProcess, waiting: Map<number, (answer: string | null) => void>) {
  let questions = 0
  return (asked: Asked) =>
    new Promise<string | null>((resolve) => {
      const question = questions++
      waiting.set(question, resolve)
      child.send({ ...asked, question } satisfies Question, (error) => {
        if (error !== null) resolve(null)
      })
    })
}

async function killed(child: ChildProcess, gone: Promise<unknown>): Promise<void> {
  child.kill('SIGKILL')
  await gone
  if (child.signalCode !== 'SIGKILL') throw new Error(`the node ended by itself: ${child.exitCode}`)
}

async function stopped(child: ChildProcess, gone: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM')
  await gone
  if (child.exitCode !== 0)
    throw new Error(`the node did not stop in order: ${child.signalCode ?? child.exitCode}`)
}
