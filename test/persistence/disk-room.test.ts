import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { DiskRoom } from '../../persistence/sqlite/disk-room.ts'

const folder = mkdtempSync(join(tmpdir(), 'disk-room-'))
test.after(() => rmSync(folder, { recursive: true }))

const ballastBytes = 2_500_000
let rooms = 0

/** Room beside a database of its own, whose ballast is prepared first, and what is told of it. */
function roomWith({
  ballast,
  bytes = ballastBytes,
}: {
  ballast?: (file: string) => void
  bytes?: number
} = {}) {
  const file = join(folder, `${rooms++}.db`)
  const place = `${file}.ballast`
  ballast?.(place)
  const told: (string | null)[] = []
  const room = new DiskRoom({ file, ballastBytes: bytes, onChange: (problem) => told.push(problem) })
  const isKept = () => existsSync(place) && statSync(place).size === ballastBytes
  const kept = async () => {
    while (!isKept()) await new Promise((resolve) => setImmediate(resolve))
  }
  return { room, place, told, kept }
}

/** Windows counts no blocks. */
const takenBytes = (file: string) => {
  const { size, blocks } = statSync(file)
  return process.platform === 'win32' ? size : blocks * 512
}

test('the ballast takes all of its bytes from the disk', async () => {
  const { room, place, told, kept } = roomWith()
  room.keep()
  await kept()
  await room.close()
  assert.ok(takenBytes(place) >= ballastBytes)
  if (process.platform !== 'win32') assert.is(statSync(place).mode & 0o777, 0o600)
  assert.equal(told, [])
})

test('where none is asked for, none is made, and a full disk makes no difference', async () => {
  const { room, place, told } = roomWith({ bytes: 0 })
  room.keep()
  assert.is(room.makeRoom(true), false)
  assert.is(room.admits(), true)
  await room.close()
  assert.is(existsSync(place), false)
  assert.equal(told, [])
})

test('a full disk stops what can wait, and the ballast goes once to what cannot', async () => {
  const { room, place, told } = roomWith({
    ballast: (file) => writeFileSync(file, Buffer.alloc(ballastBytes, 1)),
  })
  assert.is(room.admits(), true)
  assert.is(room.makeRoom(false), false)
  assert.is(statSync(place).size, ballastBytes)
  assert.is(room.makeRoom(true), true)
  assert.is(statSync(place).size, 0)
  assert.is(room.makeRoom(true), false)
  assert.is(told.length, 1)
  assert.match(told[0] ?? '', 'New orders are refused')
  assert.is(room.admits(), false)
  await room.close()
})

test('once the ballast is kept again, what can wait goes on, and that is told', async () => {
  const { room, told } = roomWith({ ballast: (file) => writeFileSync(file, '') })
  assert.is(told.length, 1)
  room.keep()
  while (told.length < 2) await new Promise((resolve) => setImmediate(resolve))
  assert.is(told[1], null)
  assert.is(room.admits(), true)
  await room.close()
})

test('an empty ballast says after a restart that it was given up', async () => {
  const { room } = roomWith({ ballast: (file) => writeFileSync(file, '') })
  assert.is(room.admits(), false)
  await room.close()
})

test('a ballast that a copy has made sparse is made anew', async () => {
  const { room, place } = roomWith({
    ballast: (file) => {
      writeFileSync(file, '')
      truncateSync(file, ballastBytes)
    },
  })
  room.keep()
  while (takenBytes(place) < ballastBytes) await new Promise((resolve) => setImmediate(resolve))
  await room.close()
})

test('given up while it is being made, it is left empty', async () => {
  const { room, place } = roomWith()
  room.keep()
  while (!existsSync(place) || statSync(place).size === 0)
    await new Promise((resolve) => setImmediate(resolve))
  assert.is(room.makeRoom(true), true)
  await room.close()
  assert.is(statSync(place).size, 0)
})

test('a ballast that cannot be made is told of, and nothing else', async () => {
  const { room, told } = roomWith({
    ballast: (file) => symlinkSync(join(folder, 'missing', 'ballast'), file, 'junction'),
  })
  room.keep()
  while (told.length === 0) await new Promise((resolve) => setImmediate(resolve))
  assert.match(told[0] ?? '', 'cannot be kept')
  assert.is(room.admits(), true)
  await room.close()
})

test.run()
