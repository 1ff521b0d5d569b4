/** Protocol 17.4: mails against a real server: what is encrypted, what is refused, and what follows from each answer. */
import { createServer, type Socket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  answering,
  senderTo,
  someMail,
  startMailServer,
  type TestMailServer,
} from '../../support/mail-server.ts'
import { selfSignedCertificate } from '../../support/self-signed-certificate.ts'

const identity = selfSignedCertificate(['127.0.0.1', 'localhost'])
const another = selfSignedCertificate(['mail.other.example'])
const authorities = async () => identity.cert

async function withServer(
  options: Parameters<typeof startMailServer>,
  work: (server: TestMailServer) => Promise<void>,
): Promise<void> {
  const server = await startMailServer(...options)
  try {
    await work(server)
  } finally {
    await server.close()
  }
}

test('a mail goes over STARTTLS, as text and HTML, with its file, and its Message-ID is what was given', async () => {
  await withServer([{ ...identity }], async (server) => {
    const sender = senderTo(server.port, { security: 'starttls', authorities })
    const attachment = { name: 'statement-MXN-3.csv', text: 'a,b\r\n1,"é"\r\n' }
    const sent = await sender.send({ ...someMail, subject: 'Saldo bajo de Ñandú', attachment })
    assert.equal(sent, { outcome: 'acknowledged', status: 250, error: null })
    const [heard] = server.heard
    assert.equal([heard?.from, heard?.to, heard?.isSecure], ['node@pay.example', ['ops@shop.example'], true])
    const read = await server.read(0)
    assert.is(read.messageId, someMail.messageId)
    assert.is(read.subject, 'Saldo bajo de Ñandú')
    assert.equal([read.text?.trim(), read.html?.trim()], ['A text', '<p>A text</p>'])
    assert.is(read.date, '2026-03-01T12:00:00.000Z')
    const [file] = read.attachments
    assert.equal([file?.filename, file?.mimeType], [attachment.name, 'text/csv'])
    const content = file?.content ?? ''
    assert.is(
      typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString(),
      attachment.text,
    )
  })
})

test('a server with TLS from the first byte takes a mail', async () => {
  await withServer([{ ...identity, secure: true }], async (server) => {
    const sender = senderTo(server.port, { security: 'tls', authorities })
    assert.is((await sender.send(someMail)).outcome, 'acknowledged')
    assert.is(server.heard[0]?.isSecure, true)
  })
})

/** what is wrong with the encryption, the server's options, the sender's */
const insecure: [what: string, Parameters<typeof startMailServer>[0], Parameters<typeof senderTo>[1]][] = [
  ['offers none', { disabledCommands: ['STARTTLS'] }, { security: 'starttls', authorities }],
  ['has a certificate that nobody trusts', { ...identity }, { security: 'starttls' }],
  [
    'has the certificate of another',
    { ...another },
    { security: 'starttls', authorities: async () => another.cert },
  ],
  [
    'has the certificate of another from the first byte',
    { ...another, secure: true },
    { security: 'tls', authorities: async () => another.cert },
  ],
  ['speaks no TLS where it should', {}, { security: 'tls', authorities }],
]
for (const [what, options, changes] of insecure) {
  test(`no mail and no password reach a server that ${what}, and it is tried again`, async () => {
    let asked = 0
    const onAuth: NonNullable<Parameters<typeof startMailServer>[0]>['onAuth'] = (_, __, done) => {
      asked++
      done(null, { user: 'x' })
    }
    await withServer([{ ...options, onAuth }], async (server) => {
      const sender = senderTo(server.port, { ...changes, user: 'node', password: async () => 'hunter2' })
      const { outcome, error } = await sender.send(someMail)
      assert.ok(['tls', 'connection', 'timeout', 'unavailable'].includes(outcome), `${outcome}: ${error}`)
      assert.equal([server.heard, asked], [[], 0])
      const problem = await sender.check()
      assert.is(problem?.stage, 'connection')
      assert.not.match(`${problem?.error}${error}`, /hunter2/)
    })
  })
}

test('a server signs the node in by its password, and a wrong one is tried again and told', async () => {
  const onAuth: NonNullable<Parameters<typeof startMailServer>[0]>['onAuth'] = (
    { username, password },
    _,
    done,
  ) =>
    password === 'hunter2'
      ? done(null, { user: `${username}` })
      : done(answering(535, 'Authentication failed for hunter1'))
  await withServer([{ ...identity, onAuth, authOptional: false }], async (server) => {
    const right = { security: 'starttls', authorities, user: 'node' } as const
    const sender = senderTo(server.port, { ...right, password: async () => 'hunter2' })
    assert.is(await sender.check(), null)
    assert.is((await sender.send(someMail)).outcome, 'acknowledged')
    assert.is(server.heard[0]?.user, 'node')
    const wrong = senderTo(server.port, { ...right, password: async () => 'wrong' })
    assert.equal((await wrong.send(someMail)).outcome, 'unavailable')
    assert.is((await wrong.check())?.stage, 'login')
    const unread = senderTo(server.port, {
      ...right,
      password: async () => {
        throw new Error('mail.passwordFile: secret.txt cannot be read (ENOENT)')
      },
    })
    assert.equal(await unread.check(), {
      stage: 'settings',
      error: 'mail.passwordFile: secret.txt cannot be read (ENOENT)',
    })
  })
})

test('4xx is tried again, 5xx is final, and what a server says of itself is not', async () => {
  let code = 451
  await withServer([{}, () => answering(code, 'no')], async (server) => {
    const sender = senderTo(server.port)
    assert.equal(await sender.send(someMail).then(({ outcome, status }) => [outcome, status]), [
      'unavailable',
      451,
    ])
    code = 552
    assert.equal(await sender.send(someMail).then(({ outcome, status }) => [outcome, status]), [
      'refused',
      552,
    ])
  })
  const onRcptTo: NonNullable<Parameters<typeof startMailServer>[0]>['onRcptTo'] = (_, __, done) =>
    done(answering(550, 'no such user'))
  await withServer([{ onRcptTo }], async (server) => {
    assert.is((await senderTo(server.port).send(someMail)).outcome, 'refused')
  })
  const onConnect: NonNullable<Parameters<typeof startMailServer>[0]>['onConnect'] = (_, done) =>
    done(answering(554, 'no service'))
  await withServer([{ onConnect }], async (server) => {
    assert.is((await senderTo(server.port).send(someMail)).outcome, 'unavailable')
  })
})

test('nobody listens, nobody greets, or the answer is cut off behind the mail: each is tried again', async () => {
  const server = await startMailServer()
  await server.close()
  assert.is((await senderTo(server.port).send(someMail)).outcome, 'connection')
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const { port } = silent.address() as { port: number }
  const began = performance.now()
  const { outcome } = await senderTo(port, { timeoutMs: 300 }).send(someMail)
  assert.is(outcome, 'timeout')
  assert.ok(performance.now() - began < 20_000)
  for (const socket of sockets) socket.destroy()
  silent.close()
  const cutting = createServer((socket) => {
    socket.on('error', () => {})
    let isData = false
    socket.write('220 cut.example\r\n')
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString()
      if (isData) {
        if (text.endsWith('\r\n.\r\n')) socket.destroy()
      } else if (text.startsWith('DATA')) {
        isData = true
        socket.write('354 go on\r\n')
      } else socket.write('250 ok\r\n')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => cutting.once('listening', resolve))
  const { port: cutPort } = cutting.address() as { port: number }
  assert.is((await senderTo(cutPort).send(someMail)).outcome, 'connection')
  cutting.close()
})

test('a server that sends one byte a while, or answers without end, is left in time', async () => {
  for (const flood of ['2', `${'220-more\r\n'.repeat(1000)}`]) {
    const timers: NodeJS.Timeout[] = []
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      timers.push(setInterval(() => socket.write(flood), 20))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const began = performance.now()
    const { outcome } = await senderTo(port, { timeoutMs: 500 }).send(someMail)
    assert.ok(['timeout', 'connection'].includes(outcome), outcome)
    assert.ok(performance.now() - began < 20_000)
    for (const timer of timers) clearInterval(timer)
    for (const socket of sockets) socket.destroy()
    server.close()
  }
})

test('nothing that a subject holds becomes a header', async () => {
  await withServer([{}], async (server) => {
    const subject = 'Shop\r\nBcc: thief@evil.example\r\n\r\nbody\u2028x'
    await senderTo(server.port).send({ ...someMail, subject })
    const [heard] = server.heard
    assert.equal(heard?.to, ['ops@shop.example'])
    assert.not.match(heard?.raw.split('\r\n\r\n')[0] ?? '', /^Bcc:/im)
    assert.match((await server.read(0)).subject ?? '', /^Shop Bcc: thief@evil.example body x$/)
  })
})

test.run()
