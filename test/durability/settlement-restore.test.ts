/**
 * A backup from before closings and orderings is put in the place of the database, with the anchors as they are or none at all between: no
 * number is issued again and nothing is paid again. `node test/durability/settlement-restore.test.ts RESTORES` plays more of them.
 */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isOnPostgres } from '../support/database.ts'
import { orderWorlds, tills } from '../support/order-world.ts'
import { seededRandom } from './random.ts'
import { endOfSettlement, problemsOfSettlement, settledEnd } from './settled.ts'
import { restoreAndSettle } from './settlement-restore-story.ts'
import { playDays, type SettlementTold, settleDays } from './settlement-story.ts'
import { isLargeShare } from './share.ts'

const restores = Number(process.argv[2] ?? (isLargeShare ? 25 : 5))
const folder = mkdtempSync(join(tmpdir(), 'settlement-restore-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))
const inWorld = orderWorlds(test)
const template = join(folder, 'template.db')

class Disaster extends Error {}

/** What is told until then, and the database as it was when so much was told; whole for what is never told. */
async function settleUntil(
  file: string,
  last: number,
  backupAfter: number,
  backup: string,
): Promise<SettlementTold[]> {
  const told: SettlementTold[] = []
  const look = () => {
    if (told.length === backupAfter) copyDatabase(file, backup)
    if (told.length >= last) throw new Disaster()
  }
  copyFileSync(template, file)
  look()
  try {
    await settleDays(file, (one) => {
      told.push(one)
      look()
    })
  } catch (error) {
    if (!(error instanceof Disaster)) throw error
  }
  return told
}

/** As a backup has it that is made at that moment: with what its log has. */
function copyDatabase(from: string, to: string): void {
  for (const end of ['', '-wal']) if (existsSync(from + end)) copyFileSync(from + end, to + end)
}

if (!isOnPostgres) {
  let answers = 0

  test('the days are settled once without any', async () => {
    await inWorld(async (world) => {
      await playDays(world)
      await world.store.close()
      copyFileSync(world.url.replace('sqlite:', ''), template)
    })
    const file = join(folder, 'whole.db')
    answers = (await settleUntil(file, Number.POSITIVE_INFINITY, -1, '')).length
    assert.equal(await endOfSettlement(file, []), { ...settledEnd, atBank: [] })
  })

  test('whenever it is restored, and however old the backup is, parties are paid once and numbers go on', async () => {
    const random = seededRandom(restores)
    let lostNumbers = 0
    let lostPayments = 0
    for (let round = 0; round < restores; round++) {
      // Everything is lost in the first; then backups of any moment.
      const last = round === 0 ? answers : 1 + random.below(answers)
      const backupAfter = round === 0 ? 0 : random.below(last)
      const what = `restored after answer ${last} to what was there after ${backupAfter}`
      const [file, backup] = [join(folder, `${round}.db`), join(folder, `${round}-backup.db`)]
      const told = await settleUntil(file, last, backupAfter, backup)
      for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
      copyDatabase(backup, file)
      const lost = await restoreAndSettle(file, told)
      lostNumbers += lost.numbers
      lostPayments += lost.payments
      assert.equal([what, await problemsOfSettlement(file, lost.kept)], [what, []])
      const end = await endOfSettlement(file, lost.kept)
      assert.equal([what, end.owed, end.left, end.sum], [what, settledEnd.owed, 0, 0n])
      assert.equal([what, lost.again], [what, []])
      // What the bank has paid, and what has come back of it, is what it would have been.
      assert.equal([what, lost.atBank], [what, settledEnd.atBank])
    }
    assert.ok(lostNumbers > 0 && lostPayments > 0)
    console.log(
      `settlement: ${restores} restores lost ${lostNumbers} numbers of statements and ${lostPayments} payments, the bank paid ${tills.A.name} and the others once`,
    )
  })
}

test.run()
