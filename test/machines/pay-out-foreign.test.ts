import { test } from 'uvu'
import { testLifeCycle } from '../support/order-table-tests.ts'
import { endedOtherwise } from './pay-out-foreign-ended.ts'
import { untilPaidOut } from './pay-out-foreign-open.ts'

// The columns: what the order is told, by which provider or in which manner, when (any time where nothing stands),
// `x` and the reason where it is refused, the status after it, the effects. `test/support/order-table.ts` says more.
testLifeCycle(test, 'payOutForeign', untilPaidOut + endedOtherwise)

test.run()
