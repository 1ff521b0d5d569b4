/** What is shown for claims: which files are kept and what they are called, and that erasing leaves nothing of them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readFile } from '../../../actors/claims/evidence.ts'
import { claimsOfOrder } from '../../../actors/claims/of-order.ts'
import { claimAccept, claimReject, claimShow } from '../../../actors/claims/operations.ts'
import { claimAddEvidence, claimEvidence } from '../../../actors/claims/telling-operations.ts'
import { personalErase } from '../../../actors/erasure/operations.ts'
import { checkEvidence } from '../../../actors/evidence/manifest.ts'
import { orderEvidence } from '../../../actors/evidence/operations.ts'
import { readZip } from '../../../actors/evidence/zip.ts'
import { auditList } from '../../../actors/foundation/audit.ts'
import { problemsIn } from '../../support/agreed-terms.ts'
import { unpacked } from '../../support/evidence.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, type OrderWorld } from '../../support/order-world.ts'
import { HeldFiles } from '../../support/reported-day.ts'
import { agreed, claimOf, paidIn } from './claimed.ts'

const play = inOrderWorld(test)

const pdf = Buffer.from('%PDF-1.7\n%\u00e2\u00e3')
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10])
const exact = 5 * 1024 * 1024

/** Name and bytes, and what is kept: the name, the type; or why nothing is. */
const files: readonly [what: string, name: string, bytes: Buffer, expected: string][] = [
  ['a PDF', 'receipt.pdf', pdf, 'receipt.pdf application/pdf'],
  ['a picture that calls itself a program', 'receipt.exe', png, 'receipt.png image/png'],
  ['a photo without an ending', 'IMG_1', jpeg, 'IMG_1.jpg image/jpeg'],
  ['a text', 'mail.txt', Buffer.from('It was paid, ño.\r\n'), 'mail.txt text/plain'],
  ['a table', 'day.CSV', Buffer.from('a;b\n1;2\n'), 'day.csv text/csv'],
  ['a page that calls itself a text', 'mail.txt', Buffer.from('<!doctype html><script>1</script>'), 'type'],
  ['a page behind blanks and a mark', 'mail.txt', Buffer.from('\ufeff \n<html>'), 'type'],
  ['a drawing with a script', 'a.png', Buffer.from('<svg onload="1">'), 'type'],
  ['a page in a PDF', 'a.html', Buffer.concat([pdf, Buffer.from('<html><script>')]), 'a.pdf application/pdf'],
  ['an archive', 'a.pdf', Buffer.from('PK\u0003\u0004'), 'type'],
  ['a program', 'a.txt', Buffer.from([0x7f, 0x45, 0x4c, 0x46]), 'type'],
  ['a text with NUL', 'a.txt', Buffer.from('a\u0000b'), 'type'],
  ['Latin-1', 'a.txt', Buffer.from([0x61, 0xf1, 0x62]), 'encoding'],
  ['a table in Latin-1', 'a.csv', Buffer.from('día;año\r\n', 'latin1'), 'encoding'],
  ['a table in UTF-16', 'a.csv', Buffer.from('\ufeffaño', 'utf16le'), 'encoding'],
  ['UTF-16, the other way around', 'a', Buffer.from('\ufeffab', 'utf16le').swap16(), 'encoding'],
  ['what is no UTF-8 and steers', 'a.txt', Buffer.from([0xf1, 0x00, 0x1b]), 'type'],
  ['what is no UTF-8, and called no text', 'a.doc', Buffer.from([0x61, 0xf1]), 'type'],
  ['escapes for a terminal', 'a.txt', Buffer.from('\u001b]0;x\u0007'), 'type'],
  ['nothing', 'a.txt', Buffer.alloc(0), 'empty'],
  ['5 MB', 'a.txt', Buffer.alloc(exact, 0x61), 'a.txt text/plain'],
  ['5 MB and one byte', 'a.txt', Buffer.alloc(exact + 1, 0x61), 'too_large'],
  ['a path', '../../etc/passwd', pdf, 'passwd.pdf application/pdf'],
  ['a path of Windows', 'C:\\temp\\x"y\r\nSet-Cookie: a.pdf', pdf, 'x_y_Set-Cookie_ a.pdf application/pdf'],
  ['signs that turn a name around', 'gpj\u202efdp.pdf', pdf, 'gpj_fdp.pdf application/pdf'],
  ['no name', '', pdf, 'file.pdf application/pdf'],
  ['a hidden file', '.htaccess', pdf, 'file.pdf application/pdf'],
  ['a name of letters that are none', '«»%00.pdf', pdf, '00.pdf application/pdf'],
  ['a long name', `${'ñ'.repeat(400)}.pdf`, pdf, `${'ñ'.repeat(60)}.pdf application/pdf`],
]

for (const [what, name, bytes, expected] of files) {
  test(`${what}: ${expected.slice(0, 40)}`, () => {
    const read = readFile(name, bytes)
    assert.is(typeof read === 'string' ? read : `${read.fileName} ${read.mediaType}`, expected)
    if (typeof read !== 'string') assert.ok(read.bytes.equals(bytes))
  })
}

async function withFile(world: OrderWorld) {
  await agreed(world)
  const order = await paidIn(world)
  const uploads = new HeldFiles()
  const operator = operatorOf({ ...world, uploads })
  const { number } = await claimOf(world, order, 'twice', { text: 'Ana María paid twice' })
  const file = uploads.add(pdf).id
  const claim = await operator.ask(claimAddEvidence, { number, file, fileName: 'receipt of Ana.pdf' })
  return { order, uploads, number, claim, ...operator }
}

play('a file is kept as it is, under a key of its own, and is shown by its number', async (world) => {
  const { number, claim, ask, uploads, order } = await withFile(world)
  assert.equal(
    claim.evidence.map((one) => [one.number, one.file, one.type, one.bytes, one.text]),
    [
      [1, null, 'text/plain', 21, 'Ana María paid twice'],
      [2, 'receipt of Ana.pdf', 'application/pdf', pdf.length, null],
    ],
  )
  assert.is(uploads.texts.size, 0, 'nothing is left in the folder')
  const file = await ask(claimEvidence, { number, evidence: 2 })
  assert.equal([file.name, file.type], ['receipt of Ana.pdf', 'application/pdf'])
  assert.ok(Buffer.from(file.content, 'base64').equals(pdf))
  const keys = (await world.rows('claim_evidence')).map(({ evidence_key }) => evidence_key)
  assert.is(new Set(keys).size, 2)
  const stored = JSON.stringify(await world.rows('claim_contents'))
  assert.not.ok(stored.includes(pdf.toString('base64').slice(0, 12)))
  const [whole] = await claimsOfOrder(world.store, order, world.clock.now())
  assert.equal(
    whole?.files.map(({ number: of, name }) => [of, name]),
    [[2, 'receipt of Ana.pdf']],
  )
  assert.is(whole?.claim.number, number)
  assert.equal(await problemsIn(world), [])
})

play('what is recorded of an order has its claims, what they have moved, and their files', async (world) => {
  const { number, order, ask } = await withFile(world)
  await ask(claimAccept, { number, reason: 'seen' })
  const { zip } = await ask(orderEvidence, { id: order })
  const read = readZip(Buffer.from(zip, 'base64'))
  const entries = read.ok
    ? new Map(read.entries.map(({ name, bytes }) => [name, Buffer.from(bytes)]))
    : new Map()
  assert.ok(entries.get('claims/1/2.pdf')?.equals(pdf))
  const [claim] = JSON.parse(`${entries.get('claims.json')}`)
  assert.equal(
    [claim.number, claim.state, claim.evidence[0].text, claim.postings[0].amount, claim.postings[0].credit],
    [1, 'accepted', 'Ana María paid twice', '438.00', 'available:shop:MXN'],
  )
})

play(
  'evidence with a claim and its file is the same whenever it is asked for, and plain programs check it',
  async (world) => {
    const { number, order, ask } = await withFile(world)
    const { dueOn, isOverdue } = await ask(claimShow, { number })
    const first = Buffer.from((await ask(orderEvidence, { id: order })).zip, 'base64')
    world.clock.advance(30 * 24 * 3_600_000)
    assert.equal([isOverdue, (await ask(claimShow, { number })).isOverdue], [false, true])
    const later = Buffer.from((await ask(orderEvidence, { id: order })).zip, 'base64')
    assert.ok(later.equals(first), 'time alone changes nothing')
    assert.equal(checkEvidence(first, null).problems, [])
    const { run, folder, remove } = unpacked(first)
    const said = run()
    assert.match(said, 'Signature Verified Successfully')
    assert.match(said, 'claims/1/2.pdf: OK')
    assert.is(JSON.parse(readFileSync(join(folder, 'claims.json'), 'utf8'))[0].dueOn, dueOn)
    writeFileSync(join(folder, 'claims/1/2.pdf'), 'another receipt')
    assert.throws(run)
    remove()
  },
)

play('erasing a consumer erases the evidence, and no more is kept', async (world) => {
  const { number, order, ask, refusal, uploads } = await withFile(world)
  await ask(personalErase, { order, reason: 'asked by mail' })
  const claim = await ask(claimShow, { number })
  assert.equal(
    claim.evidence.map((one) => [one.isErased, one.text]),
    [
      [true, null],
      [true, null],
    ],
  )
  assert.equal(await world.rows('claim_contents'), [])
  assert.ok((await world.rows('claim_evidence')).every(({ evidence_key }) => evidence_key === null))
  assert.is((await refusal('claim.evidence', { number, evidence: 2 })).code, 'not_found')
  assert.equal((await claimsOfOrder(world.store, order, 0))[0]?.files, [])
  const file = uploads.add(pdf).id
  const more = await refusal('claim.addEvidence', { number, file, fileName: 'a.pdf' })
  assert.match(more.message, /consumer were erased/)
  assert.equal(await problemsIn(world), [])
  await ask(claimReject, { number, reason: 'nothing to show any more' })
  assert.equal(await problemsIn(world), [])
})

play('evidence that is added while a consumer is erased is erased, or is not kept', async (world) => {
  const { number, order, ask, uploads } = await withFile(world)
  const ends = await Promise.allSettled([
    ask(personalErase, { order, reason: 'asked by mail' }),
    ask(claimAddEvidence, { number, file: uploads.add(pdf).id, fileName: 'b.pdf' }),
    ask(claimAddEvidence, { number, text: 'Ana María again' }),
  ])
  assert.is(ends[0]?.status, 'fulfilled')
  assert.equal(await world.rows('claim_contents'), [])
  assert.equal(await problemsIn(world), [])
})

play('neither the audit log nor the journals hold what is written', async (world) => {
  const { number, ask } = await withFile(world)
  await ask(claimAddEvidence, { number, text: 'Ana María again' })
  const { entries } = await ask(auditList, {})
  const everywhere = JSON.stringify([
    entries,
    await world.rows('claim_events'),
    (await world.rows('journal')).map((one) => one.event_json),
  ])
  assert.not.ok(everywhere.includes('María'))
})

play('what is refused is not kept: another type, too much, a file that is gone, too many', async (world) => {
  const { number, ask, refusal, uploads } = await withFile(world)
  const send = (bytes: Buffer) => ({ number, file: uploads.add(bytes).id, fileName: 'a.pdf' })
  const words = async (input: object) => (await refusal('claim.addEvidence', input)).message
  assert.match(await words(send(Buffer.from('<html>'))), /^The file is no PDF/)
  assert.match(await words(send(Buffer.alloc(exact + 1))), /^The file is larger than 5 MB/)
  assert.match(await words(send(Buffer.alloc(0))), /^The file is empty/)
  assert.match(await words({ number, file: 'gone', fileName: 'a.pdf' }), /^The file is not here any more/)
  assert.match(await words({ number }), /one of both/)
  assert.match(await words({ number, text: 'a', file: 'b' }), /one of both/)
  assert.is(uploads.texts.size, 0)
  for (let kept = 1; kept < 20; kept++) await ask(claimAddEvidence, { number, text: `mail ${kept}` })
  assert.match(await words({ number, text: 'one too many' }), /as much evidence .* as are kept/)
  await ask(claimAccept, { number, reason: 'seen' })
  assert.match(await words({ number, text: 'too late' }), /was accepted already/)
  assert.equal(await problemsIn(world), [])
})

play('verify finds evidence that is gone', async (world) => {
  await withFile(world)
  const { commit } = await import('../../support/order-world.ts')
  const [content] = await world.rows('claim_contents')
  await commit(world.store, [
    {
      delete: 'claim_contents',
      key: { claim_id: content?.claim_id ?? '', sequence: content?.sequence ?? 0 },
    },
  ])
  const [check] = await problemsIn(world)
  assert.equal([check?.name, check?.detail], ['claims', 'claim 1: evidence 1 is gone'])
})

test.run()
