/**
 * The addresses that settings and options hold. Each kind has one parser, and what is used is its result: the address
 * in its one spelling, never the text that was judged.
 */
import { isIP } from 'node:net'

/** A problem completes "… and …"; it is `null` where what is allowed says enough, and never holds a part of the text. */
export type Reading = { readonly value: string } | { readonly problem: string | null }

const none: Reading = { problem: null }

/** Controls, invisible characters, lone surrogates, every kind of blank, and what a wrong decoder leaves behind. */
const unfit = /[\p{C}\p{Z}\uFFFD]/u
const unfitInLine = /(?! )[\p{C}\p{Z}\uFFFD]/u

/** A line as a person writes it, or a path: blanks within it are its own, those around it are not. */
export function readLine(text: string): Reading {
  const line = text.trim()
  return line === ''
    ? none
    : (unfitProblem(line, unfitInLine, 'a control or an invisible character') ?? { value: line })
}

/** Reads a text without blanks by `read`, which gets it without those around it. */
function withoutBlanks(text: string, read: (word: string) => Reading): Reading {
  const word = text.trim()
  if (word === '') return none
  return unfitProblem(word, unfit, 'a blank, a control or an invisible character') ?? read(word)
}

function unfitProblem(text: string, pattern: RegExp, what: string): Reading | null {
  const at = text.search(pattern)
  return at < 0 ? null : { problem: `its character ${at + 1} is ${what}` }
}

/** An http or https URL without a name or a password in it. */
export function readHttpUrl(text: string): Reading {
  return readUrl(text, ({ href }) => ({ value: href }))
}

/** Without a query; no slash at its end. */
export function readBaseUrl(text: string): Reading {
  return readUrl(text, ({ origin, pathname }, word) =>
    /[?#]/.test(word) ? none : { value: origin + pathname.replace(/\/+$/, '') },
  )
}

/** `https://pay.example`, without a slash at its end. */
export function readOrigin(text: string): Reading {
  return readUrl(text, ({ origin, pathname }, word) =>
    /[?#]/.test(word) || pathname !== '/' ? none : { value: origin },
  )
}

function readUrl(text: string, spell: (url: URL, word: string) => Reading): Reading {
  return withoutBlanks(text, (word) => {
    // The URL parser alone would also take `https:pay.example`, and backslashes for slashes.
    const url = /^https?:\/\/[^/\\][^\\]*$/i.test(word) ? URL.parse(word) : null
    if (url === null || !isHost(url.hostname)) return none
    if (url.username !== '' || url.password !== '') return { problem: 'it holds a user name or a password' }
    return spell(url, word)
  })
}

/** What the URL parser lets through may still hold quotes and semicolons. */
function isHost(hostname: string): boolean {
  return hostname.startsWith('[') || /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?\.?$/.test(hostname)
}

/** A host name in its ASCII form, or an IP address as it is usually written, IPv6 without brackets. */
export function readHost(text: string): Reading {
  return withoutBlanks(text, (word) => {
    // A zone (`fe80::1%eth0`) is the machine's own matter.
    if (isIP(word) === 6 && word.includes('%')) return { value: word }
    const host = hostOf(word)
    return host === null ? none : { value: host }
  })
}

function hostOf(word: string): string | null {
  const isV6 = isIP(word) === 6
  if (!isV6 && /[/\\?#@:%[\]]/.test(word)) return null
  const hostname = URL.parse(`http://${isV6 ? `[${word}]` : word}`)?.hostname ?? ''
  return isHost(hostname) ? hostname.replace(/^\[(.*)\]$/, '$1') : null
}

/** `10.0.0.0/8`, or one address. */
export function readNetwork(text: string): Reading {
  return withoutBlanks(text, (word) => {
    const [, address = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(word) ?? []
    const family = isIP(address)
    const spelled = family === 0 ? null : hostOf(address)
    if (spelled === null || Number(bits ?? 0) > (family === 4 ? 32 : 128)) return none
    return { value: bits === undefined ? spelled : `${spelled}/${Number(bits)}` }
  })
}

/** It becomes part of a header, so nothing in it may end the directive or the header. */
export function readFrameAncestor(text: string): Reading {
  return withoutBlanks(text, (word) => {
    if (word === '*' || word.toLowerCase() === "'self'") return { value: word.toLowerCase() }
    const [, rest = '', anyPort = ''] = /^(.*?)(:\*)?\/?$/.exec(word) ?? []
    const url = /^https?:\/\/[^/\\?#@]+$/i.test(rest) ? URL.parse(rest) : null
    if (
      url === null ||
      !/^(\[[0-9a-f:.]+\]|(\*|(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?))$/.test(url.hostname)
    )
      return none
    return { value: url.origin + anyPort }
  })
}

/** Whether what is sent to a host stays on it. A name that only looks like such an address is none. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
