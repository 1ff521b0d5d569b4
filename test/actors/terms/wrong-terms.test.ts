/** Protocol 15.2: each bad place of terms is named by its path, and nothing is written. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, type OrderWorld } from '../../support/order-world.ts'

const play = inOrderWorld(test)

const pair = { country: 'MX', currency: 'MXN', min: '10.00', max: '1000.00' }
const fee = { from: '2026-12-01', direction: 'PAY_IN' }
const shop = (members: object) => ({ merchants: [{ name: 'Kiosk', ...members }] })
const fees = (...list: object[]) => shop({ pairs: [{ ...pair, fees: list }] })
const settles = (members: object) => shop({ settles: [{ currency: 'MXN', ...members }] })
const tills = (members: object) => ({ providers: [{ name: 'Tills', ...members }] })
const network = (members: object) => tills({ networks: [{ id: 'n2', ...members }] })
const calendar = (members: object) => ({ calendars: [{ name: 'mx', ...members }] })

const weekdayLine = 'is not a list of MON, TUE, WED, THU, FRI, SAT, SUN, each once'
const feePath = 'merchants[0].pairs[0].fees[0]'
const settlesPath = 'merchants[0].settles[0]'
const networkPath = 'providers[0].networks[0]'

/** What is written, and each line that it is refused with. */
const rows: [what: string, file: Record<string, unknown>, lines: string[]][] = [
  [
    'an overlap',
    fees({ ...fee, bps: 1 }, { ...fee, bps: 2 }),
    [`merchants[0].pairs[0].fees[1]: PAY_IN from 2026-12-01 is in ${feePath} already`],
  ],
  [
    'no day, no direction',
    fees({ bps: 1 }),
    [`${feePath}.from: is missing`, `${feePath}.direction: is missing`],
  ],
  [
    'a direction',
    fees({ ...fee, direction: 'IN' }),
    [`${feePath}.direction: "IN" is neither "PAY_OUT" nor "PAY_IN"`],
  ],
  [
    'a day that does not exist',
    fees({ ...fee, from: '2026-02-29' }),
    [`${feePath}.from: "2026-02-29" is not a date such as "2026-12-25"`],
  ],
  [
    'another form of a day',
    fees({ ...fee, from: '1/12/2026' }),
    [`${feePath}.from: "1/12/2026" is not a date such as "2026-12-25"`],
  ],
  ['a negative fee', fees({ ...fee, fixed: '-1.00' }), [`${feePath}.fixed: "-1.00" is below zero`]],
  ['a malformed fee', fees({ ...fee, fixed: '1,5' }), [`${feePath}.fixed: "1,5" is not an amount of MXN`]],
  [
    'a fee that is a number',
    fees({ ...fee, fixed: 5 }),
    [`${feePath}.fixed: 5 is not an amount of MXN: write it as a text, such as "100.00"`],
  ],
  [
    'more decimals than there are',
    fees({ ...fee, min: '0.005' }),
    [`${feePath}.min: "0.005" has more decimals than MXN`],
  ],
  ['min above max', fees({ ...fee, min: '3.00', max: '2.00' }), [`${feePath}.max: is less than min`]],
  [
    'basis points',
    fees({ ...fee, bps: 10_001, taxBps: -1 }),
    [
      `${feePath}.bps: 10001 is not a whole number from 0 to 10000`,
      `${feePath}.taxBps: -1 is not a whole number from 0 to 10000`,
    ],
  ],
  [
    'half a basis point',
    fees({ ...fee, bps: 0.5 }),
    [`${feePath}.bps: 0.5 is not a whole number from 0 to 10000`],
  ],
  [
    'a currency that is not the pair’s',
    fees({ ...fee, currency: 'USD' }),
    [`${feePath}.currency: "USD" is not the currency of what it is for, MXN`],
  ],
  [
    'an unknown member',
    fees({ ...fee, percent: 2 }),
    [`${feePath}.percent: is unknown; there are from, direction, currency, fixed, bps, min, max, taxBps`],
  ],
  [
    'a fee above every price',
    fees({ ...fee, fixed: '999.00', taxBps: 1600 }),
    [
      `${feePath}: PAY_IN from 2026-12-01: the fee of 999.00 and its tax of 159.84 are more than the greatest price, 1000.00 MXN: no pay-in would cover them`,
    ],
  ],
  [
    'a part of the price above it',
    fees({ ...fee, bps: 9500, taxBps: 1600 }),
    [
      `${feePath}: PAY_IN from 2026-12-01: the fee of 950.00 and its tax of 152.00 are more than the greatest price, 1000.00 MXN: no pay-in would cover them`,
    ],
  ],
  [
    'a zone that nobody knows',
    settles({ timeZone: 'America/Nowhere' }),
    [`${settlesPath}.timeZone: "America/Nowhere" is not a time zone such as "America/Mexico_City"`],
  ],
  [
    'an offset',
    settles({ timeZone: '-06:00' }),
    [`${settlesPath}.timeZone: "-06:00" is not a time zone such as "America/Mexico_City"`],
  ],
  ...['00:00', '24:01', '9:00', '22:00:00'].map((cutOff): (typeof rows)[number] => [
    `a cut-off of ${cutOff}`,
    settles({ cutOff }),
    [`${settlesPath}.cutOff: "${cutOff}" is not a time from "00:01" to "24:00", written with four digits`],
  ]),
  [
    'a weekday',
    settles({ every: ['MON', 'MONDAY'] }),
    [
      `${settlesPath}.every: ["MON","MONDAY"] is not "day", "request" or a list of MON, TUE, WED, THU, FRI, SAT, SUN, each once`,
    ],
  ],
  [
    'a weekday twice, or none',
    settles({ every: [] }),
    [
      `${settlesPath}.every: [] is not "day", "request" or a list of MON, TUE, WED, THU, FRI, SAT, SUN, each once`,
    ],
  ],
  [
    'banking days',
    settles({ afterBankingDays: 31 }),
    [`${settlesPath}.afterBankingDays: 31 is not a whole number from 0 to 30`],
  ],
  [
    'a calendar that is not there',
    settles({ calendar: 'mx-banks' }),
    [`${settlesPath}.calendar: "mx-banks" is no calendar; there is none`],
  ],
  [
    'a calendar that is not among those there are',
    { ...settles({ calendar: 'mx-banks' }), ...calendar({}) },
    [`${settlesPath}.calendar: "mx-banks" is no calendar; there are mx`],
  ],
  [
    'a currency settled twice',
    shop({ settles: [{ currency: 'MXN' }, { currency: 'MXN' }] }),
    [`merchants[0].settles[1]: settlement of MXN is in ${settlesPath} already`],
  ],
  [
    'amounts below zero',
    settles({ minimum: '-1.00', keep: '-0.01' }),
    [`${settlesPath}.minimum: "-1.00" is below zero`, `${settlesPath}.keep: "-0.01" is below zero`],
  ],
  [
    'an account with a character that nobody sees',
    settles({ account: 'CLABE\u202e 1' }),
    [`${settlesPath}.account: "CLABE\u202e 1" has a character in it that cannot be seen (U+202E)`],
  ],
  [
    'an account with a control character',
    settles({ account: 'a\u0007b' }),
    [`${settlesPath}.account: "a\\u0007b" has control characters in it`],
  ],
  [
    'a long account',
    settles({ account: 'x'.repeat(101) }),
    [`${settlesPath}.account: "${'x'.repeat(58)}… is longer than 100 characters`],
  ],
  [
    'what a provider does not keep',
    tills({ settles: [{ currency: 'MXN', keep: '1.00' }] }),
    [
      'providers[0].settles[0].keep: is unknown; there are currency, timeZone, cutOff, every, calendar, afterBankingDays, minimum, account',
    ],
  ],
  [
    'a limit of nothing',
    tills({ exposure: [{ currency: 'MXN', limit: '0', warnAtPercent: 0 }] }),
    [
      'providers[0].exposure[0].limit: "0" is not above zero',
      'providers[0].exposure[0].warnAtPercent: 0 is not a whole number from 1 to 100',
    ],
  ],
  [
    'two limits',
    tills({
      exposure: [
        { currency: 'MXN', limit: '1.00' },
        { currency: 'MXN', limit: '2.00' },
      ],
    }),
    ['providers[0].exposure[1]: exposure in MXN is in providers[0].exposure[0] already'],
  ],
  ['a network without an id', tills({ networks: [{ name: 'Tiendas' }] }), [`${networkPath}.id: is missing`]],
  [
    'a network’s currency and country',
    network({ currency: 'MNX', country: 'MEX' }),
    [
      `${networkPath}.country: "MEX" is not a country such as "MX"`,
      `${networkPath}.currency: "MNX" is not a currency such as "MXN"`,
    ],
  ],
  [
    'amounts of no currency',
    network({ min: '1.00' }),
    [`${networkPath}.min: is an amount of no currency: say the network’s currency`],
  ],
  [
    'commissions of no currency',
    network({ commissions: [fee] }),
    [`${networkPath}.commissions: are of no currency: say the network’s currency`],
  ],
  [
    'a network’s amounts',
    network({ currency: 'CLP', min: '1.5', max: 'x', counterFee: '-1' }),
    [
      `${networkPath}.min: "1.5" has more decimals than CLP`,
      `${networkPath}.max: "x" is not an amount of CLP`,
      `${networkPath}.counterFee: "-1" is below zero`,
    ],
  ],
  [
    'a network’s limits',
    network({ currency: 'MXN', min: '2.00', max: '1.00' }),
    [`${networkPath}.max: is less than min`],
  ],
  [
    'a commission in another currency',
    network({ currency: 'MXN', commissions: [{ ...fee, currency: 'CLP' }] }),
    [`${networkPath}.commissions[0].currency: "CLP" is not the currency of what it is for, MXN`],
  ],
  [
    'commissions that overlap',
    network({ currency: 'MXN', commissions: [fee, fee] }),
    [`${networkPath}.commissions[1]: PAY_IN from 2026-12-01 is in ${networkPath}.commissions[0] already`],
  ],
  [
    'a language that the checkout does not speak',
    network({ text: { fr: 'Bonjour.' } }),
    [`${networkPath}.text.fr: is unknown; there are es, pt, en`],
  ],
  [
    'texts of a network',
    network({ name: 'x'.repeat(101), hours: '', text: { es: 'a\nb', en: 'x'.repeat(301) } }),
    [
      `${networkPath}.name: "${'x'.repeat(58)}… is longer than 100 characters`,
      `${networkPath}.hours: "" is empty`,
      `${networkPath}.text.es: "a\\nb" has control characters in it`,
      `${networkPath}.text.en: "${'x'.repeat(58)}… is longer than 300 characters`,
    ],
  ],
  [
    'a bank',
    {
      banks: [
        { name: 'main', currency: 'pesos' },
        { name: ' ', currency: 'MXN' },
      ],
    },
    ['banks[0].currency: "pesos" is not a currency such as "MXN"', 'banks[1].name: " " is empty'],
  ],
  [
    'a bank twice',
    {
      banks: [
        { name: 'main', currency: 'MXN' },
        { name: 'main', currency: 'USD' },
      ],
    },
    ['banks[1]: bank main is in banks[0] already'],
  ],
  [
    'a weekend',
    calendar({ weekend: ['SAT', 'SAT'] }),
    [`calendars[0].weekend: ["SAT","SAT"] ${weekdayLine}`],
  ],
  [
    'a weekend of the whole week',
    calendar({ weekend: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] }),
    ['calendars[0].weekend: ["MON","TUE","WED","THU","FRI","SAT","SUN"] leaves no day on which banks work'],
  ],
  [
    'closed days',
    calendar({ closed: [{ date: '2026-02-30' }, { date: '2026-12-25' }, { date: '2026-12-25', note: 'x' }] }),
    [
      'calendars[0].closed[0].date: "2026-02-30" is not a date such as "2026-12-25"',
      'calendars[0].closed[2]: 2026-12-25 is in calendars[0].closed[1] already',
    ],
  ],
  [
    'a calendar that never opens',
    calendar({
      closed: Array.from({ length: 90 }, (_, index) => ({
        date: new Date(Date.UTC(2026, 8, 1 + index)).toISOString().slice(0, 10),
      })),
    }),
    ['calendars[0]: calendar mx would be closed for more than two months on end'],
  ],
]

async function everything(world: OrderWorld): Promise<unknown> {
  const tables = ['parties', 'pairs', 'networks', 'banks', 'calendars', 'calendar_days'] as const
  const ofTerms = ['settlement_terms', 'cut_offs', 'fee_terms', 'exposure_limits', 'facts'] as const
  return Promise.all([...tables, ...ofTerms].map((table) => world.rows(table)))
}

play('each bad place is named, and nothing is written', async (world) => {
  const { refusal } = operatorOf(world)
  const before = await everything(world)
  for (const [what, file, lines] of rows) {
    const { code, details } = await refusal('apply', file)
    assert.equal({ code, details }, { code: 'invalid', details: lines }, what)
  }
  assert.equal(await everything(world), before)
})

test.run()
