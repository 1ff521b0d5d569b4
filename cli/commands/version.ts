/** `ventanilla version`: what exactly runs here. */
import { createHash } from 'node:crypto'
import type { Command } from 'commander'
import { digestOf } from '../../node/backup/manifest.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import { type BuildFacts, isPacked, packedBytes } from '../../node/packed.ts'
import programPackage from '../../package.json' with { type: 'json' }
import { addCommand, answer, type CommonOptions } from '../command.ts'
import type { Terminal } from '../terminal.ts'

/** What `null` stands for is not known: the sources run, and no executable that was built of them. */
interface Version {
  version: string
  /** Of the sources; `null` also where they differed from their commit. */
  commit: string | null
  /** `linux-x64` */
  system: string
  /** Node's version. */
  node: string
  /** SHA-256 of the executable's file, hexadecimal. */
  digest: string | null
  /** SHA-256 of its bill of materials, hexadecimal. */
  sbomDigest: string | null
}

export function addVersionCommand(terminal: Terminal, program: Command): void {
  const command = addCommand(program, 'version', {
    summary: 'Show what runs here: version, commit, digests of the executable and of its bill of materials.',
    examples: ['version', 'version --json', 'version --sbom > sbom.cdx.json'],
  }).option('--sbom', 'print the bill of materials (CycloneDX) instead')
  command.action(async () => {
    const options = command.opts<CommonOptions & { sbom?: boolean }>()
    if (options.sbom) {
      terminal.out(Buffer.from(sbom()).toString())
      return
    }
    const document = await describe()
    const { version, commit, system, node, digest, sbomDigest } = document
    const lines = [
      `ventanilla ${version} for ${system}, on Node ${node}`,
      `commit:               ${commit ?? 'unknown'}`,
      `executable (SHA-256): ${digest ?? 'none, these are the sources'}`,
      `materials (SHA-256):  ${sbomDigest ?? 'none, these are the sources'}`,
    ]
    answer(terminal, options, document, `${lines.join('\n')}\n`)
  })
}

async function describe(): Promise<Version> {
  const { version } = programPackage
  const common = { version, system: `${process.platform}-${process.arch}`, node: process.versions.node }
  if (!isPacked()) return { ...common, commit: null, digest: null, sbomDigest: null }
  const { commit }: BuildFacts = JSON.parse(Buffer.from(packedBytes('build.json')).toString())
  const sbomDigest = createHash('sha256').update(sbom()).digest('hex')
  return { ...common, commit, digest: await digestOf(process.execPath), sbomDigest }
}

function sbom(): Uint8Array {
  if (isPacked()) return packedBytes('sbom.cdx.json')
  throw new CommandError(
    exitCodes.usage,
    'Only the built executable has a bill of materials.',
    'Build it: npm run build:binary.',
  )
}
