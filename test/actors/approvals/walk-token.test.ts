/** Every operation that takes two people, asked for by whoever has the token of a running node. */
import { test } from 'uvu'
import { walk } from './walking.ts'

walk(test, { asker: null, isDirect: false })

test.run()
