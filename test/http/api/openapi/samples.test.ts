/** The programs of the pages, as somebody copies them: each is run against the node whose page it is on. */
import { spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'parse5'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { webhookHeaders } from '../../../../actors/webhooks/headers.ts'
import { merchantOperations, providerOperations } from '../../../../client/api.ts'
import { fakeClock } from '../../../support/clock.ts'
import { freePort } from '../../../support/free-port.ts'
import { secretOf, startTestNode, stopTestNode, type TestNode } from '../../../support/node.ts'
import { newOrder } from '../../../support/orders.ts'

const root = join(import.meta.dirname, '../../../..')
const project = mkdtempSync(join(tmpdir(), 'ventanilla-samples-'))

let node: TestNode
test.before(async () => {
  // The programs look at the real clock.
  node = await startTestNode({ clock: fakeClock(Date.now()) })
  mkdirSync(join(project, 'node_modules/@ventanilla'), { recursive: true })
  mkdirSync(join(project, 'vendor'))
  // Node strips no types below node_modules; a link's own place is elsewhere.
  symlinkSync(join(root, 'client'), join(project, 'linked-client'))
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  const autoload = `<?php require_once 'GuzzleHttp/autoload.php'; require_once '${root}/client/php/src/autoload.php';`
  writeFileSync(join(project, 'vendor/autoload.php'), autoload)
})
test.after(async () => {
  await stopTestNode(node)
  rmSync(project, { recursive: true, force: true })
})

interface Program {
  file: string
  command: string
  args: string[]
}

const programs: Readonly<Record<string, (name: string) => Program>> = {
  curl: (name) => ({ file: `${name}.sh`, command: 'bash', args: [] }),
  Shell: (name) => ({ file: `${name}.sh`, command: 'sh', args: [] }),
  TypeScript: (name) => ({ file: `${name}.ts`, command: process.execPath, args: [] }),
  Python: (name) => ({ file: `${name}.py`, command: 'python3', args: [] }),
  PHP: (name) => ({ file: `${name}.php`, command: 'php', args: [] }),
}

const isThere = (command: string, ...args: string[]) => spawnSync(command, args).status === 0
const languages = Object.keys(programs).filter((language) => {
  if (process.env.CI !== undefined) return true
  if (language === 'PHP') return isThere('php', '-r', 'require "GuzzleHttp/autoload.php";')
  return language === 'Python' ? isThere('python3', '-c', 'import typing; typing.NotRequired') : true
})
for (const language of Object.keys(programs)) {
  if (!languages.includes(language)) console.log(`skipped: samples for ${language}, which is not here`)
}

interface Element {
  nodeName: string
  value?: string
  attrs?: { name: string; value: string }[]
  childNodes?: Element[]
}

/** The tabs of a page by their titles. */
async function tabsOf(page: string, group: string): Promise<Map<string, string>> {
  const answer = await fetch(`${node.publicUrl}/api/v1/docs/${page}`)
  const found = new Map<string, string>()
  const textOf = (element: Element): string =>
    element.value ?? (element.childNodes ?? []).map(textOf).join('')
  const visit = (element: Element): void => {
    const children = (element.childNodes ?? []).filter(({ nodeName }) => nodeName !== '#text')
    for (const [index, child] of children.entries()) {
      const isTab = child.attrs?.some(({ name, value }) => name === 'name' && value === group)
      const [label, text] = children.slice(index + 1)
      if (isTab && label && text) found.set(textOf(label), textOf(text))
      visit(child)
    }
  }
  visit(parse(await answer.text()) as unknown as Element)
  return found
}

const environment = (key: string) => ({
  ...process.env,
  API_KEY: key,
  API_SECRET: secretOf(key),
  PYTHONPATH: join(root, 'client/python'),
})

function written(language: string, name: string, text: string): [command: string, args: string[]] {
  const make = programs[language]
  if (make === undefined) throw new Error(`Nothing runs ${language}.`)
  const { file, command, args } = make(name)
  const linked = text.replaceAll("'@ventanilla/client'", "'./linked-client/index.ts'")
  writeFileSync(join(project, file), linked)
  return [command, [...args, join(project, file)]]
}

async function run(language: string, name: string, text: string, key: string): Promise<string> {
  const [command, args] = written(language, name, text)
  const child = spawn(command, args, { cwd: project, env: environment(key) })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += chunk))
  await new Promise((resolve) => child.on('close', resolve))
  return out
}

test('each program of the signature’s page comes to the hash that the page shows', async () => {
  const page = await (await fetch(`${node.publicUrl}/api/v1/docs/signature`)).text()
  const signed = /<code>(pk_till:[^<]*)<\/code>/.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? ''
  const secret = 'a secret of at least 32 characters'
  const hash = createHmac('sha256', secret).update(signed).digest('hex')
  assert.match(page, `<code>${hash}</code>`)
  const tabs = await tabsOf('signature', 'program')
  for (const [language, text] of tabs) {
    if (languages.includes(language)) {
      assert.is((await run(language, 'signature', text, 'pk_a')).trim(), hash, language)
    }
  }
  assert.equal([...tabs.keys()], ['Shell', 'TypeScript', 'Python', 'PHP'])
})

/** What the programs of an operation's page say when all is well; the others name what this node does not have. */
const answered: Readonly<Record<string, string>> = {
  createPayOutOrder: 'redirect_url',
  createPayInOrder: 'redirect_url',
  listPayOutOrders: 'results',
  listPayInOrders: 'results',
  getBalances: 'available',
  listMovements: 'results',
  listMerchantStatements: 'results',
  listMerchantClaims: 'results',
  listWebhooks: 'results',
  resendWebhooks: 'resent',
  pingWebhook: 'webhook_id',
  listFaults: 'results',
  setFault: 'duplicate',
  listDeliveries: 'results',
  listInbox: 'notify_url',
  checkGoLive: 'webhook_verified',
  listProviderStatements: 'results',
  listProviderClaims: 'results',
  checkPayOut: 'READY',
  startPayOut: 'PAYMENT_STARTED',
  confirmPayOut: 'COMPLETED',
  createProviderClaim: 'paid_not_credited',
}

/** What is said of an order, a claim or a day that this node does not have. */
const missing = /not found|does not exist|no settlement|Invalid|not registered|Not found/i

/** Runs the files it is given, and prints a line of JSON for each: its name, and what it said. */
const runners: Readonly<Record<string, string>> = {
  curl: `for file in "$@"; do printf '%s\\0' "$file" "$(bash "$file" 2>&1)"; done | node -e '
const parts = require("node:fs").readFileSync(0, "utf8").split("\\0")
for (let at = 0; at + 1 < parts.length; at += 2) console.log(JSON.stringify(parts.slice(at, at + 2)))'`,
  TypeScript: `let said = ''
const { log } = console
console.log = (value) => { said += JSON.stringify(value) }
for (const file of process.argv.slice(2)) {
  said = ''
  await import(file).catch((error) => { said = error.name + ': ' + error.message })
  log(JSON.stringify([file, said]))
}`,
  Python: `import contextlib, io, json, sys
for file in sys.argv[1:]:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        try:
            exec(compile(open(file).read(), file, "exec"), {})
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
    print(json.dumps([file, said.getvalue()]))`,
  PHP: `<?php
foreach (array_slice($argv, 1) as $file) {
    ob_start();
    try {
        (static function () use ($file) { include $file; })();
    } catch (Throwable $error) {
        echo get_class($error), ': ', $error->getMessage();
    }
    echo json_encode([$file, ob_get_clean()]), "\n";
}`,
}

/** What each program said, by its operation. */
async function runAll(
  language: string,
  texts: ReadonlyMap<string, string>,
  key: string,
): Promise<Map<string, string>> {
  const files = [...texts].map(
    ([operation, text]) => written(language, `${operation}-sample`, text)[1].at(-1) ?? '',
  )
  const [command, args] = written(language, `all-${language}`, runners[language] ?? '')
  const lines = await new Promise<string>((resolve, reject) => {
    const child = spawn(command, [...args, ...files], {
      cwd: project,
      env: environment(key),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.on('error', reject)
    child.on('close', () => resolve(out))
  })
  const said: [string, string][] = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return new Map(said.map(([file, out]) => [/\/([A-Za-z]+)-sample\./.exec(file)?.[1] ?? '', out]))
}

const operations = Object.keys({ ...merchantOperations, ...providerOperations }).filter(
  (name) => !/(DryRun|Csv)$/.test(name),
)

for (const language of ['curl', 'TypeScript', 'Python', 'PHP'].filter((one) => languages.includes(one))) {
  test(`each operation’s program in ${language} reaches it, signed as it wants it`, async () => {
    const { code } = await newOrder(node, 'PAY_OUT')
    // What both may ask for is shown as a merchant asks.
    for (const [key, isAsked] of [
      ['mk_shop', (name: string) => Object.hasOwn(merchantOperations, name)],
      ['pk_a', (name: string) => !Object.hasOwn(merchantOperations, name)],
    ] as const) {
      const texts = new Map<string, string>()
      for (const operation of operations.filter(isAsked)) {
        const tabs = await tabsOf(operation, 'sample')
        const text = tabs.get(language) ?? ''
        assert.equal([...tabs.keys()], ['curl', 'TypeScript', 'Python', 'PHP'], operation)
        assert.match(text, node.publicUrl, operation)
        // An order of its own for each language.
        const ours = text
          .replaceAll('123456789012347', code)
          .replaceAll(/(?:order|refund)-1234/g, `order-${language}-${operation}`)
          .replaceAll(`${operation}-1234`, `${operation}-${language}`)
        texts.set(operation, ours)
      }
      const said = await runAll(language, texts, key)
      for (const operation of texts.keys()) {
        const out = said.get(operation) ?? 'nothing'
        assert.match(out, answered[operation] ?? missing, `${operation}: ${out}`)
      }
    }
  })
}

test('programs in TypeScript are so for a compiler that is strict, and no two make the same order', async () => {
  const strict = join(project, 'strict')
  mkdirSync(strict)
  const made = new Map<string, string>()
  for (const operation of operations) {
    const text = (await tabsOf(operation, 'sample')).get('TypeScript') ?? ''
    writeFileSync(join(strict, `${operation}.ts`), text)
    const [, id] = /merchant_order_id: '(.*)'/.exec(text) ?? []
    if (id === undefined) continue
    assert.not.ok(made.has(id), `${operation} and ${made.get(id)} are both of ${id}`)
    made.set(id, operation)
    if (operation === 'createPayInOrder') assert.not.match(text, /[Rr]efund/)
  }
  assert.ok(made.size >= 2)
  for (const [page, group] of [
    ['webhooks', 'receiver'],
    ['signature', 'program'],
  ] as const)
    writeFileSync(join(strict, `${page}.ts`), (await tabsOf(page, group)).get('TypeScript') ?? '')
  const compilerOptions = {
    ...{ target: 'es2024', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, noEmit: true },
    ...{ skipLibCheck: true, allowImportingTsExtensions: true, types: ['node'] },
    typeRoots: [join(root, 'node_modules/@types')],
    paths: { '@ventanilla/client': [join(root, 'client/index.ts')] },
  }
  writeFileSync(join(strict, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const { stdout, status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', strict], {
    encoding: 'utf8',
  })
  assert.equal([stdout, status], ['', 0])
})

const body = JSON.stringify({ id: 'o-1', status: 'COMPLETED', merchant_order_id: 'order-1234' })
const signed = (key = 'mk_shop', secret = secretOf('mk_shop'), told = body) =>
  webhookHeaders(
    { id: 'w-1', sequence: 1, url: 'https://shop.example/hooks/cash?shop=7', body: told },
    1,
    { key, secret },
    Date.now(),
  )

for (const language of ['TypeScript', 'Python', 'PHP'].filter((one) => languages.includes(one))) {
  test(`the receiver in ${language} takes what is genuine, and refuses everything else`, async () => {
    const text = (await tabsOf('webhooks', 'receiver')).get(language) ?? ''
    const port = await freePort()
    const [command, args] = written(language, `receiver-${language}`, text)
    const started = language === 'PHP' ? ['-S', `127.0.0.1:${port}`, ...args] : args
    const env = { ...environment('mk_shop'), PORT: String(port) }
    const child = spawn(command, started, { cwd: project, env, stdio: 'ignore' })
    try {
      const url = `http://127.0.0.1:${port}/hooks/cash?shop=7`
      const post = async (headers: Record<string, string>, sent = body) =>
        fetch(url, { method: 'POST', headers, body: sent }).then(({ status }) => status)
      await node.until(() =>
        post({}).then(
          () => true,
          () => false,
        ),
      )
      assert.equal([await post(signed()), await post(signed())], [200, 200])
      const ping = '{"type":"ping"}'
      assert.is(await post(signed('mk_shop', secretOf('mk_shop'), ping), ping), 200)
      assert.is(await post(signed(), `${body} `), 400)
      assert.is(await post(signed('mk_shop', 'another')), 400)
      assert.is(await post(signed('mk_other')), 400)
      assert.is(await post({ 'Message-Date': 'x', 'Message-Hash': 'é'.normalize('NFC') }), 400)
      assert.is(await post(signed(), 'x'.repeat(70_000)), 400)
      assert.is(await post(signed()), 200)
    } finally {
      child.kill()
    }
  })
}

test('the shell says whether a webhook that was kept is genuine', async () => {
  const text = (await tabsOf('webhooks', 'receiver')).get('Shell') ?? ''
  const [command, args] = written('Shell', 'verify', text)
  const { 'Merchant-Key': key = '', 'Message-Date': date = '', 'Message-Hash': hash = '' } = signed()
  const verified = (...given: string[]) =>
    spawnSync(command, [...args, ...given], { input: body, env: environment('mk_shop'), encoding: 'utf8' })
      .stdout
  assert.is(verified('/hooks/cash', key, date, hash), 'genuine\n')
  assert.is(verified('/hooks/other', key, date, hash), 'refused\n')
  assert.is(verified('/hooks/cash', key, '1772366400.250', hash), 'refused\n')
  assert.is(verified('/hooks/cash', key, 'a[$(date >&2)]', hash), 'refused\n')
})

test.run()
