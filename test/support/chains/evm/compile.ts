/**
 * Compiles the test contracts. That takes seconds, so what it gives is committed as `contracts.json`, and a
 * test compares. After a change: `node test/support/chains/evm/compile.ts >
 * test/support/chains/evm/contracts.json`.
 */
import { readFileSync } from 'node:fs'
import solc from 'solc'

const source = new URL('./contracts.sol', import.meta.url)

/** The creation code of each contract. */
export function compileContracts(): Readonly<Record<string, string>> {
  const input = {
    language: 'Solidity',
    sources: { 'contracts.sol': { content: readFileSync(source, 'utf8') } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      metadata: { appendCBOR: false },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  }
  const output: CompilerOutput = JSON.parse(solc.compile(JSON.stringify(input)))
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const contracts = Object.entries(output.contracts?.['contracts.sol'] ?? {})
  return Object.fromEntries(contracts.map(([name, { evm }]) => [name, `0x${evm.bytecode.object}`]))
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly evm: { readonly bytecode: { readonly object: string } } }>>
    >
  >
}

if (import.meta.main) console.log(JSON.stringify(compileContracts(), null, 2))
