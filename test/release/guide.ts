/**
 * The operator's guide, typed line by line on a booted Debian by `guide.sh`: each command of its blocks `console` succeeds and
 * prints what the guide says. `node guide.ts PID [--record]`: PID is the tree's systemd. With `--record` what a command
 * printed is written into the guide where that said something else.
 */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GuideStep, guideSteps, isAsSaid, linesOf } from './guide-steps.ts'

const guide = join(import.meta.dirname, '../../docs/operator-guide.md')
const [pid = '', ...flags] = process.argv.slice(2)
const isRecording = flags.includes('--record')

const entered = ['nsenter', '--target', pid, '--all', '--', 'env', '-i']
const environment = [
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'HOME=/root',
  'LANG=C.UTF-8',
]

/** One shell for the whole walk: what is exported stays exported. */
class Shell {
  readonly #child: ChildProcessWithoutNullStreams
  #told = ''

  constructor() {
    const [program = '', ...args] = [...entered, ...environment, 'bash', '--norc']
    this.#child = spawn(program, args)
    const hear = (chunk: Buffer) => {
      this.#told += chunk
    }
    this.#child.stdout.on('data', hear)
    this.#child.stderr.on('data', hear)
    this.#child.stdin.write('exec 2>&1; cd /root\n')
  }

  /** What it printed, and its exit code. */
  async type(command: string): Promise<{ text: string; code: number }> {
    this.#told = ''
    this.#child.stdin.write(`${command}\nprintf '\\n<%s>\\n' $?\n`)
    for (;;) {
      const ended = /\n<(\d+)>\n$/.exec(this.#told)
      if (ended !== null) return { text: this.#told.slice(0, ended.index), code: Number(ended[1]) }
      await once(this.#child.stdout, 'data')
    }
  }

  end(): void {
    this.#child.stdin.end('exit\n')
  }
}

function writeThere(name: string, text: string): boolean {
  const [program = '', ...args] = [...entered, ...environment, 'tee', `/root/${name}`]
  return spawnSync(program, args, { input: text }).status === 0
}

const shell = new Shell()
const counted = { passed: 0, failed: 0 }
const printed = new Map<number, string[]>()

function tell(isRight: boolean, step: GuideStep, what: string, details: readonly string[] = []): void {
  counted[isRight ? 'passed' : 'failed']++
  console.log(`${isRight ? 'ok    ' : 'FAILED'}  line ${step.line}: ${what.split('\n')[0]}`)
  if (!isRight) for (const line of details) console.log(`        ${line}`)
}

for (const step of guideSteps(readFileSync(guide, 'utf8'))) {
  if (step.kind === 'file') {
    tell(writeThere(step.name, step.text), step, `${step.name} is written`)
    continue
  }
  const { text, code } = await shell.type(step.command)
  const lines = linesOf(text)
  printed.set(step.line, lines)
  const isRight = code === 0 && isAsSaid(step.expected, lines)
  tell(isRight, step, step.command, [`exit code ${code}; it printed:`, ...lines])
}
shell.end()
if (isRecording) record()
console.log(`${counted.passed} passed, ${counted.failed} failed`)
process.exitCode = counted.failed === 0 ? 0 : 1

/** From the last to the first, so that no line moves before its turn. */
function record(): void {
  const page = readFileSync(guide, 'utf8')
  const lines = page.split('\n')
  for (const step of guideSteps(page).toReversed()) {
    const found = printed.get(step.line)
    if (step.kind !== 'command' || found === undefined || isAsSaid(step.expected, found)) continue
    const begin = step.line - 1 + step.command.split('\n').length
    lines.splice(begin, step.expected.length, ...found)
  }
  writeFileSync(guide, lines.join('\n'))
}
