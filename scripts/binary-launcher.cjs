// What the one executable runs: the program, with the code that V8 had made of it when it was last ready. V8 looks
// at that code's version and source, and compiles anew what does not fit; no `import()` is possible from here.
'use strict'

const { getRawAsset } = require('node:sea')
const { Script } = require('node:vm')

// The bundle holds no other characters than these.
const text = Buffer.from(getRawAsset('program')).latin1Slice()
const cachedData = Buffer.from(getRawAsset('program-code'))
new Script(text, { filename: 'ventanilla', cachedData }).runInThisContext()(require, module, exports)
