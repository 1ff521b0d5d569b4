// Loaded with `node -r` before the node and its commands: what Node has made of the sources is kept beside the
// packages, so that the next start neither strips their types nor compiles them again. In the installation's own
// folder, because whoever can write there could change the sources as well; where it cannot be written, nothing
// is kept.
'use strict'

const { enableCompileCache } = require('node:module')
const { join } = require('node:path')

enableCompileCache(join(__dirname, '../node_modules/.cache/ventanilla'))
