// `node settle-code.cjs PROGRAM CODE`, run with the options of the executable: V8 refuses code that was compiled under
// other options than it runs with, and compares the one hash of them in the code's head. The seed that the recording
// was given, so that it is the same each time, is such an option and changes nothing in the code: that hash is
// replaced by this process's own, and V8 itself says whether it takes the code now.
'use strict'

const { readFileSync, writeFileSync } = require('node:fs')
const { Script } = require('node:vm')

const [, , programFile, codeFile] = process.argv
const text = readFileSync(programFile, 'latin1')
/** In V8's head of code: magic, version, source, options, contents' length and checksum, 32 bits each. */
const optionsHash = { from: 12, to: 16 }

const code = readFileSync(codeFile)
new Script('0').createCachedData().copy(code, optionsHash.from, optionsHash.from, optionsHash.to)
if (new Script(text, { filename: 'ventanilla', cachedData: code }).cachedDataRejected) {
  throw new Error('V8 refuses the code that was recorded')
}
writeFileSync(codeFile, code)
