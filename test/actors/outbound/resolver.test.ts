import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createResolver } from '../../../actors/outbound/resolver.ts'
import { startNameServer, type Zone } from '../../support/name-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'resolver-'))
const hostsFile = join(folder, 'hosts')
writeFileSync(
  hostsFile,
  '# local names\n10.0.0.7\tshop.lan Caja.lan # the till\r\nfd00::7 shop.lan\nnonsense shop.lan\n',
)

test.after(() => rmSync(folder, { recursive: true }))

async function withNameServer(
  zone: Zone,
  run: (resolve: ReturnType<typeof createResolver>, queries: string[]) => Promise<void>,
) {
  const server = await startNameServer(zone)
  try {
    await run(createResolver({ servers: [server.address], hostsFile, queryMs: 100 }), server.queries)
  } finally {
    server.close()
  }
}

test('all addresses of both families are found, in turn', () =>
  withNameServer(
    (_, type) => (type === 'A' ? ['192.0.2.1', '192.0.2.2'] : ['2001:db8::1']),
    async (resolve) => {
      const addresses = await resolve('shop.test')
      assert.is(addresses.length, 3)
      assert.equal([...addresses].sort(), ['192.0.2.1', '192.0.2.2', '2001:db8::1'])
      assert.is(addresses[1], '2001:db8::1')
    },
  ))

test('one family is enough, whether the other has no address or no answer', async () => {
  for (const sixes of [[], undefined])
    await withNameServer(
      (_, type) => (type === 'A' ? ['192.0.2.1'] : sixes),
      async (resolve) => assert.equal(await resolve('shop.test'), ['192.0.2.1']),
    )
  await withNameServer(
    (_, type) => (type === 'AAAA' ? ['2001:db8::1'] : []),
    async (resolve) => assert.equal(await resolve('shop.test'), ['2001:db8::1']),
  )
})

test('a name is asked for each time, however long its answer may be kept', () => {
  let last = 0
  return withNameServer(
    (_, type) => (type === 'A' ? [`192.0.2.${++last}`] : []),
    async (resolve) => {
      assert.equal(await resolve('shop.test'), ['192.0.2.1'])
      assert.equal(await resolve('shop.test'), ['192.0.2.2'])
    },
  )
})

const failures: [what: string, answer: readonly string[] | null | undefined, code: string][] = [
  ['does not exist', null, 'ENOTFOUND'],
  ['has no address', [], 'ENODATA'],
  ['gets no answer', undefined, 'ETIMEOUT'],
]

for (const [what, answer, code] of failures)
  test(`a name that ${what} fails with ${code}`, () =>
    withNameServer(
      () => answer,
      async (resolve) => {
        const error = await resolve('shop.test').then(
          () => null,
          (reason) => reason,
        )
        assert.is(error?.code, code)
      },
    ))

test("the hosts file and this host's own names come before the name servers", () =>
  withNameServer(
    () => ['192.0.2.1'],
    async (resolve, queries) => {
      assert.equal(await resolve('shop.lan'), ['10.0.0.7', 'fd00::7'])
      assert.equal(await resolve('caja.lan'), ['10.0.0.7'])
      assert.equal(await resolve('localhost'), ['127.0.0.1', '::1'])
      assert.equal(await resolve('api.localhost'), ['127.0.0.1', '::1'])
      assert.equal(queries, [])
    },
  ))

test('a missing hosts file is none', async () => {
  const server = await startNameServer((_, type) => (type === 'A' ? ['192.0.2.1'] : []))
  const resolve = createResolver({ servers: [server.address], hostsFile: join(folder, 'missing') })
  assert.equal(await resolve('shop.lan'), ['192.0.2.1'])
  server.close()
})

test.run()
