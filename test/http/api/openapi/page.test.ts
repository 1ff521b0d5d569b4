import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ApiDocument } from '../../../../http/api/openapi/document.ts'
import { documentPage } from '../../../../http/api/openapi/page.ts'
import { naughtyTexts, skeletonOf, withTexts } from '../../../support/markup.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../../support/node.ts'

let node: TestNode
let page: string
let headers: Headers
test.before(async () => {
  node = await startTestNode()
  const answer = await fetch(`${node.publicUrl}/api/v1/docs`)
  headers = answer.headers
  page = await answer.text()
})
test.after(() => stopTestNode(node))

test('the page needs no script and no other host, and its policy forbids both', () => {
  assert.match(
    headers.get('content-security-policy') ?? '',
    /^default-src 'none'; style-src 'sha256-[^']+'; base/,
  )
  assert.is(headers.get('content-type'), 'text/html; charset=utf-8')
  assert.not.match(page, /<script|<link|<img|<iframe|\son\w+=|\sstyle=|url\(|@import/)
  const links = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target]) => target ?? '')
  assert.ok(links.every((target) => target.startsWith('#') || target === '/api/v1/openapi.json'))
  for (const target of links.filter((link) => link.startsWith('#'))) {
    assert.ok(page.includes(`id="${target.slice(1)}"`), target)
  }
})

test('every operation, field and error of the document is on it', async () => {
  const document: ApiDocument = JSON.parse(
    await (await fetch(`${node.publicUrl}/api/v1/openapi.json`)).text(),
  )
  const shown = (text: string) =>
    page.includes(text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'))
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

test('no text of the document gets out of its place', async () => {
  const document: ApiDocument = JSON.parse(
    await (await fetch(`${node.publicUrl}/api/v1/openapi.json`)).text(),
  )
  // What parts of the document are found by, and the one text that has marks of its own.
  const known = ['$ref', 'tags', 'description', 'required']
  const written = (text: string) => skeletonOf(documentPage(withTexts(document, text, known)))
  const plain = written('x')
  assert.ok(plain.length > 1000)
  fc.assert(
    fc.property(naughtyTexts, (text) => assert.equal(written(text), plain)),
    { numRuns: 25 },
  )
})

test('the slash at its end is optional, and other methods are not allowed', async () => {
  const slash = await fetch(`${node.publicUrl}/api/v1/docs/`)
  assert.is(await slash.text(), page)
  assert.is((await fetch(`${node.publicUrl}/api/v1/docs`, { method: 'POST' })).status, 405)
})

test.run()
