/**
 * The URL data of the web platform tests against everything here that takes a URL: what it says, whether it may be
 * asked, and what is kept of it. The suite tells the host of each, so that a spelling of a private address is none.
 */
import { BlockList, isIP } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  bareHost,
  judgeNotifyUrl,
  judgeUrl,
  parseNotifyUrl,
  type TargetRules,
} from '../../actors/outbound/target.ts'
import { webhookHeaders } from '../../actors/webhooks/headers.ts'
import { createMerchantClient } from '../../client/client.ts'
import { Misuse } from '../../client/errors.ts'
import { isUrl } from '../../http/foundation/formats.ts'
import { strangersPage } from '../../http/operator/access.ts'
import { settingForms } from '../../node/settings/formats.ts'
import { isLargeShare } from '../durability/share.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { merchantPath } from '../support/orders.ts'
import { readVectors } from '../support/vectors.ts'

/** Texts that are asked over HTTP or signed: each in `npm run test:durability`, some of them in `npm test`. */
const some = isLargeShare ? 1 : 8

interface UrlVector {
  input: string
  base: string | null
  /** `null` where there is no such URL. */
  href: string | null
  hostname: string | null
}

const vectors = readVectors<UrlVector>('urls')

/** Every text that the suite has, and, so that the scheme alone does not decide, the same over https. */
const texts = [
  ...new Set(
    vectors.flatMap(({ input, base, href }) =>
      [input, base, href].flatMap((text) =>
        text === null ? [] : [text, text.replace(/^https?:/i, 'https:')],
      ),
    ),
  ),
]

const rules: TargetRules = {
  allowPrivate: false,
  ports: [443],
  exemptOrigins: [],
  ownAddresses: () => ['8.8.4.4'],
}

/** Written from the registries of RFC 6890, without a line of the judge's. */
const [notPublic, notPublicV6] = [new BlockList(), new BlockList()]
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  notPublic.addSubnet(address, bits)
for (const [address, bits] of [
  ['::', 8],
  ['100::', 64],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
  ['2001:db8::', 32],
] as const)
  notPublicV6.addSubnet(address, bits, 'ipv6')

function isPublic(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (isIP(host) === 4) return !notPublic.check(host)
  const [, high, low] = /^::([\da-f]{1,4}):([\da-f]{1,4})$/.exec(host) ?? []
  // IPv4-compatible addresses are those of their last four bytes.
  if (high !== undefined && low !== undefined) {
    const bytes = Buffer.from(high.padStart(4, '0') + low.padStart(4, '0'), 'hex')
    return !notPublic.check([...bytes].join('.'))
  }
  if (isIP(host) === 6) return !notPublicV6.check(host, 'ipv6')
  return host !== 'localhost' && !host.endsWith('.localhost')
}

test('the suite is whole', () => {
  assert.is(vectors.length, 820)
  assert.is(vectors.filter(({ href }) => href === null).length, 272)
})

test('a URL that is none in the suite is none here, and one that is read has the host that the suite says', () => {
  let read = 0
  for (const { input, base, href, hostname } of vectors) {
    if (base !== null && URL.canParse(base)) continue
    const url = parseNotifyUrl(input)
    if (href === null) {
      // This runtime looks into no label that is Punycode already; the name service knows none such.
      if (url !== null && /\bxn--/i.test(input)) continue
      assert.is(url, null, input)
      assert.not(isUrl(input), input)
    }
    if (url === null) continue
    read++
    assert.is(url.hostname, hostname, input)
    assert.is(url.href, href, input)
  }
  assert.ok(read > 70, `${read} were read`)
})

test('a webhook may go to a public host over https on port 443, and to no other, however it is spelled', () => {
  const permitted = texts.filter((text) => judgeNotifyUrl(text, rules) === null)
  for (const text of permitted) {
    const { protocol, port, username, password, hostname, href } = new URL(text)
    assert.equal([protocol, port, username, password], ['https:', '', '', ''], text)
    assert.ok(isPublic(hostname), text)
    assert.is(judgeNotifyUrl(href, rules), null, `${text} as ${href}`)
    assert.is(
      webhookHeaders({ id: '1', sequence: 1, url: text, body: '' }, 1, { key: 'k', secret: 's' }, 0)[
        'Merchant-Key'
      ],
      'k',
    )
  }
  assert.ok(permitted.length > 50, `${permitted.length} are permitted`)
  const spellings = vectors.filter(
    ({ hostname }) => hostname !== null && hostname !== '' && !isPublic(hostname),
  )
  assert.ok(spellings.length > 20, `${spellings.length} are not public`)
  for (const { href } of spellings) {
    const url = URL.parse((href ?? '').replace(/^http:/, 'https:'))
    if (url?.protocol === 'https:') assert.ok(judgeUrl(url, rules), href ?? '')
  }
})

test('a page links back to an http or https URL with a host, and to nothing else', () => {
  const taken = texts.filter(isUrl)
  for (const text of taken) {
    const url = new URL(text)
    assert.match(url.protocol, /^https?:$/, text)
    assert.ok(bareHost(url) !== '', text)
    assert.ok(isUrl(url.href), `${text} as ${url.href}`)
  }
  assert.ok(taken.length > 100, `${taken.length} are taken`)
})

test('a setting that is an address is read the same when it is read again, or refused without being quoted', () => {
  for (const [form, read] of Object.entries(settingForms)) {
    for (const text of texts) {
      const reading = read(text)
      if ('value' in reading) assert.equal(read(reading.value), reading, `${form} ${JSON.stringify(text)}`)
      else assert.not.match(reading.problem ?? '', /\p{Cc}/u, form)
    }
  }
})

test('an http setting has the host that the URL has, and no name or password', () => {
  for (const form of ['http-url', 'base-url', 'origin']) {
    for (const text of texts) {
      const reading = settingForms[form]?.(text)
      if (!reading || !('value' in reading)) continue
      const [url, written] = [new URL(reading.value), new URL(text.trim())]
      assert.equal(
        [url.host, url.username, url.password, url.hash && form],
        [written.host, '', '', url.hash && 'http-url'],
        text,
      )
      assert.match(url.protocol, /^https?:$/, text)
    }
  }
})

test('a client asks the host that it was given, at the path that it signs, or refuses at once', async () => {
  let asked = ''
  const answer = async (url: string | URL | Request) => {
    asked = String(url)
    return Response.json([])
  }
  for (const [index, text] of texts.entries()) {
    if (index % some > 0) continue
    const options = { url: text, key: 'mk', secret: 'secret', fetch: answer as typeof fetch, attempts: 1 }
    let client: ReturnType<typeof createMerchantClient>
    try {
      client = createMerchantClient(options)
    } catch (error) {
      assert.instance(error, Misuse, text)
      continue
    }
    await client.getPayOutOrder({ id: 'an-id' })
    const [given, url] = [new URL(text), new URL(asked)]
    assert.is(url.host, given.host, `${text} asks ${asked}`)
    const prefix = given.pathname
      .replace(/\/+$/, '')
      .replace(/\/api\/v1$/, '')
      .replace(/\/+$/, '')
    assert.is(url.pathname, `${prefix}/api/v1/merchants/orders/pay-out/an-id/`, `${text} asks ${asked}`)
    assert.equal([url.username, url.password], ['', ''], text)
  }
})

test('the operator’s listener serves addresses and its own name, whatever else a Host or an Origin spells', () => {
  for (const text of texts) {
    const { host } = URL.parse(text) ?? { host: text }
    for (const written of [host, text]) {
      const problem = strangersPage({ host: written, origin: undefined, site: undefined }, ['till'])
      const name = URL.parse(`http://${written}`)?.hostname ?? ''
      const isOurs = isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || ['localhost', 'till'].includes(name)
      assert.is(problem === null, isOurs, written)
      assert.ok(
        strangersPage({ host: 'till', origin: text, site: undefined }, ['till']) === null
          ? URL.parse(text)?.host === 'till'
          : true,
      )
    }
  }
})

let node: TestNode
test.before(async () => {
  node = await startTestNode({
    env: { VENTANILLA_WEBHOOKS_ALLOWPRIVATE: 'false', VENTANILLA_LIMITS_REQUESTSPERMINUTE: '1000000' },
  })
})
test.after(() => stopTestNode(node))

test('an order keeps what it was given of the suite, or says which of the two URLs is none', async () => {
  const create = (urls: object) =>
    node.request({
      as: 'mk_shop',
      path: merchantPath('PAY_OUT'),
      body: payOutBody({ price: '10.00', notify_url: 'https://shop.example/', ...urls }),
    })
  for (const [index, text] of texts.entries()) {
    const isText = text.isWellFormed() && !text.includes('\0')
    const kept = {
      notify_url: isText && isUrl(text.trim()) && judgeNotifyUrl(text, rules) === null,
      return_url: isText && isUrl(text.trim()),
    }
    for (const name of ['notify_url', 'return_url'] as const) {
      // Of those that are refused a part is enough: the judgements are the ones above.
      if (index % some > 0 || (!kept[name] && index % 20 > 0)) continue
      const { status, json } = await create({ [name]: text })
      const what = `${name} ${JSON.stringify(text)} ${JSON.stringify(json)}`
      if (status === 400)
        assert.ok(
          json.errors.every(({ attr }: { attr: string }) => attr === name),
          what,
        )
      else assert.is(json[name], text.trim(), what)
      assert.is(status, kept[name] ? 201 : 400, what)
    }
  }
})

test.run()
