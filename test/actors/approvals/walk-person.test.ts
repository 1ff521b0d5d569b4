/** Every operation that takes two people, asked for by a person who is signed in. */
import { test } from 'uvu'
import { walk } from './walking.ts'

walk(test, { asker: 'ana', isDirect: false })

test.run()
