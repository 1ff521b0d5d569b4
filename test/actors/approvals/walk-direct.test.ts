/** Every operation that takes two people, asked for by whoever works on the database itself. */
import { test } from 'uvu'
import { walk } from './walking.ts'

walk(test, { asker: null, isDirect: true })

test.run()
