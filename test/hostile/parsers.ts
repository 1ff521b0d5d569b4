/** Whatever reads what strangers send: bodies, headers, targets. */
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import Koa from 'koa'
import { checkEvidence } from '../../actors/evidence/manifest.ts'
import { packZip } from '../../actors/evidence/zip.ts'
import { parseJson as parseJsonText } from '../../actors/foundation/json-text.ts'
import { sign } from '../../actors/keys/signature.ts'
import { findMistakes } from '../../actors/keys/signature-mistakes.ts'
import { readCamt } from '../../actors/reconciliation/read-camt.ts'
import { readReportCsv } from '../../actors/reconciliation/read-csv.ts'
import { mappingOf } from '../../actors/terms/report-mapping.ts'
import { retryAfterMs } from '../../chain/requests.ts'
import { WebhookRefused } from '../../client/errors.ts'
import { verifyWebhook } from '../../client/webhooks.ts'
import { authenticate } from '../../http/api/authentication.ts'
import { sessionTokenOf } from '../../http/console/cookies.ts'
import { readForm } from '../../http/console/form-reading.ts'
import { acceptsJson, acceptsTable } from '../../http/foundation/accept.ts'
import { parseBody } from '../../http/foundation/body.ts'
import { readTarget } from '../../http/foundation/target.ts'
import { createClientAddresses } from '../../http/limits/client-address.ts'
import { chooseLocale } from '../../http/pages/locale.ts'
import { payOutBody, secretOf } from '../support/node.ts'
import type { Parser } from './play.ts'
import { files, words } from './texts.ts'

const koa = new Koa()
const now = Date.UTC(2026, 2, 3, 12)
const secret = secretOf('mk')
const orderText = JSON.stringify(payOutBody())
const signed = {
  key: 'mk',
  messageDate: (now / 1000).toFixed(3),
  method: 'POST',
  path: '/api/v1/merchants/orders/pay-out/',
  body: orderText,
}

async function* inParts(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 50) yield bytes.subarray(start, start + 50)
}

async function allOf(batches: AsyncIterable<unknown>): Promise<number> {
  let count = 0
  for await (const _ of batches) count += 1
  return count
}

const ntry =
  '<Ntry><Amt Ccy="MXN">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><AcctSvcrRef>R</AcctSvcrRef></Ntry>'
const balance = (code: string, amount: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="MXN">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`

/** Files of networks and banks, and evidence that somebody shows. */
const imports: Parser[] = [
  {
    name: 'reports of networks',
    samples: [
      'order,outcome,amount,paid_at,reference\n123456789012347,paid,"1,000.00",2026-03-01T12:00:00Z,r 1\nx,not_paid,,,\n',
      '\ufefforder;outcome;amount;paid_at;reference\r\n1;reversed;-1.00;2026-03-01;"a ""b"" c"\r\n',
    ],
    parse: (_, bytes) => allOf(readReportCsv(inParts(bytes), { mapping: mappingOf(null), currency: 'MXN' })),
    share: 0.1,
  },
  {
    name: 'statements of banks',
    samples: [
      `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>S</Id>${balance('OPBD', '0.00')}${balance('CLBD', '1.00')}${ntry}</Stmt></BkToCstmrStmt></Document>`,
    ],
    parse: (_, bytes) => allOf(readCamt(inParts(bytes), 'MXN')),
    share: 0.1,
  },
  {
    name: 'evidence files',
    samples: [Buffer.from(packZip([{ name: 'order.json', bytes: Buffer.from('{}') }])).toString('latin1')],
    parse: (text, bytes) => [checkEvidence(bytes, null), checkEvidence(Buffer.from(text, 'latin1'), null)],
    share: 0.2,
  },
]

const bodies: Parser[] = [
  {
    name: 'JSON bodies',
    samples: [orderText, '{"network_id":"0002","price":1000.0,"list":[1,2.50,-0,1e3,null,true,"\\u00e9"]}'],
    parse: (_, bytes) => parseBody(bytes, { 'content-type': 'application/json' }),
  },
  {
    name: 'JSON texts',
    samples: [orderText, '{"a":{"b":[1,{"c":"d"}]},"e":"f"}'],
    parse: (text, bytes) => [parseJsonText(text), parseJsonText(bytes)],
  },
  {
    name: 'types and encodings of bodies',
    samples: ['application/json; charset="utf-8"', 'gzip, identity', 'text/plain;a=b;charset=latin1'],
    parse: (text, bytes) =>
      parseBody(bytes, { 'content-type': text, 'content-encoding': text.slice(text.length / 2) }),
  },
  {
    name: 'forms',
    samples: ['reason=It+is+wrong&code=123%20456&password=%C3%A9', 'a=b&a=c&__proto__=d&=e&f'],
    parse: (_, bytes) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' }
      const message = Object.assign(Readable.from([bytes]), { headers, method: 'POST', url: '/', socket })
      const response = { getHeader: () => undefined, setHeader: () => {} }
      const context = koa.createContext(message as never, response as never)
      return readForm(context)
    },
    share: 0.2,
  },
]

/** Header values as Node gives them: one character a byte, and no line breaks. */
function header(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')
}

function messageWith(headers: Record<string, string>): IncomingMessage {
  const headersDistinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
  return { method: 'POST', headers, headersDistinct, socket } as unknown as IncomingMessage
}

/** Of a proxy that is trusted. */
const socket = Object.create(new Socket(), {
  localPort: { value: 8080 },
  remoteAddress: { value: '10.0.0.1' },
})
const addresses = createClientAddresses(['10.0.0.0/8', '2001:db8::/32'])

const headers: Parser[] = [
  {
    name: 'cookies',
    samples: [`ventanilla_session_8080=${'a'.repeat(43)}; other=1`, 'a=b; ; ventanilla_session_8080="x"'],
    parse: (text) => sessionTokenOf(messageWith({ cookie: header(text) })),
  },
  {
    name: 'signature headers',
    samples: [[signed.key, signed.messageDate, sign(signed, secret)].join('\n')],
    parse: (text) => {
      const [key = '', date = '', hash = ''] = text.split('\n').map(header)
      const message = messageWith({ 'merchant-key': key, 'message-date': date, 'message-hash': hash })
      const identify = async (name: string) =>
        name === 'mk'
          ? {
              ...{ kind: 'merchant' as const, partyId: 'id', name: 'Shop', key: name, secret },
              ...{ isFrozen: false, requestsPerMinute: null },
            }
          : null
      const credentials = { identify, recordUse: async () => {}, webhookCredential: async () => null }
      const options = { credentials, clock: { now: () => now }, toleranceMs: 300_000, refusesTestKeys: false }
      return authenticate(options, 'merchant', {
        message,
        signedPath: signed.path,
        body: Buffer.from(orderText),
      })
    },
  },
  {
    name: 'mistakes of signatures',
    samples: [
      JSON.stringify({ ...signed, hash: sign(signed, secret) }),
      JSON.stringify({ ...signed, hash: 'AA==' }),
    ],
    parse: (text, bytes) => {
      const [key = '', messageDate = '', method = '', path = '', hash = ''] = text
        .split('"')
        .filter((_, at) => at % 4 === 3)
      return findMistakes({ key, messageDate, method, path, body: bytes }, secret, hash)
    },
    share: 0.1,
  },
  {
    name: 'webhooks',
    samples: [JSON.stringify({ id: '1', status: 'COMPLETED' }), signed.messageDate, '/hooks/cash?x=ñ'],
    parse: (text, bytes) =>
      verifyWebhook(
        {
          path: text,
          headers: {
            'merchant-key': 'mk',
            'message-date': text,
            'message-hash': sign(
              { ...signed, method: 'POST', messageDate: text, path: text, body: bytes },
              secret,
            ),
          },
          body: bytes,
        },
        { secrets: { mk: secret }, now: () => now },
      ),
    isRefusal: (error) => error instanceof WebhookRefused,
    share: 0.3,
  },
  {
    name: 'other headers',
    samples: [
      'text/html, application/json;q=0.9, */*;q=0',
      'es-MX,es;q=0.9,en;q=0.5',
      '1.2.3.4, [2001:db8::1]:80, unknown',
      '120',
      'Tue, 03 Mar 2026 12:00:00 GMT',
    ],
    parse: (text) => {
      const value = header(text)
      const message = messageWith({ 'x-forwarded-for': value, forwarded: value })
      return [
        acceptsJson(value),
        acceptsTable(value),
        chooseLocale(null, value),
        addresses.of(message),
        retryAfterMs(value, now),
      ]
    },
  },
  {
    name: 'targets',
    samples: ['/api/v1/merchants/orders/?limit=5&cursor=a', 'http://host/a?b', '*'],
    parse: (text) => readTarget(header(text)),
  },
]

export const parsers: readonly Parser[] = [...bodies, ...imports, ...headers, ...words, ...files]
