/** Forms for what `apply` can do: each shows what it would change, and nothing is changed before that is applied as it was shown. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { factByName } from '../../../persistence/queries/node.ts'
import {
  addOperators,
  type ConsoleVisitor,
  dispatchOf,
  onSqlite,
  tokenOf,
  visitorAs,
} from '../../support/console.ts'
import { applyShown, changesOf, look } from '../../support/console-forms.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`
const markup = /<script>alert|<img/
const shop = '/merchants/Shop'
const shopTerms = '/terms?kind=merchant&party=Shop'
const tillTerms = '/terms?kind=provider&party=Network+A'

let node: TestNode
let visitor: ConsoleVisitor

test.before(async () => {
  node = await startTestNode(onSqlite())
  await addOperators(node)
  visitor = await visitorAs(node, 'administrator')
})

test.after(() => stopTestNode(node))

/** What each form changes of what is there: the page it is on, what is written into it, and the rows that are shown. */
const rows: [path: string, written: Record<string, string>, shown: string[]][] = [
  [
    '/parties?form=merchant',
    { name: 'Kiosk', contact: 'desk@kiosk.example' },
    ['contact | – | desk@kiosk.example | at once'],
  ],
  ['/parties?form=provider', { name: 'Tills', networks: '0071, 0072' }, []],
  [`${shop}?form=contact`, { requestsPerMinute: '300' }, ['limits.requestsPerMinute | – | 300 | at once']],
  [`${shop}?form=pair-MX-MXN`, { max: '60000.00' }, ['max | 50,000.00 MXN | 60,000.00 MXN | at once']],
  [
    `${shop}?form=pair`,
    { country: 'CO', currency: 'COP', min: '10000', max: '500000', payIn: 'yes' },
    [
      'min | – | 10,000.00 COP | at once',
      'max | – | 500,000.00 COP | at once',
      'directions | – | PAY_OUT, PAY_IN | at once',
      'cashIncrement | – | 0.01 COP | at once',
    ],
  ],
  [
    `${shop}?form=deposit`,
    { amount: '75.50', currency: 'MXN', reference: 'SPEI 9' },
    [
      'amount | – | 75.50 MXN | at once',
      'reference | – | SPEI 9 | at once',
      'deposit | bank | available of Shop | 75.50 MXN',
    ],
  ],
  [
    `${shopTerms}&form=fee`,
    { pair: 'MX MXN', direction: 'PAY_IN', from: '2026-12-01', bps: '250', taxBps: '1600' },
    [
      'fixed | – | 0.00 MXN | 2026-12-01 (UTC)',
      'bps | – | 250 | 2026-12-01 (UTC)',
      'taxBps | – | 1600 | 2026-12-01 (UTC)',
    ],
  ],
  [
    `${shopTerms}&form=settles`,
    { currency: 'MXN', every: 'mon, thu', account: 'CLABE 1', afterBankingDays: '2' },
    [
      'timeZone | – | UTC | at once',
      'cutOff | – | 24:00 | at once',
      'every | – | MON, THU | at once',
      'afterBankingDays | – | 2 | at once',
      'account | – | CLABE 1 | at once',
    ],
  ],
  [
    `${shopTerms}&form=settles-MXN`,
    { account: 'CLABE 2' },
    ['account | CLABE 1 | CLABE 2 | 24 hours after it is applied'],
  ],
  [
    `${tillTerms}&form=network-0001`,
    { name: 'Tiendas', currency: 'MXN', es: 'Pida un depósito.' },
    [
      'name | – | Tiendas | at once',
      'currency | – | MXN | at once',
      'text.es | – | Pida un depósito. | at once',
    ],
  ],
  [`${tillTerms}&form=network`, { id: '0091', hours: '9 to 18' }, ['hours | – | 9 to 18 | at once']],
  [
    `${tillTerms}&form=commission`,
    { network: '0001', direction: 'PAY_OUT', from: '2026-12-01', fixed: '5.00' },
    [
      'fixed | – | 5.00 MXN | 2026-12-01 (UTC)',
      'bps | – | 0 | 2026-12-01 (UTC)',
      'taxBps | – | 0 | 2026-12-01 (UTC)',
    ],
  ],
  [
    `${tillTerms}&form=exposure`,
    { currency: 'MXN', limit: '200000' },
    ['limit | – | 200,000.00 MXN | at once', 'warnAtPercent | – | 80 | at once'],
  ],
  [
    `${tillTerms}&form=exposure-MXN`,
    { limit: '' },
    ['limit | 200,000.00 MXN | – | at once', 'warnAtPercent | 80 | – | at once'],
  ],
  ['/calendars?form=bank', { name: 'main', currency: 'MXN' }, ['currency | – | MXN | at once']],
  [
    '/calendars?form=calendar',
    { name: 'mx', weekend: 'sun', date: '2026-12-25', note: 'Navidad' },
    ['weekend | – | SUN | at once', 'closed.2026-12-25 | – | Navidad | at once'],
  ],
  ['/calendars?form=calendar-mx', { date: '2027-01-01' }, ['closed.2027-01-01 | – | closed | at once']],
  [
    '/rates?form=rate',
    { blockchains: 'solana', send: 'USDC', country: 'MX', target: 'MXN', rate: '17.25', feeBps: '100' },
    ['rate | – | 17.25 | at once', 'feeFixed | – | 0 | at once', 'feeBps | – | 100 | at once'],
  ],
  ['/rates/SOLANA/USDC/MX/MXN?form=rate', { rate: '18' }, ['rate | 17.25 | 18 | at once']],
]

for (const [path, written, expected] of rows) {
  test(`a form shows what it would change, which is then applied: ${path}`, async () => {
    const before = await node.core.store.query(factByName, { name: 'provisioning' })
    const shown = await look(visitor, path, written)
    assert.is(shown.status, 200, shown.text)
    assert.match(shown.text, /<h1>What would be changed<\/h1>/)
    assert.equal(
      changesOf(shown).filter((row) => !row.startsWith('end of ')),
      expected,
    )
    assert.equal(
      await node.core.store.query(factByName, { name: 'provisioning' }),
      before,
      'nothing is changed by looking',
    )
    const { status, headers } = await applyShown(visitor, shown, 'contract 12')
    const back = path.replace(/[?&]form=.*/, '')
    assert.equal(
      [status, headers.get('location')?.split('*')[0]],
      [303, `${back}${back.includes('?') ? '&' : '?'}done=apply`],
    )
    assert.match((await visitor.get(headers.get('location') ?? '')).text, /The changes are applied/)
    const { entries } = (await dispatchOf(node)('audit.list', { operation: 'apply', limit: 5 }, 'x')) as {
      entries: object[]
    }
    assert.match(JSON.stringify(entries), /contract 12/)
  })
}

test('a form that is sent as it was opened changes nothing', async () => {
  const shown = await look(visitor, `${shop}?form=pair-MX-MXN`, {})
  assert.match(shown.text, /<h1>Nothing to change<\/h1>/)
  assert.not.match(shown.text, /action="\/apply"/)
})

test('amounts are filled in with the decimals of their currency, and sent as they are', async () => {
  const settles = [{ currency: 'CLP', every: 'day', account: 'BCI 1', minimum: '2000' }]
  const pair = { country: 'CL', currency: 'CLP', min: '1000', max: '900000', directions: ['PAY_OUT'] }
  const network = { id: 'CL-1', country: 'CL', currency: 'CLP', min: '1500', max: '80000', counterFee: '300' }
  const exposure = [{ currency: 'CLP', limit: '7000000', warnAtPercent: 80 }]
  await node.apply({
    merchants: [{ name: 'Shop', pairs: [pair], settles: [{ ...settles[0], keep: '4000' }] }],
    providers: [{ name: 'Network A', networks: [network], settles, exposure }],
  })
  const opened: [path: string, amounts: string[]][] = [
    [`${shop}?form=pair-CL-CLP`, ['1000', '900000', '1']],
    [`${shopTerms}&form=settles-CLP`, ['2000', '4000']],
    [`${tillTerms}&form=settles-CLP`, ['2000']],
    [`${tillTerms}&form=exposure-CLP`, ['7000000']],
    [`${tillTerms}&form=network-CL-1`, ['1500', '80000', '300']],
  ]
  for (const [path, amounts] of opened) {
    const { text } = await visitor.get(path)
    const filled = [
      ...text.matchAll(
        /name="(?:min|max|cashIncrement|minimum|keep|limit|counterFee)"[^>]*?value="([^"]*)"/gs,
      ),
    ]
    assert.equal(
      filled.map(([, value]) => value),
      amounts,
      path,
    )
    assert.match((await look(visitor, path, {})).text, /<h1>Nothing to change<\/h1>/, path)
  }
})

test('what is wrong is told beside its field, in a form that is open and filled in as it was', async () => {
  const wrong: [path: string, written: Record<string, string>, problem: RegExp][] = [
    [
      `${shop}?form=pair-MX-MXN`,
      { min: '-1' },
      /id="f\d+-min-problem">&quot;-1&quot; is below zero|is not above zero/,
    ],
    [
      `${shop}?form=contact`,
      { requestsPerMinute: 'many' },
      /-requestsPerMinute-problem">&quot;many&quot; is not a whole number/,
    ],
    [
      `${shopTerms}&form=fee`,
      { pair: 'MX MXN', from: '2026-02-30' },
      /-from-problem">&quot;2026-02-30&quot; is not a date/,
    ],
    [`${shopTerms}&form=settles`, { currency: 'MXN', timeZone: 'Mars' }, /-timeZone-problem">/],
    [`${tillTerms}&form=network`, { id: '0092', report: '{' }, /-report-problem">/],
    ['/parties?form=merchant', { name: hostile }, /-name-problem">|name: /],
    [
      '/rates?form=rate',
      { blockchains: 'MARS', send: 'USDC', country: 'MX', target: 'MXN' },
      /-blockchains-problem">/,
    ],
  ]
  for (const [path, written, problem] of wrong) {
    const { status, text } = await look(visitor, path, written)
    assert.ok(status === 400 || written.name === hostile, `${path}: ${status}`)
    if (status === 400) assert.match(text, problem, path)
    if (status === 400) assert.match(text, /<dialog open/, path)
    assert.not.match(text, markup, path)
    assert.not.match(text, /merchants\[0\]|providers\[0\]|rates\[0\]/, path)
  }
})

test('where somebody else was faster, what it would change now is shown anew', async () => {
  const shown = await look(visitor, `${shop}?form=pair-MX-MXN`, { min: '12.00' })
  const limits = { country: 'MX', currency: 'MXN', min: '11.00' }
  await node.apply({ merchants: [{ name: 'Shop', pairs: [limits] }] })
  const anew = await applyShown(visitor, shown)
  assert.is(anew.status, 200)
  assert.match(anew.text, /It has changed/)
  assert.equal(changesOf(anew), ['min | 11.00 MXN | 12.00 MXN | at once'])
  assert.is((await applyShown(visitor, anew)).status, 303)
  assert.match((await visitor.get(shop)).text, /12\.00 MXN/)
})

test('a file is pasted or sent, shown, applied whole, and a secret that it makes is shown only once', async () => {
  const file = JSON.stringify({
    providers: [{ name: 'New till', credentials: [{ key: 'pk_new' }], networks: ['0077'] }],
  })
  const pasted = await look(visitor, '/parties?form=file', { file })
  assert.equal(changesOf(pasted), [
    'key | – | pk_new | at once',
    'secret | – | made, and shown once | at once',
  ])
  await visitor.get('/parties?form=file')
  const form = { draft: 'file', dryRun: 'yes', form_page: '/parties?form=file' }
  const sent = await visitor.upload('/apply/preview', form, { name: 'upload', bytes: file })
  assert.equal(changesOf(sent), changesOf(pasted))
  assert.not.match(sent.text, /name="document"/, 'the file stays where it is')
  const made = await applyShown(visitor, sent)
  const secret = /<code class="secret"[^>]*>([^<]{32,})<\/code>/.exec(made.text)?.[1] ?? ''
  assert.ok(secret.length >= 32)
  for (const path of ['/providers/New%20till', '/audit']) {
    const { text } = await visitor.get(path)
    assert.ok(!text.includes(secret), path)
    assert.match(text, /pk_new/)
  }
  const gone = await applyShown(visitor, sent)
  assert.is(gone.status, 409, 'a form is carried out once')
})

test('a file that is wrong is named by its places, and nothing of it is applied', async () => {
  const wrong = await look(visitor, '/parties?form=file', {
    file: JSON.stringify({ providers: [{ name: 'Half', networks: [hostile] }, { name: 5 }] }),
  })
  assert.is(wrong.status, 400)
  assert.match(wrong.text, /providers\[1\]\.name/)
  assert.not.match(wrong.text, markup)
  for (const file of ['', '{', '[]', hostile, '{"dryRun": true}', '{"new": true}']) {
    const answer = await look(visitor, '/parties?form=file', { file })
    assert.is(answer.status, 400)
    assert.match(answer.text, /The file cannot be applied; nothing was changed/)
    assert.not.match(answer.text, markup)
  }
  await visitor.get('/parties?form=file')
  const bytes = Buffer.alloc(9 * 1024 * 1024, 0x20)
  const large = await visitor.upload(
    '/apply/preview',
    { draft: 'file', dryRun: 'yes' },
    { name: 'upload', bytes },
  )
  assert.match(large.text, /larger than 8 MB/)
  assert.is((await visitor.get('/providers/Half')).status, 404)
})

test('a name that looks like another asks for the box, over the operator’s API for new, and UTF-8 is asked of both', async () => {
  const slip = { providers: [{ name: 'NEW TILL' }] }
  const asked = await look(visitor, '/parties?form=file', { file: JSON.stringify(slip) })
  assert.is(asked.status, 400)
  assert.match(asked.text, /differs only by accents, case, blanks or width of letters/)
  assert.is((await look(visitor, '/parties?form=provider', { name: 'NEW TILL' })).status, 400)
  const address = { url: node.operatorUrl, token: tokenOf(node) }
  const over = (body: string | Buffer) =>
    fetch(`${address.url}/api/operations/apply`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${address.token}`, 'Content-Type': 'application/json' },
      body,
    })
  assert.is((await over(JSON.stringify(slip))).status, 400)
  const latin = await over(Buffer.from('{"providers": [{"name": "Peña"}]}', 'latin1'))
  assert.match(await latin.text(), /The input is not UTF-8: byte 0xF1 at line 1, byte 28/)
  assert.match(await (await over('{"providers": [], "providers": []}')).text(), /names providers twice/)
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    Origin: visitor.url,
    Cookie: visitor.cookie ?? '',
  }
  const body = `form_token=${visitor.formToken}&file=%7B%22providers%22%3A%5B%7B%22name%22%3A%22Pe%F1a%22%7D%5D%7D`
  const lossy = await fetch(`${visitor.url}/apply/preview`, { method: 'POST', headers, body })
  assert.is(lossy.status, 415)
  const meant = await look(visitor, '/parties?form=provider', { name: 'NEW TILL', new: 'yes' })
  assert.is((await applyShown(visitor, meant)).status, 303)
  assert.is((await over(JSON.stringify({ ...slip, new: true }))).status, 200)
})

test('nobody but an administrator sees or sends these forms', async () => {
  for (const role of ['viewer', 'operator']) {
    const other = await visitorAs(node, role)
    const pages = ['/parties?form=file', `${shop}?form=deposit`, `${shopTerms}&form=fee`, '/rates?form=rate']
    for (const path of pages)
      assert.not.match((await other.get(path)).text, /<dialog open|href="[^"]*[?;]form=/, `${role} ${path}`)
    const form = { draft: 'bank', dryRun: 'yes', name: 'x', currency: 'MXN', form_page: '/calendars' }
    assert.is((await other.post('/apply/preview', form)).status, 403)
    assert.is((await other.post('/apply', { document: '{}', to: '/' })).status, 403)
  }
})

test.run()
