/** One exchange rate: what its sources told, and what it was made of. */
import { rateAccept } from '../../../actors/rates/accept-operation.ts'
import { type RateDocument, rateShow } from '../../../actors/rates/operations.ts'
import type { Block } from '../blocks.ts'
import { time } from '../cells.ts'
import { operationForm } from '../forms.ts'
import type { Page, PageRequest } from '../page.ts'

export function ratePath({
  blockchain,
  send,
  country,
  target,
}: Pick<RateDocument, 'blockchain' | 'send' | 'country' | 'target'>): string {
  return `/rates/${[blockchain, send, country, target].map(encodeURIComponent).join('/')}`
}

const part = (name: string) => `(?<${name}>[^/]{1,20})`

export const ratePage: Page = {
  path: new RegExp(`^/rates/${['blockchain', 'send', 'country', 'target'].map(part).join('/')}$`),
  least: 'viewer',
  room: 'Rates',
  async render(request) {
    const { ask, params } = request
    const { blockchain = '', send = '', country = '', target = '' } = params
    const rate = await ask(rateShow, { blockchain, send, country, target })
    const { doubt } = rate
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
            ['In doubt', doubt === null ? null : `${doubt.rate}`],
            ['In doubt since', doubt === null ? null : time(doubt.since)],
            ['May move by', rate.source === null ? null : `${rate.maxJumpPercent} %`],
            ['Expected', rate.expected],
            ['Oldest that is used', rate.maxAgeSeconds === null ? null : `${rate.maxAgeSeconds} s`],
            ['Since', time(rate.updated)],
          ],
        },
        ...(doubt === null ? [] : acceptForm(request, rate, doubt.rate)),
        { kind: 'heading', text: 'Sources' },
        {
          kind: 'table',
          label: 'Sources',
          empty: 'Fixed: set by the last `apply`.',
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
              { kind: 'heading', text: 'Sources' } as const,
              {
                kind: 'source',
                label: 'Sources',
                text: JSON.stringify(rate.madeOf, null, 2),
              } as const,
            ]),
      ],
    }
  },
}

function acceptForm(request: PageRequest, rate: RateDocument, inDoubt: string): Block[] {
  const { blockchain, send, country, target } = rate
  return operationForm(request, rateAccept, {
    title: 'Accept the rate in doubt',
    lead:
      `Its source moved it from ${rate.rate ?? 'nothing'} to ${inDoubt}, and no second source agrees. ` +
      'Quotes will use it: compare it with other publications first.',
    button: 'Accept it',
    isDanger: true,
    fields: ['reason'],
    hidden: { blockchain, send, country, target, rate: inDoubt },
  })
}
