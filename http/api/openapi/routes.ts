/** The document and its pages on the public listener: unsigned, the same for everybody. */
import { createHash } from 'node:crypto'
import type { Middleware } from 'koa'
import programPackage from '../../../package.json' with { type: 'json' }
import { answerRefusal } from '../../foundation/errors.ts'
import type { Route } from '../route.ts'
import { describeApi } from './document.ts'
import { documentPages } from './page.ts'
import { documentPagePolicy } from './page-layout.ts'
import { viewOf } from './page-view.ts'

interface Resource {
  type: string
  /** As it goes out: a text would be turned into bytes for each answer anew. */
  body: Buffer
  etag: string
}

/**
 * Serves `GET openapi.json`, and `GET docs` with a page for each operation, below a path; passes on what lies elsewhere.
 *
 * @param url of the node, for its samples
 */
export function apiDocumentation(basePath: string, routes: readonly Route[], url: string): Middleware {
  const describe = () => describeApi(routes, programPackage.version)
  const documentPath = `${basePath}/openapi.json`
  const docsPath = `${basePath}/docs`
  let pages: ReturnType<typeof documentPages> | null = null
  const make = (path: string): Resource | null => {
    if (path === documentPath) return resource('application/json', `${JSON.stringify(describe(), null, 1)}\n`)
    pages ??= documentPages(viewOf(describe()), url)
    const page = pages.get(path.slice(docsPath.length + 1))
    return page === undefined ? null : resource('text/html; charset=utf-8', page())
  }
  // Made when it is first asked for: a node is ready before.
  const made = new Map<string, Resource>()
  return (context, next) => {
    const path = context.path.replace(/\/$/, '')
    if (path !== documentPath && path !== docsPath && !path.startsWith(`${docsPath}/`)) return next()
    const found = made.get(path) ?? make(path)
    if (found === null) return next()
    made.set(path, found)
    context.state.route = path.startsWith(`${docsPath}/`) ? `${docsPath}/:page` : context.path
    if (context.method !== 'GET' && context.method !== 'HEAD') {
      const values = { method: context.method, allow: ['GET', 'HEAD'] }
      const { status, headers, body } = answerRefusal({ name: 'method_not_allowed', values })
      context.status = status
      context.set(headers)
      context.body = body
      return
    }
    context.set({
      'Content-Security-Policy': documentPagePolicy,
      'Cache-Control': 'no-cache',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      ETag: found.etag,
    })
    // Tools that run in a browser read the document from pages of their own; it is nobody's secret.
    if (found.type === 'application/json') context.set('Access-Control-Allow-Origin', '*')
    context.status = 200
    context.type = found.type
    if (context.fresh) {
      context.status = 304
      return
    }
    context.body = found.body
  }
}

function resource(type: string, text: string): Resource {
  const body = Buffer.from(text)
  return { type, body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}
