import { test } from 'uvu'
import { looks, testWalk } from '../../support/console-walk.ts'

const { wrapped, tallRows, beyond, barriers, darkBarriers } = looks

await testWalk(test, 'every page fits and has no barrier in Portuguese', {
  language: 'pt',
  onDesktop: [wrapped, beyond, barriers],
  onPhone: [tallRows, beyond, darkBarriers],
})

test.run()
