/** One exchange rate: what its sources told, and what it was made of. */
import { type RateDocument, rateShow } from '../../../actors/rates/operations.ts'
import { time } from '../cells.ts'
import type { Page } from '../page.ts'

export function ratePath({ blockchain, send, country, target }: RateDocument): string {
  return `/rates/${[blockchain, send, country, target].map(encodeURIComponent).join('/')}`
}

const part = (name: string) => `(?<${name}>[^/]{1,20})`

export const ratePage: Page = {
  path: new RegExp(`^/rates/${['blockchain', 'send', 'country', 'target'].map(part).join('/')}$`),
  least: 'viewer',
  room: 'Rates',
  async render({ ask, params }) {
    const { blockchain = '', send = '', country = '', target = '' } = params
    const rate = await ask(rateShow, { blockchain, send, country, target })
    return {
      title: `${rate.send} to ${rate.target} (${rate.country})`,
      crumb: { href: '/rates', text: 'Rates' },
      liveSeconds: 10,
      blocks: [
        {
          kind: 'facts',
          items: [
            ['Chain', rate.blockchain.toLowerCase()],
            ['Rate', rate.rate],
            ['Used', rate.acceptable ? { text: 'yes', tone: 'good' } : { text: 'no', tone: 'bad' }],
            ['Why not', rate.problem],
            ['Fee', `${rate.feeFixed} ${rate.send} + ${rate.feeBps / 100} %`],
            ['Expected', rate.expected],
            ['Oldest that is used', rate.maxAgeSeconds === null ? null : `${rate.maxAgeSeconds} s`],
            ['Since', time(rate.updated)],
          ],
        },
        { kind: 'heading', text: 'Sources' },
        {
          kind: 'table',
          label: 'Sources',
          empty: 'It is fixed: whoever applied it said what it is.',
          columns: [
            { label: 'Source' },
            { label: 'Told', isRight: true },
            { label: 'Rate', isRight: true },
            { label: 'At' },
            { label: 'Problem' },
            { label: 'Failures', isRight: true },
            { label: 'Asked again' },
          ],
          rows: rate.readings.map((line) => [
            line.source,
            line.told,
            line.rate,
            time(line.at),
            line.problem,
            String(line.failures),
            time(line.nextAt),
          ]),
        },
        ...(rate.madeOf === null
          ? []
          : [
              { kind: 'heading', text: 'What it was made of' } as const,
              {
                kind: 'source',
                label: 'What it was made of',
                text: JSON.stringify(rate.madeOf, null, 2),
              } as const,
            ]),
      ],
    }
  },
}
