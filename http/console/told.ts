/**
 * What a form has done, told once on the page that its answer leads to. The address carries what it is with a seal of the session: no
 * link of a stranger's can say that something was done, and none says it later again.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../../machines/time.ts'

const parameter = 'done'
const goodForMs = 60_000

interface Told {
  /** Of what was done. */
  name: string
  at: Instant
}

/** @param token of the session */
export function withTold(path: string, token: string, { name, at }: Told): string {
  const url = new URL(path, 'http://console')
  const said = `${name}*${at.toString(36)}`
  url.searchParams.set(parameter, `${said}*${sealOf(token, said)}`)
  return `${url.pathname}${url.search}`
}

/** `null` where nothing was done, or not just now, or not by this session. */
export function toldIn(query: URLSearchParams, token: string | null, now: Instant): string | null {
  const [, said = '', name = '', at = '', seal = ''] =
    /^(([\w.]{1,60})\*([0-9a-z]{1,11}))\*([\w-]{22})$/.exec(query.get(parameter) ?? '') ?? []
  if (token === null || seal === '') return null
  const expected = Buffer.from(sealOf(token, said))
  const isFresh = Math.abs(now - Number.parseInt(at, 36)) <= goodForMs
  return isFresh && timingSafeEqual(expected, Buffer.from(seal)) ? name : null
}

function sealOf(token: string, said: string): string {
  return createHmac('sha256', token).update(`told\n${said}`).digest('base64url').slice(0, 22)
}
