/** Whatever reads words and files: of callers, of people, of the settings, and of our own that may have been changed. */
import { formatAnchor, parseAnchor } from '../../actors/anchors/anchor.ts'
import { formatRecord, parseRecord } from '../../actors/archive/record.ts'
import { parseJson as parseJsonText } from '../../actors/foundation/json-text.ts'
import { OperationError } from '../../actors/foundation/operation.ts'
import { readPage } from '../../actors/foundation/paging.ts'
import { Problems } from '../../actors/foundation/reading.ts'
import { parseMessageDate } from '../../actors/keys/signature.ts'
import { hasCheckDigit } from '../../actors/orders/code.ts'
import { readProvisioningFile } from '../../actors/provisioning/file.ts'
import { isPointer, readAnswer } from '../../actors/rates/answer.ts'
import { readCalendarFile } from '../../actors/terms/calendar-file.ts'
import { isDay } from '../../actors/terms/days.ts'
import { wordsOf } from '../../chain/requests.ts'
import demoParties from '../../data/demo.json' with { type: 'json' }
import { currencyDecimals, currencyName, parseAmount } from '../../machines/money.ts'
import { parseDecimal } from '../../machines/rate.ts'
import { rateFrom } from '../../machines/rate-reading.ts'
import { formatInstant, parseInstant } from '../../machines/time.ts'
import { likeness, oneSpelling, writtenProblem } from '../../machines/written-names.ts'
import {
  readBaseUrl,
  readFrameAncestor,
  readHost,
  readHttpUrl,
  readLine,
  readNetwork,
  readOrigin,
} from '../../node/settings/addresses.ts'
import { loadSettings, SettingsError } from '../../node/settings/config.ts'
import { readDatabaseUrl } from '../../node/settings/database-url.ts'
import type { Parser } from './play.ts'

const now = Date.UTC(2026, 2, 3, 12)
const messageDate = (now / 1000).toFixed(3)
const noPage = async () => []

export const words: readonly Parser[] = [
  {
    name: 'cursors',
    samples: [Buffer.from(`${now} 0197a1c4-6f00-7000-8000-000000000001`).toString('base64url'), 'eA'],
    parse: (text) => readPage({ cursor: text, limit: 10 }, () => ({ at: 0, id: '' }), [noPage]),
    isRefusal: (error) => error instanceof OperationError && error.code === 'invalid',
  },
  {
    name: 'amounts',
    samples: ['1000.00', ' 007.50 ', '-0.01', '92233720368547758.07', '17.250000'],
    parse: (text) => [0, 2, 9].map((decimals) => parseAmount(text, decimals)),
  },
  {
    name: 'rates',
    samples: ['17.25', '0.000000000000000001', '1.725e1', '100000000000000'],
    parse: (text) => [
      parseDecimal(text),
      rateFrom(text, { inverse: true, spreadBps: 50 }),
      rateFrom(text, { inverse: false, spreadBps: 0 }),
    ],
  },
  {
    name: 'timestamps',
    samples: ['2026-03-03T12:00:00Z', '2026-03-03T12:00:00.123456+05:30', '2026-03-03', messageDate],
    parse: (text) => {
      const at = parseInstant(text)
      return [at === null ? null : formatInstant(at), parseMessageDate(text), isDay(text)]
    },
  },
  {
    name: 'ids, names and currencies',
    samples: [
      '123456789',
      'USDC.SOLANA/6',
      'Almacén  Peñaloza',
      '０１２',
      '0197a1c4-6f00-7000-8000-000000000001',
    ],
    parse: (text) => [
      hasCheckDigit(text),
      currencyName(text),
      currencyDecimals(text),
      oneSpelling(text),
      writtenProblem(text),
      likeness(text),
    ],
  },
  {
    name: 'addresses',
    samples: [
      'https://pay.example/a?b=c',
      'postgresql://user:word@host:5432/name?sslmode=require',
      '10.0.0.0/8',
      'pay.example',
      '[::1]',
      'https://*.shop.example',
      'a line',
    ],
    parse: (text) =>
      [
        readHttpUrl,
        readBaseUrl,
        readOrigin,
        readHost,
        readNetwork,
        readFrameAncestor,
        readLine,
        readDatabaseUrl,
      ]
        .map((read) => read(text))
        .concat([{ value: wordsOf(text, 'https://node.example/a-secret-key') }]),
  },
]

const variables = {
  VENTANILLA_DATABASE: 'sqlite:node.db',
  VENTANILLA_MODE: 'production',
  VENTANILLA_HTTP_PORT: '8080',
  VENTANILLA_HTTP_PUBLICURL: 'https://pay.example',
  VENTANILLA_HTTP_TRUSTEDPROXIES: '10.0.0.0/8, ::1',
  VENTANILLA_LOG_LEVEL: 'info',
  VENTANILLA_CHAINS_SOLANA_RPC: 'https://rpc.example',
  VENTANILLA_CHAINS_SOLANA_ASSETS: '{"USDC":{"id":"a","decimals":6}}',
  VENTANILLA_RETENTION_ORDERDAYS: '90',
}

/** One variable a line; so that a change of the text may be one of a name, too. */
function environmentOf(text: string): Record<string, string> {
  const pairs = text.split('\n').map((line): [string, string] => {
    const [name = '', ...rest] = line.split('=')
    return [name, rest.join('=')]
  })
  return Object.fromEntries(pairs)
}

export const files: readonly Parser[] = [
  {
    name: 'settings',
    samples: [
      Object.entries(variables)
        .map((pair) => pair.join('='))
        .join('\n'),
    ],
    parse: (text) => loadSettings({ env: environmentOf(text), cwd: '/nowhere' }),
    isRefusal: (error) => error instanceof SettingsError,
    share: 0.05,
  },
  {
    name: 'apply files',
    samples: [
      JSON.stringify(demoParties),
      JSON.stringify({
        rates: [
          {
            blockchains: ['SOLANA'],
            send: 'USDC',
            country: 'MX',
            target: 'MXN',
            sources: [{ url: 'https://rates.example', pointer: '/mxn' }],
          },
        ],
      }),
    ],
    parse: (_, bytes) => {
      const read = parseJsonText(bytes)
      return read.ok ? readProvisioningFile(read.value, new Problems(), () => null) : read
    },
    share: 0.1,
  },
  {
    name: 'calendars',
    samples: [
      'date,note\n2026-12-25,Christmas\n2026-01-01,"New\nYear"\n',
      '\ufeffnote,date\r\n,2026-05-01\r\n',
    ],
    parse: (text) => readCalendarFile(text),
    share: 0.3,
  },
  {
    name: 'anchors',
    samples: [
      formatAnchor({
        at: now,
        position: 12,
        entries: 9,
        digest: 'a'.repeat(43),
        statements: [['p', 'MXN', 3]],
        payments: [['i', 'p', 'MXN', '100', 'bank', null]],
        claims: [
          {
            ...{ number: 7, id: 'c', kind: 'twice', state: 'open', order: 'o', merchant: 'm', provider: 'p' },
            ...{ currency: 'MXN', amountMinor: '100', head: 'h'.repeat(43) },
          },
        ],
        approval: 4,
      }),
    ],
    parse: (text) => parseAnchor(text),
  },
  {
    name: 'archive lines',
    samples: [
      formatRecord('a key', {
        format: 1,
        id: 'id',
        archived: '2026-03-03T12:00:00.000Z',
        rows: {},
        personal: 'x',
      } as never).line,
    ],
    parse: (text) => parseRecord('a key', text),
  },
  {
    name: 'answers of rate sources',
    samples: ['{"mxn":"17.25","list":[1.50,{"a/b":null}]}'],
    parse: (text, bytes) =>
      ['/mxn', '/list/1/a~1b', '', text].filter(isPointer).map((pointer) => readAnswer(bytes, pointer)),
  },
]
