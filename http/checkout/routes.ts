/** The checkout page on the public listener. */
import type { Context, Middleware } from 'koa'
import { worldNow } from '../../actors/foundation/clock.ts'
import { chooseLocale } from '../pages/locale.ts'
import { renderCheckout } from './render.ts'
import { serveScript } from './scripts.ts'
import { type SigningOptions, serveSigning, signingPart } from './signing.ts'
import type { Streams } from './streams.ts'
import { checkoutStylesHash } from './styles.ts'
import type { CheckoutView } from './view.ts'

export interface CheckoutOptions extends SigningOptions {
  /** The page says that no money is behind it. */
  isSandbox?: boolean
  /** Who may show the page in a frame: `*`, `'self'` or origins. Nobody when empty. */
  frameAncestors: readonly string[]
  /** The order as it is now, its due expiry applied; `id` is a UUID in lower case. */
  findOrder: SigningOptions['findOrder']
  /** Live status. */
  streams: Pick<Streams, 'open'>
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i
const isUuid = (text: string): boolean => text.replace(uuid, '') === ''

/**
 * Serves `GET /checkout`, `/checkout/`, `/checkout/:id`, and below it what the page's scripts and wallets ask for (where
 * `/checkout` is the path of `checkoutUrl`), and passes on what lies elsewhere. With a base that has no path, `/` and
 * what is below it are the page's own: mount it last.
 *
 * A read that fails is shown as a page that tries again, with 503, and emitted as the application's `error`.
 */
export function checkoutRoutes(options: CheckoutOptions): Middleware {
  const base = new URL(options.checkoutUrl).pathname.replace(/\/$/, '')
  const policy = contentSecurityPolicy(options.frameAncestors)

  return async (context, next) => {
    const rest = restOf(context.path, base)
    if (rest === null) return next()
    context.state.route = 'checkout'
    const [id = '', part, ...more] = rest.split('/')
    const signing = more.length === 0 ? signingPart(part) : null
    const known = isUuid(id) ? id.toLowerCase() : null
    if (signing !== null) {
      setHeaders(context, policy)
      context.state.route = `checkout ${signing}`
      if (await serveSigning(options, context, signing, known)) return
    } else if (context.method !== 'GET' && context.method !== 'HEAD') {
      context.set('Allow', 'GET, HEAD')
      context.status = 405
      return
    }
    if (serveScript(context, rest)) return
    setHeaders(context, policy)
    if (known !== null && part === 'events' && more.length === 0 && context.method === 'GET') {
      context.state.route = 'checkout events'
      if (await options.streams.open(context, known)) return
    }
    await servePage(options, context, base, rest)
  }
}

async function servePage(
  options: CheckoutOptions,
  context: Context,
  base: string,
  id: string,
): Promise<void> {
  const query = new URLSearchParams(context.querystring)
  const locale = chooseLocale(query.get('lang'), context.get('Accept-Language'))
  const entered = query.get('id')
  if (id === '' && entered !== null) {
    // The link itself may have been pasted. Anything else leads to the page of an unknown order.
    const found = uuid.exec(entered)?.[0].toLowerCase() ?? 'unknown'
    context.redirect(`${base}/${found}?lang=${locale}`)
    return
  }
  const view: CheckoutView =
    id === '' ? { kind: 'form' } : await viewOf(id, options, context, query.get('refresh') === 'off')
  context.status = { order: 200, form: 200, not_found: 404, unavailable: 503 }[view.kind]
  context.set('Content-Language', locale)
  context.type = 'html'
  context.body = renderCheckout(view, locale, options.checkoutUrl, options.isSandbox)
}

/** The part of a path below the page's, `''` where there is none; `null` when the path is not the page's. */
function restOf(path: string, base: string): string | null {
  if (path === base) return ''
  if (!path.startsWith(`${base}/`)) return null
  const rest = path.slice(base.length + 1).replace(/\/$/, '')
  // Without a path of its own the page has names of ours alone.
  const isOurs = !rest.includes('/') || isUuid(rest.slice(0, rest.indexOf('/')))
  return base === '' && !isOurs ? null : rest
}

async function viewOf(
  id: string,
  options: CheckoutOptions,
  context: Context,
  isPaused: boolean,
): Promise<CheckoutView> {
  if (!isUuid(id)) return { kind: 'not_found' }
  try {
    const order = await options.findOrder(id.toLowerCase())
    if (!order) return { kind: 'not_found' }
    const now = options.clock.now()
    return { kind: 'order', order, now, aheadMs: now - worldNow(options.clock), isPaused }
  } catch (error) {
    context.app.emit('error', error, context)
    return { kind: 'unavailable' }
  }
}

function contentSecurityPolicy(frameAncestors: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src ${checkoutStylesHash}`,
    "script-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
  ].join('; ')
}

function setHeaders(context: Context, policy: string): void {
  context.set({
    'Content-Security-Policy': policy,
    // A code must not stay in a cache, nor its page in a search engine, nor its address in another's log.
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex, nofollow',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Language',
  })
}
