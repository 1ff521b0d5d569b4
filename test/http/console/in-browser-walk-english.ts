import { test } from 'uvu'
import { looks, testWalk } from '../../support/console-walk.ts'

const { wrapped, tallRows, beyond, barriers, darkColours } = looks

await testWalk(test, 'every page fits and has no barrier in English, on both screens and in both themes', {
  language: 'en',
  onDesktop: [wrapped, beyond, barriers, darkColours],
  onPhone: [tallRows, beyond, barriers, darkColours],
})

test.run()
