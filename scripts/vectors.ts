/**
 * `node scripts/vectors.ts KIND FOLDER`: makes test/vectors/KIND.jsonl of what others published. KIND is one of the table
 * below; test/vectors/README.md says which folder each is made of, and under which licence.
 *
 * The first line of such a file names its columns, every other one is a vector.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Row = readonly unknown[]

interface Kind {
  columns: readonly string[]
  rows(folder: string): Row[]
}

function read(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'))
}

interface Groups<Test> {
  testGroups: readonly { tests: readonly Test[]; tagSize: number }[]
}

type Members<Names extends string> = Readonly<Record<Names, string>> & { tcId: number }

function perTest<Test>(folder: string, name: string, row: (test: Test, tagBits: number) => Row): Row[] {
  const { testGroups } = read(folder, name) as Groups<Test>
  return testGroups.flatMap(({ tests, tagSize }) => tests.map((test) => row(test, tagSize)))
}

/** Older releases of the suite said of some files otherwise what is to become of them, or spelled them otherwise. */
function bytesByContent(folder: string): Map<string, Buffer> {
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)))
  // `n_structure_single_eacute.json` came later: it is the one byte of é in ISO 8859-1.
  const all = [...files, Buffer.from([0xe9])]
  return new Map(all.map((bytes) => [bytes.toString('base64'), bytes]))
}

const kinds: Readonly<Record<string, Kind>> = {
  'json-bytes': {
    columns: ['base64'],
    rows: (folder) =>
      [...bytesByContent(folder).values()]
        .filter((bytes) => !Buffer.from(bytes.toString()).equals(bytes))
        .map((bytes) => [bytes.toString('base64')]),
  },
  'hmac-sha256': {
    columns: ['id', 'key', 'message', 'tag', 'tagBits', 'result', 'comment'],
    rows: (folder) =>
      perTest<Members<'key' | 'msg' | 'tag' | 'result' | 'comment'>>(
        folder,
        'hmac_sha256_test.json',
        (test, tagBits) => [test.tcId, test.key, test.msg, test.tag, tagBits, test.result, test.comment],
      ),
  },
  'aes-gcm': {
    columns: ['id', 'key', 'nonce', 'aad', 'plain', 'sealed', 'tag', 'result', 'comment'],
    rows: (folder) =>
      perTest<Members<'key' | 'iv' | 'aad' | 'msg' | 'ct' | 'tag' | 'result' | 'comment'>>(
        folder,
        'aes_gcm_test.json',
        (it) => [it.tcId, it.key, it.iv, it.aad, it.msg, it.ct, it.tag, it.result, it.comment],
      ),
  },
  urls: {
    columns: ['input', 'base', 'href', 'hostname'],
    rows: (folder) => {
      const all = read(folder, 'urltestdata.json') as (
        | string
        | { input: string; base: string | null; href?: string; hostname?: string }
      )[]
      return all.flatMap((each) =>
        typeof each === 'string' ? [] : [[each.input, each.base, each.href ?? null, each.hostname ?? null]],
      )
    },
  },
  'naughty-strings': {
    columns: ['text'],
    rows: (folder) => [...new Set(read(folder, 'blns.json') as string[])].map((text) => [text]),
  },
}

const [name = '', folder] = process.argv.slice(2)
const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
if (kind === undefined || folder === undefined) {
  console.error(`Name a kind and a folder. There are ${Object.keys(kinds).join(', ')}.`)
  process.exit(2)
}
const rows = kind.rows(folder)
const lines = [kind.columns, ...rows].map((row) => `${JSON.stringify(row)}\n`)
writeFileSync(join(import.meta.dirname, `../test/vectors/${name}.jsonl`), lines.join(''))
console.log(`${rows.length} vectors`)
