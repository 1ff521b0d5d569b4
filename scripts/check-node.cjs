// Loaded with `node -r` before anything else, so that an old Node answers with a line instead of a syntax
// error. It is plain JavaScript that any Node reads.
'use strict'

var oldestMajor = 24

if (parseInt(process.versions.node, 10) < oldestMajor) {
  console.error(
    'Ventanilla needs Node ' +
      oldestMajor +
      ' or newer, and this is ' +
      process.version +
      ' (' +
      process.execPath +
      '). Install Node ' +
      oldestMajor +
      ', or let npm bring it: run `npm ci` without --omit=optional.',
  )
  process.exit(1)
}
