import { test } from 'uvu'
import { looks, testWalk } from '../../support/console-walk.ts'

const { wrapped, tallRows, beyond, barriers, darkBarriers } = looks

await testWalk(test, 'every page fits and has no barrier in Spanish', {
  language: 'es',
  onDesktop: [wrapped, beyond, barriers],
  onPhone: [tallRows, beyond, darkBarriers],
})

test.run()
