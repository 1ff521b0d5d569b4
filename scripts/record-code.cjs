// `node --hash-seed=1 --no-flush-bytecode record-code.cjs PROGRAM ADDON CODE`: starts the packed program as the one
// executable would, and when it is ready writes what V8 has compiled of it. A start that finds that code compiles
// next to nothing. The order of what V8 writes follows its hashes: with a seed that is given it is the same each time.
'use strict'

const { readFileSync, writeFileSync } = require('node:fs')
const { Script } = require('node:vm')

const [, , programFile, addonFile, codeFile] = process.argv
const text = readFileSync(programFile, 'latin1')
const program = new Script(text, { filename: 'ventanilla' })

// The executable's own assets: this process is none.
const sea = { isSea: () => true, getRawAsset: () => new Uint8Array(readFileSync(addonFile)).buffer }
const { getBuiltinModule } = process
process.getBuiltinModule = (name) => (name === 'node:sea' ? sea : getBuiltinModule(name))

const write = process.stdout.write
process.stdout.write = (chunk, ...rest) => {
  if (!String(chunk).includes('"publicUrl"')) return write.call(process.stdout, chunk, ...rest)
  writeFileSync(codeFile, program.createCachedData())
  process.kill(process.pid, 'SIGTERM')
  return true
}
process.argv = [process.execPath, programFile, 'serve', '--json']
program.runInThisContext()(require, module, exports)
