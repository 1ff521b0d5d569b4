/**
 * `kill -9` in the middle of `move`, `restore`, `migrate` and `backup`: never are two databases in use, never is an open order of a restored one
 * free, and the same command goes on. `node test/durability/command-kill.test.ts all` kills before every write and every sync.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type KilledCommand,
  killedCommands,
  prepareTemplate,
  problemsAfterKill,
} from './command-kill-world.ts'
import { isLargeShare } from './share.ts'
import { buildShim, readReport, watching } from './write-log.ts'

const isLong = process.argv[2] === 'all'
const asked = process.argv[3]
/** Every day those after which two databases could be in use. */
const everyDay: readonly KilledCommand[] = ['move', 'restore']
const commands = asked === undefined ? (isLong || isLargeShare ? killedCommands : everyDay) : [asked]

const folder = mkdtempSync(join(tmpdir(), 'command-kill-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))
const [template, root, control] = [join(folder, 'template'), join(folder, 'root'), join(folder, 'control')]

function play(library: string, command: KilledCommand, operation: string, at: number) {
  rmSync(root, { recursive: true, force: true })
  cpSync(template, root, { recursive: true })
  writeFileSync(control, '')
  const story = join(import.meta.dirname, 'command-kill-story.ts')
  return spawnSync(process.execPath, ['--conditions=development', story, command, operation, String(at)], {
    env: watching({ library, root, control }),
    encoding: 'utf8',
  })
}

/** All of them; or one in the middle, and of a move, where two databases are at stake, now and then the last one too. */
function places(command: KilledCommand, count: number): number[] {
  if (isLong) return Array.from({ length: count }, (_, index) => index + 1)
  return command === 'move' && isLargeShare ? [Math.ceil(count / 2), count] : [Math.ceil(count / 2)]
}

const library = buildShim(test)
if (library !== null) {
  test.before(() => prepareTemplate(template))

  for (const command of killedCommands.filter((one) => commands.some((name) => name === one))) {
    test(`${command} may be killed before any of its writes and syncs`, async () => {
      const whole = play(library, command, 'write', 0)
      assert.is(whole.status, 0, whole.stderr)
      const { writes, syncs } = readReport(control)
      let killed = 0
      const problems: string[] = []
      // A short run kills before syncs only: what was written before one is whole in the file of a killed process.
      const kinds = [
        ['write', isLong ? writes : 0],
        ['sync', syncs],
      ] as const
      for (const [operation, count] of kinds) {
        for (const at of count === 0 ? [] : places(command, count)) {
          const { signal } = play(library, command, operation, at)
          if (signal === 'SIGKILL') killed++
          for (const one of await problemsAfterKill(command, root))
            problems.push(`${operation} ${at}: ${one}`)
        }
      }
      console.log(
        `${command}: ${writes} writes, ${syncs} syncs, ${killed} kills, ${problems.length} problems`,
      )
      assert.equal(problems.slice(0, 10), [])
      assert.ok(killed > 0, 'nothing was ever killed')
    })
  }
}

test.run()
