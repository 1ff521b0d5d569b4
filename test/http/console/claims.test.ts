/** Claims in the console: opened, shown with what deciding them would book, with a file, and decided. */
import fs, { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type ConsoleWorld, startConsoleWorld, visitorAs } from '../../support/console.ts'

let world: ConsoleWorld
test.before(async () => {
  world = await startConsoleWorld()
})
test.after(() => world.stop())

const pdf = Buffer.from('%PDF-1.7 <script>alert(1)</script>')
const filesLeft = () =>
  readdirSync(tmpdir())
    .filter((name) => name.startsWith(`ventanilla-uploads-${process.pid}-`))
    .flatMap((name) => readdirSync(`${tmpdir()}/${name}`))

/** Whoever reads forms removes a file that failed some time after it has said so; here, after all is answered. */
async function withLateUnlink<T>(work: () => Promise<T>): Promise<T> {
  const { unlink } = fs
  fs.unlink = Object.assign(
    (path: fs.PathLike, done: fs.NoParamCallback) => void setTimeout(unlink, 500, path, done),
    { __promisify__: unlink.__promisify__ },
  )
  try {
    return await work()
  } finally {
    fs.unlink = unlink
  }
}

test('a claim is opened from its order, shown with its preview and its files, and decided', async () => {
  const operator = await visitorAs(world.node, 'operator')
  const { completed } = world.orders
  const from = `/claims?order=${completed}`
  assert.match((await operator.get(`/orders/${completed}`)).text, /href="\/claims\?order=/)
  assert.match((await operator.get(from)).text, /Open a claim/)
  const form = {
    order: completed,
    kind: 'twice',
    text: 'Two <b>receipts</b>',
    reason: 'a mail',
    form_page: from,
  }
  const opened = await operator.post('/claim/open', { ...form, amount: '', provider: '', exception: '' })
  assert.is(opened.status, 303, opened.text)
  const page = '/claims/1'
  assert.match(opened.headers.get('location') ?? '', /^\/claims\/1\?/)
  const shown = (await operator.get(page)).text
  assert.match(shown, /Two &lt;b&gt;receipts/)
  const about = { number: '1', form_page: page }
  const sent = await operator.upload('/claim/add-evidence', about, {
    name: 'file',
    bytes: pdf,
  })
  assert.is(sent.status, 303, sent.text)
  await operator.get(page)
  const bad = await operator.upload('/claim/add-evidence', about, { name: 'file', bytes: '<html>' })
  assert.match(bad.text, /The file is no PDF/)
  await operator.get(page)
  const large = 'a'.repeat(5 * 1024 * 1024 + 1)
  const tooLarge = await withLateUnlink(() =>
    operator.upload('/claim/add-evidence', about, { name: 'file', bytes: large }),
  )
  // Refused before it is all read: 413, as by whoever bounds what is sent.
  assert.is(tooLarge.status, 413)
  assert.match(tooLarge.text, /larger than 5 MB/)
  assert.equal(filesLeft(), [])
  await operator.get(page)
  const file = await operator.post('/claim/evidence', { number: '1', evidence: '2', form_page: page })
  assert.is(file.text, pdf.toString())
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="[\w.-]+\.pdf"$/)
  assert.equal(
    ['content-type', 'x-content-type-options'].map((name) => file.headers.get(name)),
    ['application/pdf', 'nosniff'],
  )
  const administrator = await visitorAs(world.node, 'administrator')
  const decide = (await administrator.get(page)).text
  assert.match(decide, /What accepting or upholding it books/)
  assert.not.match((await administrator.get('/audit')).text, /claim\.(accept|uphold)/)
  const saying = { number: '1', reason: 'the receipt', form_page: page, revision: '2' }
  const preview = await administrator.post('/claim/uphold', { ...saying, dryRun: 'yes' })
  assert.match(preview.text, /1,?000\.00/)
  const done = await administrator.post('/claim/uphold', saying)
  assert.is(done.status, 303, done.text)
  assert.match((await administrator.get(page)).text, /upheld/)
  assert.match((await operator.get('/claims')).text, /No claim waits/)
  assert.match((await operator.get('/claims?state=all')).text, /href="\/claims\/1"/)
})

test('viewers see claims without what is written, and nothing that they could do', async () => {
  const viewer = await visitorAs(world.node, 'viewer')
  const page = (await viewer.get('/claims/1')).text
  assert.not.match(page, /receipts/)
  assert.not.match(page, /action="\/claim\//)
})

test.run()
