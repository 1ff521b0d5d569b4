/** `ventanilla init` and `ventanilla install` */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import { isPacked } from '../../node/packed.ts'
import { readOrigin } from '../../node/settings/addresses.ts'
import { addCommand, answer, type CommonOptions } from '../command.ts'
import { initialize } from '../service/init.ts'
import { install } from '../service/install.ts'
import { places, stateFolder } from '../service/unit.ts'
import type { Terminal } from '../terminal.ts'

interface InitOptions extends CommonOptions {
  publicUrl: string
  stateFolder: string
}

interface InstallOptions extends CommonOptions {
  root?: string
  dryRun?: boolean
  executable?: string
}

export function addServiceCommands(terminal: Terminal, program: Command): void {
  const init = addCommand(program, 'init <folder>', {
    summary: 'Write settings and a master key for a production node, and list what is missing.',
    examples: ['init /etc/ventanilla --public-url https://pay.example'],
  })
    .requiredOption('--public-url <url>', "the node's public URL", httpsOrigin)
    .option('--state-folder <folder>', 'where the database will be', stateFolder)
  init.action(() => {
    const options = init.opts<InitOptions>()
    const [folder = ''] = init.args
    const document = initialize({
      folder: resolve(terminal.cwd, folder),
      stateFolder: resolve(terminal.cwd, options.stateFolder),
      publicUrl: options.publicUrl,
    })
    const made = document.made.map((file) => `Made ${file}\n`).join('')
    const missing = document.missing.map((line, index) => `${index + 1}. ${line}\n`).join('')
    answer(terminal, options, document, `${made}\nWhat is missing:\n${missing}`)
  })

  const command = addCommand(program, 'install', {
    summary: 'Install this executable as a service: user, file, systemd unit.',
    examples: ['install --dry-run', 'install', 'install --root /tmp/package'],
  })
    .option('--dry-run', 'show what would be done, and change nothing')
    .option('--root <folder>', 'install below this folder, and create no user')
    .option('--executable <file>', 'install this file instead of the running one')
  command.action(() => {
    const options = command.opts<InstallOptions>()
    const { root, dryRun: isDryRun = false, executable } = options
    if (executable === undefined && !isPacked()) {
      const hint = 'Build it: npm run build:binary. Then: dist/ventanilla install.'
      throw new CommandError(exitCodes.usage, 'Only the built executable can install itself.', hint)
    }
    const done = install({
      executable: executable === undefined ? process.execPath : resolve(terminal.cwd, executable),
      root: root === undefined ? null : resolve(terminal.cwd, root),
      isDryRun,
    })
    const next = [
      `ventanilla init ${places.config.replace(/\/[^/]+$/, '')} --public-url https://…`,
      'systemctl enable --now ventanilla',
      'journalctl -u ventanilla -f',
    ]
    const text = [
      isDryRun ? 'Dry run, nothing was done. Without --dry-run:\n\n' : '',
      ...done.map((sentence) => `${sentence}\n`),
      '\nNext:\n',
      ...next.map((line) => `  ${line}\n`),
    ].join('')
    answer(terminal, options, { done, isDryRun, next }, text)
  })
}

function httpsOrigin(text: string): string {
  const read = readOrigin(text)
  if ('value' in read && read.value.startsWith('https:')) return read.value
  const why = 'problem' in read && read.problem !== null ? `; ${read.problem}` : ''
  throw new CommandError(
    exitCodes.usage,
    `--public-url: must be an https origin such as https://pay.example${why}.`,
  )
}
