/** The document and its page on the public listener: unsigned, the same for everybody. */
import { createHash } from 'node:crypto'
import type { Middleware } from 'koa'
import programPackage from '../../../package.json' with { type: 'json' }
import { answerRefusal } from '../../foundation/errors.ts'
import type { Route } from '../route.ts'
import { describeApi } from './document.ts'
import { documentPage, documentPagePolicy } from './page.ts'

interface Resource {
  type: string
  /** As it goes out: a text would be turned into bytes for each answer anew. */
  body: Buffer
  etag: string
}

/** Serves `GET openapi.json` and `GET docs` below a path, and passes on what lies elsewhere. */
export function apiDocumentation(basePath: string, routes: readonly Route[]): Middleware {
  const describe = () => describeApi(routes, programPackage.version)
  const makers = new Map<string, () => Resource>([
    [
      `${basePath}/openapi.json`,
      () => resource('application/json', `${JSON.stringify(describe(), null, 1)}\n`),
    ],
    [`${basePath}/docs`, () => resource('text/html; charset=utf-8', documentPage(describe()))],
  ])
  // Made when it is first asked for: a node is ready before.
  const made = new Map<string, Resource>()
  return (context, next) => {
    const path = context.path.replace(/\/$/, '')
    const make = makers.get(path)
    if (make === undefined) return next()
    const found = made.get(path) ?? make()
    made.set(path, found)
    context.state.route = context.path
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
