/** 406 only where the header truly excludes JSON (protocol 7.1). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { acceptsJson } from '../../../http/foundation/accept.ts'

const rows: [accept: string | undefined, isAccepted: boolean][] = [
  [undefined, true],
  ['', true],
  ['*/*', true],
  ['*', true],
  ['application/json', true],
  ['Application/JSON', true],
  ['application/json; charset=utf-8', true],
  ['application/json;version=1.0;q=0.1', true],
  ['application/*', true],
  ['text/html, application/xhtml+xml, */*;q=0.8', true],
  ['text/html', false],
  ['text/html, text/*;q=0.5', false],
  ['application/xml', false],
  ['application/problem+json', false],
  ['application/json;q=0', false],
  ['application/json;q=0.000, */*', false],
  ['application/*;q=0, */*', false],
  ['application/*;q=0, application/json', true],
  ['*/*;q=0', false],
  ['application/json;q=0, application/json', true],
  // What names no media range excludes nothing.
  ['nonsense', true],
  [';;,,', true],
  ['constructor/name', false],
]
for (const [accept, isAccepted] of rows)
  test(`Accept ${JSON.stringify(accept)} ${isAccepted ? 'takes' : 'excludes'} JSON`, () =>
    assert.is(acceptsJson(accept), isAccepted))

test.run()
