/**
 * One request to a source of rates. The name is resolved for each request, its addresses are judged, and the
 * connection goes to one that was judged: a source must not be a way into the operator's own network.
 */
import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { ResolveName } from '../outbound/resolver.ts'
import { bareHost, isExempt, judgeAddress, judgeUrl, type TargetRules } from '../outbound/target.ts'

export type Asked =
  | { ok: true; body: Buffer }
  /** `problem` completes a sentence that begins with the source's name. */
  | { ok: false; problem: string; retryAfterSeconds: number | null }

/** Rejects never: whatever goes wrong is an outcome. */
export type AskSource = (url: string, timeoutMs: number, signal: AbortSignal) => Promise<Asked>

/** No ticker needs more. */
const maxBodyBytes = 256 * 1024

export function createAskSource(rules: TargetRules, resolve: ResolveName): AskSource {
  return async (text, timeoutMs, signal) => {
    const url = new URL(text)
    const problem = judgeUrl(url, rules)
    if (problem !== null) return failed(`is not asked: ${problem.replace(/\.$/, '')}`)
    const deadline = AbortSignal.timeout(timeoutMs)
    try {
      return await get(url, judgedLookup(url, rules, resolve), AbortSignal.any([deadline, signal]))
    } catch (error) {
      return failed(
        deadline.aborted ? `gave no answer within ${timeoutMs} ms` : `gave no answer: ${said(error)}`,
      )
    }
  }
}

function failed(problem: string, retryAfterSeconds: number | null = null): Asked {
  return { ok: false, problem, retryAfterSeconds }
}

async function get(url: URL, lookup: LookupFunction, signal: AbortSignal): Promise<Asked> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http
    const headers = { Accept: 'application/json', 'Accept-Encoding': 'identity', 'User-Agent': 'Ventanilla' }
    // No agent: a minute later the connection would be closed anyway.
    request(url, { agent: false, lookup, headers, signal }, resolve).on('error', reject).end()
  })
  const { statusCode: status = 0 } = response
  if (status !== 200) {
    response.destroy()
    const redirects = status >= 300 && status < 400 ? ', and redirections are not followed' : ''
    return failed(`answered HTTP ${status}${redirects}`, secondsOf(response.headers['retry-after']))
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    // Leaving the loop ends the connection.
    if (bytes > maxBodyBytes) return failed(`answered with more than ${maxBodyBytes} bytes`)
    chunks.push(chunk)
  }
  return { ok: true, body: Buffer.concat(chunks) }
}

/** Answers with judged addresses only; it is not asked for literal ones, which were judged with the URL. */
function judgedLookup(url: URL, rules: TargetRules, resolve: ResolveName): LookupFunction {
  return (_, { all }, callback) => {
    resolve(bareHost(url)).then(
      (addresses) => {
        const own = rules.ownAddresses()
        const isForbidden = (address: string) => judgeAddress(address, own) !== null
        const [first] = addresses
        if (first === undefined) return callback(new Error('its name has no address'), '')
        if (!isExempt(url, rules) && addresses.some(isForbidden)) {
          return callback(new Error('its name has an address that is not public'), '')
        }
        if (all === true) {
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          )
        } else callback(null, first, isIP(first))
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

function secondsOf(retryAfter: string | undefined): number | null {
  return retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null
}

function said(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  const text = first instanceof Error ? first.message || first.name : String(first)
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, 200)
}
