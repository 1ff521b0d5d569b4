// What the one executable runs: the program, with the code that V8 had made of it when it was last ready. V8 looks
// at that code's version and source, and compiles anew what does not fit; no `import()` is possible from here.
'use strict'

const { getAssetKeys, getRawAsset } = require('node:sea')
const { Script } = require('node:vm')

// The bundle holds no other characters than these.
const text = Buffer.from(getRawAsset('program')).latin1Slice()
// One that was built for a system that cannot be run where it was built has none.
const code = getAssetKeys().includes('program-code') ? Buffer.from(getRawAsset('program-code')) : undefined
new Script(text, { filename: 'ventanilla', cachedData: code }).runInThisContext()(require, module, exports)
