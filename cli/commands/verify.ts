/** `ventanilla verify` and `ventanilla doctor` */
import type { Command } from 'commander'
import { doctor } from '../../actors/operations/doctor.ts'
import { verify, verifyProgress } from '../../actors/verification/operations.ts'
import { AlreadyTold } from '../../node/exit-codes.ts'
import { addCommand, answer, type CommonOptions, withOperations } from '../command.ts'
import type { Operations } from '../connect.ts'
import { table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addVerifyCommands(terminal: Terminal, program: Command): void {
  addCommand(program, 'verify', {
    summary: verify.summary,
    examples: ['verify', 'verify --json'],
  }).action(async (options: CommonOptions) => {
    const document = await withOperations(terminal, options, (operations) =>
      withProgress(terminal, operations, () => operations.perform(verify, {})),
    )
    const text = table(document.checks, [
      { title: 'CHECK', value: (it) => it.name },
      { title: 'OK', value: (it) => (it.ok ? 'yes' : 'NO') },
      { title: 'DETAIL', value: (it) => it.detail },
    ])
    answer(terminal, options, document, text)
    if (!document.ok) throw new AlreadyTold()
  })

  addCommand(program, 'doctor', {
    summary: doctor.summary,
    examples: ['doctor', 'doctor --json'],
  }).action(async (options: CommonOptions) => {
    const document = await withOperations(terminal, options, (operations) => operations.perform(doctor, {}))
    const lines = table(document.checks, [
      { title: 'CHECK', value: (it) => it.name },
      { title: 'OK', value: (it) => (it.ok ? 'yes' : 'NO') },
      { title: 'DETAIL', value: (it) => it.detail },
    ])
    const actions = document.checks.flatMap(({ action }) => (action === null ? [] : [`\n- ${action}`]))
    answer(
      terminal,
      options,
      document,
      actions.length === 0 ? lines : `${lines}\nTo do:${actions.join('')}\n`,
    )
    if (!document.ok) throw new AlreadyTold()
  })
}

const progressEveryMs = 500

/** Shows on a terminal how far it has come; what is printed for programs stays one document. */
async function withProgress<Result>(
  terminal: Terminal,
  operations: Operations,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!terminal.isTerminal) return work()
  let isShown = false
  const timer = setInterval(async () => {
    const { isRunning, done, total } = await operations.perform(verifyProgress, {}).catch(() => noProgress)
    if (!isRunning || total === 0) return
    isShown = true
    terminal.err(`\rverified ${done.toLocaleString('en')} of ${total.toLocaleString('en')} orders `)
  }, progressEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    if (isShown) terminal.err('\r\x1b[K')
  }
}

const noProgress = { isRunning: false, done: 0, total: 0 }
