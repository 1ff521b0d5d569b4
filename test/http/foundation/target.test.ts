import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readTarget, type Target } from '../../../http/foundation/target.ts'

const rows: [text: string, target: Target | null][] = [
  ['/', { path: '/', query: '' }],
  ['/a/b/', { path: '/a/b/', query: '' }],
  ['/a?', { path: '/a', query: '?' }],
  ['/a?b=%20?c', { path: '/a', query: '?b=%20?c' }],
  // As it was sent: nothing is decoded, joined or cleaned up.
  ['//host/a', { path: '//host/a', query: '' }],
  ['/a/../b/./%2e%2E/\\c', { path: '/a/../b/./%2e%2E/\\c', query: '' }],
  ['http://node.example/a?b', { path: '/a', query: '?b' }],
  ['HTTPS://user@node.example:8080//a', { path: '//a', query: '' }],
  ['http://node.example', null],
  ['http:///a', null],
  ['ftp://node.example/a', null],
  ['*', null],
  ['', null],
  ['a/b', null],
  ['?a', null],
  ['/a#b', null],
  ['/a?b#c', null],
]
for (const [text, target] of rows)
  test(`${JSON.stringify(text)} is ${JSON.stringify(target)}`, () => assert.equal(readTarget(text), target))

test.run()
