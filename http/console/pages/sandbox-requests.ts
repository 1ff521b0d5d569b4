/** What the keys of a party have sent in a sandbox, and why a signature was refused. */
import { type RequestDocument, sandboxRequests } from '../../../actors/sandbox/party-operations.ts'
import type { Block, Cell } from '../blocks.ts'
import { linkTo, moment, shortId } from '../cells.ts'
import { filled } from '../forms.ts'
import type { Page } from '../page.ts'
import { named } from '../readable.ts'
import type { Said } from '../view.ts'
import { told } from '../wording.ts'
import { sandboxCrumb, sandboxPath } from './sandbox.ts'

const listed = 40

export const requestsPage: Page = {
  path: /^\/sandbox\/requests$/,
  least: 'operator',
  room: 'Sandbox',
  isSandboxOnly: true,
  async render({ ask, query }) {
    const kind = query.get('kind') === 'provider' ? 'provider' : 'merchant'
    const { party, requests, next } = await ask(sandboxRequests, {
      party: query.get('party') ?? '',
      kind,
      ...filled({ cursor: query.get('cursor') ?? '' }),
      limit: listed,
    })
    const chosen = requests.find(({ id }) => id === query.get('request'))
    return {
      title: ({ sandbox }) => sandbox.requestsOf(party),
      crumb: [sandboxCrumb, { href: sandboxPath(kind, party), text: party }],
      ...(query.has('cursor') || chosen !== undefined ? {} : { liveSeconds: 5 }),
      blocks: [
        { kind: 'text', text: ({ sandbox }) => sandbox.requestsLead },
        ...(chosen === undefined ? [] : chosenRequest(chosen)),
        {
          kind: 'table',
          label: ({ sandbox }) => sandbox.requests,
          empty: ({ sandbox }) => sandbox.nothingAsked,
          isList: true,
          columns: [
            { label: ({ sandbox }) => sandbox.request },
            { label: ({ common }) => common.status, isRight: true },
            { label: ({ common }) => common.what, isCut: true },
            { label: ({ sandbox }) => sandbox.refused, isCut: true },
            { label: ({ common }) => common.key },
            { label: ({ common }) => common.at },
          ],
          rows: requests.map((one): Cell[] => [
            {
              text: shortId(one.id),
              title: one.id,
              isCode: true,
              href: linkTo('/sandbox/requests', query, { request: one.id }),
            },
            { text: String(one.status), tone: toneOf(one) },
            `${one.method} ${one.path}`,
            refusedCell(one),
            one.key,
            moment(one.at),
          ]),
        },
        {
          kind: 'next',
          href: next === null ? null : linkTo('/sandbox/requests', query, { cursor: next, request: '' }),
        },
      ],
    }
  },
}

function toneOf({ status }: RequestDocument): 'good' | 'bad' {
  return status < 400 ? 'good' : 'bad'
}

function refusedCell({ refused, mistake }: RequestDocument): Cell {
  if (mistake !== null) return told(mistake)
  return refused === null ? null : named(refused)
}

/** One of them, in full. */
function chosenRequest(one: RequestDocument): Block[] {
  const { clockOffsetSeconds: offset, differsAt, signedString, body } = one
  const lines: Said[] = [
    ...(differsAt === null
      ? []
      : [(({ sandbox }, view) => sandbox.differsAt(view.number(differsAt))) as Said]),
    ...(offset === null || Math.abs(offset) < 5
      ? []
      : [(({ sandbox }, view) => sandbox.clockOffset(view.number(offset))) as Said]),
  ]
  return [
    { kind: 'heading', text: ({ sandbox }) => sandbox.request },
    {
      kind: 'facts',
      items: [
        [({ common }) => common.what, { text: `${one.method} ${one.path}`, isCode: true, isLong: true }],
        [({ common }) => common.status, { text: String(one.status), tone: toneOf(one) }],
        [({ sandbox }) => sandbox.refused, refusedCell(one)],
        [({ common }) => common.key, { text: one.key, isCode: true }],
        [({ webhooks }) => webhooks.took, ({ webhooks }) => webhooks.ms(one.milliseconds)],
        ['Request-Id', { text: one.id, isCode: true, copy: true }],
      ],
    },
    ...(signedString === null ? [] : signedBlocks(signedString, lines)),
    ...(body === null || body === '' ? [] : sourceBlocks(({ webhooks }) => webhooks.body, body)),
  ]
}

function signedBlocks(signedString: string, lines: readonly Said[]): Block[] {
  return [
    ...sourceBlocks(({ sandbox }) => sandbox.signedString, signedString),
    ...lines.map((text): Block => ({ kind: 'text', text })),
  ]
}

function sourceBlocks(label: Said, text: string): Block[] {
  return [
    { kind: 'heading', text: label },
    { kind: 'source', label, text },
  ]
}
