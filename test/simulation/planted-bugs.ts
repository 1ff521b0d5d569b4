/**
 * `node test/simulation/planted-bugs.ts [MOST HISTORIES] [NAME…]`: proves that the simulator finds what it is there for. Each bug is
 * one line changed in a copy of the tree; histories are played on it until one goes wrong. In the soak as `planted-bugs`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

interface Bug {
  name: string
  file: string
  from: string
  to: string
}

const bugs: readonly Bug[] = [
  {
    name: 'the lock is not checked',
    file: 'machines/order.ts',
    from: "'providerId' in event && context.lock?.providerId === event.providerId",
    to: "'providerId' in event && context.lock !== null",
  },
  {
    name: 'what is posted is posted again on a retry',
    file: 'persistence/sqlite/group-commit.ts',
    from: 'if (this.#isTorn) this.#rollback()',
    to: 'if (this.#isTorn) this.#transactions.commit()',
  },
  {
    name: 'a lease keeps nobody out',
    file: 'actors/webhooks/claim.ts',
    from: 'const isBusy = inOrder.some(({ lease_until_at }) => lease_until_at !== null)',
    to: 'const isBusy = false',
  },
  {
    name: 'a webhook is committed before what it tells',
    file: 'persistence/sqlite/engine.ts',
    from: 'for (const one of decision.writes) this.#rows.write(one, at)',
    to: "const isToTell = (one: object) => 'insert' in one && one.insert === 'webhooks'; const isSplit = decision.writes.some(isToTell) && !decision.writes.some((one) => 'insert' in one && one.insert === 'orders'); for (const one of decision.writes) if (!isSplit || isToTell(one)) this.#rows.write(one, at); else void this.#queue.add({ run: (later) => later(() => this.#rows.write(one, at)) })",
  },
  {
    name: 'a fee is computed anew',
    file: 'machines/order-postings.ts',
    from: "['fee', from, 'fee', ({ feeMinor }) => feeMinor],",
    to: "['fee', from, 'fee', ({ priceMinor, feeMinor }) => (feeMinor * priceMinor) / (priceMinor + 1n)],",
  },
  {
    name: 'a line is in two statements',
    file: 'actors/settlement/sealing.ts',
    from: 'first: sealed_number + 1,',
    to: 'first: sealed_number,',
  },
  {
    name: 'a cursor is off by one',
    file: 'actors/orders/listing.ts',
    from: 'const last = shown.at(-1)',
    to: 'const last = found.at(-1)',
  },
  {
    name: 'a posting has the wrong sign',
    file: 'machines/order-postings.ts',
    from: "['fee_tax', from, 'tax_collected', ({ feeTaxMinor }) => feeTaxMinor],",
    to: "['fee_tax', 'tax_collected', from, ({ feeTaxMinor }) => feeTaxMinor],",
  },
  {
    name: 'what was written is read as it was',
    file: 'actors/orders/finding.ts',
    from: 'const order = await fresh(options, (await store.query(orderById, { id }))[0])',
    to: 'const kept: Map<string, Order | null> = (Reflect.get(options, "kept") ?? Object.assign(options, { kept: new Map() }).kept); const order = kept.get(id) ?? (await fresh(options, (await store.query(orderById, { id }))[0])); kept.set(id, order)',
  },
  {
    name: 'a clock that jumped is accepted silently',
    file: 'actors/condition/clock-watch.ts',
    from: '        distrust(drifted)\n',
    to: '        follow(at)\n',
  },
  {
    name: 'a deposit counts before it is final',
    file: 'chain/evm/network.ts',
    from: '    this.settings = settings\n',
    to: "    this.settings = { ...settings, finality: 'latest' as FinalityTag }\n",
  },
  {
    name: 'more is given back than was paid',
    file: 'actors/orders/refunds.ts',
    from: 'return credited_minor - claimed_minor',
    to: 'return credited_minor',
  },
  {
    name: 'whoever counts as one with the asker approves',
    file: 'actors/operations/approvers.ts',
    from: 'if (circle(asker) !== circle(holderOf(approver))) return',
    to: 'if (asker !== holderOf(approver)) return',
  },
  {
    name: 'what was approved ends behind the step that does it, and is done again after a kill',
    file: 'actors/operations/granted.ts',
    from: 'if (!letsIn) return told.writes',
    to: 'if (!letsIn) return []',
  },
  {
    name: 'whoever approved may be nobody any more',
    file: 'actors/operations/approvers.ts',
    from: 'if (decided_by !== null && !may(approver, role))',
    to: 'if (decided_by !== null && approver === null)',
  },
  {
    name: 'what is split comes to less',
    file: 'actors/approvals/sums.ts',
    from: 'if (beforeMinor + amountMinor > thresholdMinor) {',
    to: 'if (amountMinor > thresholdMinor) {',
  },
  {
    name: 'what has changed since is carried out as it was approved',
    file: 'actors/approvals/moved.ts',
    from: 'const told = [postings, subjects.toSorted(), changesOf(step), digestIn(step.answer)]',
    to: 'const told = [postings, digestIn(step.answer)]',
  },
  {
    name: 'the model itself rounds wrongly',
    file: 'test/support/model/figures.ts',
    from: 'rest * 2n >= 10_000n',
    to: 'rest * 2n > 10_000n',
  },
]

const root = resolve(import.meta.dirname, '../..')
const [most = '2000', ...asked] = process.argv.slice(2)
const chosen = bugs.filter(({ name }) => asked.length === 0 || asked.some((word) => name.includes(word)))
const folder = mkdtempSync(join(tmpdir(), 'ventanilla-planted-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

for (const file of execFileSync(
  'git',
  ['ls-files', '-zco', '--exclude-standard', '*.ts', '*.json', '*.html', '*.css', '*.svg'],
  {
    cwd: root,
    encoding: 'utf8',
  },
).split('\0')) {
  if (file === '') continue
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  cpSync(join(root, file), join(folder, file))
}
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))

function play(options: readonly string[]): { seed: string | null; problem: string; output: string } {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['test/simulation/main.ts', '--events', '120', '--stop-at-first', ...options],
    { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 },
  )
  const [, seed = null, problem = ''] = /^seed (\d+): (.*)/m.exec(stdout) ?? []
  return { seed, problem: problem.slice(0, 160), output: `${stdout.trim()} ${stderr.trim().slice(-300)}` }
}

let missed = 0
for (const { name, file, from, to } of chosen) {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} does not have once: ${from}`)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  const { seed, problem, output } = play(['--histories', most])
  writeFileSync(path, text)
  // What goes wrong without the bug, too, was not found by it.
  const isFound = seed !== null && play(['--histories', '1', '--seed', seed]).seed === null
  if (!isFound) missed += 1
  // Seeds begin at 1: the one that found it is how many were played.
  console.log(isFound ? `ok   ${name}: after ${seed}, ${problem}` : `MISS ${name}: ${output}`)
}
process.exitCode = missed > 0 ? 1 : 0
