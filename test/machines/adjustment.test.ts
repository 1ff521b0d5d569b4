/** A correction's postings, either way and of either kind of party: protocol 15.11. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { adjustmentLegs } from '../../machines/adjustment.ts'

// The party, the amount and its tax, and what is posted.
const rows = `
  merchant  10   2 | adjustment fee→available 10, adjustment_tax tax_collected→available 2
  merchant -10  -2 | adjustment available→fee 10, adjustment_tax available→tax_collected 2
  merchant  10  -2 | adjustment fee→available 10, adjustment_tax available→tax_collected 2
  provider  10   2 | adjustment fee→provider 10, adjustment_tax tax_credited→provider 2
  provider -10  -2 | adjustment provider→fee 10, adjustment_tax provider→tax_credited 2
  merchant   1   0 | adjustment fee→available 1
  merchant  -1   0 | adjustment available→fee 1
  provider   0   1 | adjustment_tax tax_credited→provider 1
  provider   0  -1 | adjustment_tax provider→tax_credited 1
`

for (const row of rows.trim().split('\n')) {
  const [adjustment = '', expected = ''] = row.split('|').map((part) => part.trim())
  test(`${adjustment} is ${expected}`, () => {
    const [party, amount = '', tax = ''] = adjustment.split(/ +/)
    const legs = adjustmentLegs({
      party_kind: party === 'merchant' ? 'merchant' : 'provider',
      amount_minor: BigInt(amount),
      tax_minor: BigInt(tax),
    })
    const written = legs.map(({ kind, from, to, amountMinor }) => `${kind} ${from}→${to} ${amountMinor}`)
    assert.is(written.join(', '), expected)
  })
}

test.run()
