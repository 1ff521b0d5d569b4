/** One exchange rate: what its sources told, and what it was made of. */
import { rateAccept } from '../../../actors/rates/accept-operation.ts'
import { type RateDocument, rateShow } from '../../../actors/rates/operations.ts'
import type { Block } from '../blocks.ts'
import { time } from '../cells.ts'
import { operationForm } from '../forms.ts'
import type { Page, PageRequest } from '../page.ts'
import type { Texts } from '../texts/index.ts'
import { told } from '../wording.ts'
import { draftLink, openedDraft } from './draft.ts'
import { rateOffer } from './draft-rates.ts'

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
    const path = ratePath(rate)
    return {
      title: (texts) => texts.rate.to(rate.send, rate.target, rate.country),
      crumb: { href: '/rates', text: (texts) => texts.common.rates },
      liveSeconds: 10,
      blocks: [
        ...openedDraft(request, path, [rateOffer(rate)]),
        { kind: 'links', items: draftLink(request, path, 'rate', ({ drafts }) => drafts.changeTheRate) },
        {
          kind: 'facts',
          items: [
            [(texts) => texts.common.chain, rate.blockchain.toLowerCase()],
            [(texts) => texts.common.rate, rate.rate],
            [
              (texts) => texts.rate.used,
              rate.acceptable
                ? { text: (texts) => texts.common.yes, tone: 'good' }
                : { text: (texts) => texts.common.no, tone: 'bad' },
            ],
            [(texts) => texts.rate.whyNot, told(rate.problem)],
            [(texts) => texts.common.fee, `${rate.feeFixed} ${rate.send} + ${rate.feeBps / 100} %`],
            [(texts) => texts.rate.inDoubt, doubt === null ? null : `${doubt.rate}`],
            [(texts) => texts.rate.inDoubtSince, doubt === null ? null : time(doubt.since)],
            [(texts) => texts.rate.mayMoveBy, rate.source === null ? null : `${rate.maxJumpPercent} %`],
            [(texts) => texts.rate.expected, rate.expected],
            [
              (texts) => texts.rate.oldestThatIsUsed,
              rate.maxAgeSeconds === null ? null : `${rate.maxAgeSeconds} s`,
            ],
            [(texts) => texts.common.since, time(rate.updated)],
          ],
        },
        ...(doubt === null ? [] : acceptForm(request, rate, doubt.rate)),
        { kind: 'heading', text: (texts) => texts.rate.sources },
        {
          kind: 'table',
          label: (texts) => texts.rate.sources,
          empty: (texts) => texts.drafts.fixedRate,
          columns: [
            { label: (texts) => texts.common.source },
            { label: (texts) => texts.rate.told, isRight: true },
            { label: (texts) => texts.common.rate, isRight: true },
            { label: (texts) => texts.common.at },
            { label: (texts) => texts.common.problem },
            { label: (texts) => texts.common.failures, isRight: true },
            { label: (texts) => texts.rate.askedAgain },
          ],
          rows: rate.readings.map((line) => [
            line.source,
            line.told,
            line.rate,
            time(line.at),
            told(line.problem),
            String(line.failures),
            time(line.nextAt),
          ]),
        },
        ...(rate.madeOf === null
          ? []
          : [
              { kind: 'heading', text: (texts: Texts) => texts.rate.sources } as const,
              {
                kind: 'source',
                label: (texts: Texts) => texts.rate.sources,
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
    title: (texts) => texts.rate.acceptTheRateInDoubt,
    lead: (texts) => texts.rate.itsSourceMovedItFrom(rate.rate ?? 'nothing', inDoubt),
    button: (texts) => texts.rate.acceptIt,
    isDanger: true,
    fields: ['reason'],
    hidden: { blockchain, send, country, target, rate: inDoubt },
  })
}
