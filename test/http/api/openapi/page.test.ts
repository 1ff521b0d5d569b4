import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ApiDocument } from '../../../../http/api/openapi/document.ts'
import { documentPages } from '../../../../http/api/openapi/page.ts'
import { viewOf } from '../../../../http/api/openapi/page-view.ts'
import { naughtyTexts, skeletonOf, withTexts } from '../../../support/markup.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../../support/node.ts'

const maxBytes = 60 * 1024

let node: TestNode
let document: ApiDocument
/** By their paths. */
const pages = new Map<string, { text: string; headers: Headers }>()

test.before(async () => {
  node = await startTestNode()
  document = JSON.parse(await (await fetch(`${node.publicUrl}/api/v1/openapi.json`)).text())
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  const names = ['', '/signature', '/webhooks', ...operations.map(({ operationId }) => `/${operationId}`)]
  for (const name of names) {
    const path = `/api/v1/docs${name}`
    const answer = await fetch(`${node.publicUrl}${path}`)
    assert.is(answer.status, 200, path)
    pages.set(path, { text: await answer.text(), headers: answer.headers })
  }
})
test.after(() => stopTestNode(node))

test('the pages need no script and no other host, their policy forbids both, and every link leads somewhere', () => {
  for (const [path, { text, headers }] of pages) {
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; style-src 'sha256-[^']+'; base/,
    )
    assert.is(headers.get('content-type'), 'text/html; charset=utf-8')
    const markup = text.replaceAll(/<code>[^<]*<\/code>/g, '')
    assert.not.match(markup, /<script|<link|<img|<iframe|<form|\son\w+=|\sstyle=|url\(|@import/, path)
    for (const [, target = ''] of markup.matchAll(/(?:href|src)="([^"]*)"/g)) {
      const [page = '', place] = target.split('#')
      const isElsewhere = page === 'https://www.standardwebhooks.com' || page === '/api/v1/openapi.json'
      const found = page === '' ? text : pages.get(page)?.text
      assert.ok(isElsewhere || found !== undefined, `${path}: ${target}`)
      if (place !== undefined) assert.ok(found?.includes(`id="${place}"`), `${path}: ${target}`)
    }
  }
})

test('no page is larger than 60 KB, and each is kept by its tag', async () => {
  for (const [path, { text, headers }] of pages) {
    assert.ok(Buffer.byteLength(text) <= maxBytes, `${path}: ${Buffer.byteLength(text)} bytes`)
    const again = await fetch(`${node.publicUrl}${path}`, {
      // Without it the test's client asks for a fresh one.
      headers: { 'If-None-Match': headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' },
    })
    assert.equal([again.status, await again.text()], [304, ''], path)
  }
})

test('every operation, field and error of the document is on a page', () => {
  const all = [...pages.values()].map(({ text }) => text).join('')
  const shown = (text: string) =>
    all.includes(text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'))
  for (const [path, item] of Object.entries(document.paths)) {
    assert.ok(shown(`/api/v1${path}`), path)
    for (const operation of Object.values(item)) assert.ok(shown(String(operation.summary)))
  }
  for (const { properties } of Object.values(document.components.schemas ?? {})) {
    for (const name of Object.keys(properties ?? {})) assert.ok(shown(name), name)
  }
  for (const { summary } of Object.values(document.components.examples ?? {})) {
    assert.ok(shown(String(summary)), String(summary))
  }
})

test('no text of the document gets out of its place', () => {
  // What parts of the document are found by, and the one text that has marks of its own.
  const known = ['$ref', 'tags', 'description', 'required', 'in', 'operationId']
  const written = (text: string) => {
    const made = documentPages(viewOf(withTexts(document, text, known)), text)
    return ['', 'webhooks', 'createPayOutOrder', 'listMovements', 'sendReport'].map((name) =>
      skeletonOf(made.get(name)?.() ?? ''),
    )
  }
  const plain = written('x')
  assert.equal(
    plain.filter((one) => one.length < 100),
    [],
  )
  fc.assert(
    fc.property(naughtyTexts, (text) => assert.equal(written(text), plain)),
    { numRuns: 25 },
  )
})

test('the slash at its end is optional, other methods are not allowed, and there are no other pages', async () => {
  const slash = await fetch(`${node.publicUrl}/api/v1/docs/`)
  assert.is(await slash.text(), pages.get('/api/v1/docs')?.text)
  assert.is((await fetch(`${node.publicUrl}/api/v1/docs`, { method: 'POST' })).status, 405)
  for (const name of ['none', 'constructor', 'signature/more', 'a'.repeat(2000)]) {
    assert.is((await fetch(`${node.publicUrl}/api/v1/docs/${name}`)).status, 404, name)
  }
})

test.run()
