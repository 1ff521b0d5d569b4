/** What the command line says of its own commands, asked for once: the whole program is put together for each. */
import { type Ran, ventanilla } from '../support/terminal.ts'

const helps = new Map<string, Promise<Ran>>()

/** @param command its words; none for the program itself */
export function helpOf(...command: string[]): Promise<Ran> {
  const name = command.join(' ')
  const help = helps.get(name) ?? ventanilla({ cwd: '/' }, ...command, '--help')
  helps.set(name, help)
  return help
}

/** Words of a help text's list of commands. */
export async function commandsOf(...group: string[]): Promise<string[]> {
  const { out } = await helpOf(...group)
  const [, list = ''] = out.split(/^Commands:\n/m)
  const names = [...list.matchAll(/^ {2}([a-z][a-z-]*)(?= )/gm)].map(([, name = '']) => name)
  return names.filter((name) => name !== 'help')
}
