/** `POST /merchants/quotes/`: protocol 2.4 and 10.4. */
import type { Quoted, QuoteRefusal, Quotes } from '../../actors/quotes/quotes.ts'
import { fieldError, type HttpAnswer, type HttpRefusal } from '../foundation/errors.ts'
import { keyAnswer, type RecallingOptions, recalling } from './creation-answers.ts'
import { type QuoteRequest, readQuoteRequest } from './requests.ts'
import {
  dryRunAnswer,
  type Endpoint,
  guardOf,
  type Route,
  refuse,
  type SignedRequest,
  storedAnswer,
} from './route.ts'

export interface QuoteRoutesOptions extends RecallingOptions {
  quotes: Quotes
}

export function quoteRoutes(options: QuoteRoutesOptions): Route[] {
  return [
    {
      path: '/merchants/quotes/',
      party: 'merchant',
      methods: {
        POST: {
          id: 'createQuote',
          summary: 'Ask for a quote',
          description:
            'How much cash an amount sent on a blockchain pays out. The fee is deducted from ' +
            '`send` before the exchange. A pay-out can be created from the quote, once, until it expires.',
          request: ['quote'],
          answer: { status: 201, schema: 'quote' },
          dryRun: 'quoteDryRun',
          repetition: 'idempotency_key',
          refusals: [
            'pair_not_configured',
            'quote_pair_invalid',
            'send_too_low',
            'dependency_failed',
            'draining',
          ],
          problems: ['price_too_high'],
          endpoint: recalling(options, createQuote(options)),
        },
      },
    },
  ]
}

function createQuote({ quotes }: QuoteRoutesOptions): Endpoint {
  return async (request) => {
    const read = readQuoteRequest(request.document, quotes.assetDecimals)
    if (!read.ok) return refuse(read.refusal)
    const quoted = await quotes.create(
      { ...read.value, merchantId: request.identity.partyId, isDryRun: request.isDryRun },
      guardOf(request),
    )
    return answerOf(quoted, read.value, request)
  }
}

function answerOf(quoted: Quoted, asked: QuoteRequest, request: SignedRequest): HttpAnswer {
  switch (quoted.outcome) {
    case 'quoted':
      request.note({ quote: quoted.quote.id })
      return storedAnswer(quoted.answer)
    case 'quotable':
      return dryRunAnswer(quoted.answer)
    case 'refused':
      request.note({ refused: quoted.reason, ...(quoted.why === null ? {} : { why: quoted.why }) })
      return refuse(refusalsOf[quoted.reason](asked))
    default:
      return keyAnswer(quoted)
  }
}

const refusalsOf: Record<QuoteRefusal, (asked: QuoteRequest) => HttpRefusal> = {
  pair_not_configured: () => ({ name: 'pair_not_configured' }),
  pair_invalid: ({ sendCurrency, targetCurrency, blockchain }) => ({
    name: 'quote_pair_invalid',
    values: { send_currency: sendCurrency, target_currency: targetCurrency, blockchain },
  }),
  no_rate: () => ({ name: 'dependency_failed' }),
  too_low: () => ({ name: 'send_too_low' }),
  // Part 7.2 has the text; of the fields of a quote only `send` can be lowered.
  too_high: () => ({ name: 'fields', errors: [fieldError('send', 'price_too_high')] }),
}
