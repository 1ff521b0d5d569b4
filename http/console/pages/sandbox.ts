/** A sandbox: how far each integration is, and what is to go wrong with the deliveries of a merchant. */
import { merchantList } from '../../../actors/parties/merchants.ts'
import { providerList } from '../../../actors/parties/providers.ts'
import { type GoLiveDocument, sandboxGoLive } from '../../../actors/sandbox/party-operations.ts'
import {
  type FaultDocument,
  sandboxFaults,
  sandboxInbox,
  sandboxRemoveFault,
  sandboxSetFault,
} from '../../../actors/sandbox/receiver-operations.ts'
import type { SampleFile } from '../../../actors/sandbox/sample-file.ts'
import { sandboxSampleReport, sandboxSampleStatement } from '../../../actors/sandbox/sample-operations.ts'
import { formatInstant } from '../../../machines/time.ts'
import type { Block, Cell, Text } from '../blocks.ts'
import { orderLink, partyNameIn, partyPath, time, titleOf } from '../cells.ts'
import { operationAction, operationForm } from '../forms.ts'
import type { Action, Done, Page, PageRequest } from '../page.ts'
import { named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import type { Said } from '../view.ts'
import { told } from '../wording.ts'
import { sandboxClockBlocks } from './sandbox-clock.ts'

/** The page of a party's integration. */
export function sandboxPath(kind: 'merchant' | 'provider', name: string): string {
  return `/sandbox${partyPath(kind, name)}`
}

/** From the page of a party. */
export function integrationLink(
  { mode }: Pick<PageRequest, 'mode'>,
  { kind, name }: { kind: 'merchant' | 'provider'; name: string },
): Text[] {
  return mode === 'sandbox' ? [{ text: ({ sandbox }) => sandbox.goLive, href: sandboxPath(kind, name) }] : []
}

export const sandboxCrumb = { href: '/sandbox', text: (({ sandbox }) => sandbox.sandbox) as Said }

export const sandboxPage: Page = {
  path: /^\/sandbox$/,
  least: 'viewer',
  room: 'Sandbox',
  isSandboxOnly: true,
  async render(request) {
    const { ask } = request
    const { merchants } = await ask(merchantList, {})
    const { providers } = await ask(providerList, {})
    const parties = [
      ...merchants.map(({ name }) => ({ name, kind: 'merchant' as const })),
      ...providers.map(({ name }) => ({ name, kind: 'provider' as const })),
    ]
    const checked = await Promise.all(
      parties.map(async ({ name, kind }) => ask(sandboxGoLive, { party: name, kind })),
    )
    return {
      title: ({ sandbox }) => sandbox.sandbox,
      blocks: [
        { kind: 'text', text: ({ sandbox }) => sandbox.lead },
        {
          kind: 'table',
          label: ({ sandbox }) => sandbox.goLive,
          empty: ({ drafts }) => drafts.addOneOrApply,
          columns: [
            { label: ({ common }) => common.name },
            { label: ({ common }) => common.kind },
            { label: ({ sandbox }) => sandbox.goLive, isRight: true },
            { label: ({ sandbox }) => sandbox.requests },
          ],
          rows: checked.map((one) => [
            { text: one.party, href: sandboxPath(one.kind, one.party), ...titleOf(one.party) },
            named(one.kind),
            {
              text: ofSteps(one),
              href: sandboxPath(one.kind, one.party),
              tone: one.done === one.steps.length ? 'good' : 'waiting',
            },
            { text: ({ sandbox }) => sandbox.requests, href: requestsHref(one.kind, one.party) },
          ]),
        },
        ...(await sandboxClockBlocks(request)),
        ...sampleForms(request),
      ],
    }
  },
}

/** Files to try reconciliation out with. */
function sampleForms(request: PageRequest): Block[] {
  return [
    ...operationForm(request, sandboxSampleReport, {
      title: ({ sandbox }) => sandbox.sampleReport,
      lead: ({ sandbox }) => sandbox.sampleReportLead,
      button: ({ sandbox }) => sandbox.download,
      fields: ['network', 'day'],
      adjusted: { day: { type: 'date', value: formatInstant(request.now).slice(0, 10) } },
    }),
    ...operationForm(request, sandboxSampleStatement, {
      title: ({ sandbox }) => sandbox.sampleStatement,
      lead: ({ sandbox }) => sandbox.sampleStatementLead,
      button: ({ sandbox }) => sandbox.download,
      fields: ['bank'],
    }),
  ]
}

function fileOf({ name, type, text, encoding }: SampleFile): Done {
  return { kind: 'file', name, type, bytes: Buffer.from(text, encoding) }
}

export const sandboxActions: readonly Action[] = [
  operationAction(sandboxSampleReport, fileOf),
  operationAction(sandboxSampleStatement, fileOf),
]

function requestsHref(kind: string, party: string): string {
  return `/sandbox/requests?${new URLSearchParams({ kind, party })}`
}

const ofSteps =
  ({ done, steps }: GoLiveDocument): Said =>
  ({ sandbox }, view) =>
    sandbox.ofSteps(view.number(done), view.number(steps.length))

export const integrationPage: Page = {
  path: /^\/sandbox\/(?<kind>merchant|provider)s\/(?<name>[^/]{1,300})$/,
  least: 'viewer',
  room: 'Sandbox',
  isSandboxOnly: true,
  async render(request) {
    const { ask, params } = request
    const kind = params.kind === 'provider' ? 'provider' : 'merchant'
    const checked = await ask(sandboxGoLive, { party: partyNameIn(params.name), kind })
    return {
      title: checked.party,
      crumb: sandboxCrumb,
      liveSeconds: 5,
      blocks: [
        {
          kind: 'links',
          items: [
            { text: ({ common }) => common[kind], href: partyPath(kind, checked.party) },
            ...(request.may({ name: 'sandbox.requests' })
              ? [
                  {
                    text: (({ sandbox }) => sandbox.requests) as Said,
                    href: requestsHref(kind, checked.party),
                  },
                ]
              : []),
            ...(kind === 'merchant' && request.may(sandboxInbox) ? receiverLinks(checked.party) : []),
          ],
        },
        ...stepsOf(checked),
        ...(kind === 'merchant' ? await receiversOf(request, checked.party) : []),
      ],
    }
  },
}

function receiverLinks(merchant: string): Text[] {
  const query = new URLSearchParams({ merchant })
  return [
    { text: ({ sandbox }) => sandbox.deliveries, href: `/sandbox/deliveries?${query}` },
    { text: ({ sandbox }) => sandbox.inbox, href: `/sandbox/inbox?${query}` },
  ]
}

function stepsOf({ done, steps }: GoLiveDocument): Block[] {
  return [
    {
      kind: 'heading',
      text: ({ sandbox }) => sandbox.goLive,
      note: ({ sandbox }, view) => sandbox.stepsDone(view.number(done), view.number(steps.length)),
    },
    {
      kind: 'explained',
      items: steps.map(({ what, how, done: at, evidence }) => ({
        name: told(what),
        value:
          at === null
            ? { text: ({ sandbox }) => sandbox.notYet, tone: 'waiting' }
            : { text: ({ sandbox }, view) => sandbox.doneSince(view.time(at)), tone: 'good' },
        lines: at === null ? [told(how)] : [evidenceCell(evidence)],
      })),
    },
  ]
}

/** `order …, webhook …`, `ping …` or `request …`. */
function evidenceCell(evidence: string | null): Cell {
  const webhook = /^order \S+, webhook (\S+)$/.exec(evidence ?? '')?.[1]
  if (webhook !== undefined) return { text: evidence ?? '', href: `/webhooks/${webhook}`, isLong: true }
  const request = /^request (\S+)$/.exec(evidence ?? '')?.[1]
  if (request !== undefined) {
    return { text: ({ sandbox }) => `${sandbox.request} ${request}`, isLong: true }
  }
  return evidence === null ? null : { text: evidence, isLong: true }
}

/** What is to go wrong with its deliveries. */
async function receiversOf(request: PageRequest, merchant: string): Promise<Block[]> {
  const { faults } = await request.ask(sandboxFaults, { merchant })
  return [
    { kind: 'heading', text: ({ sandbox }) => sandbox.faults },
    {
      kind: 'table',
      label: ({ sandbox }) => sandbox.faults,
      empty: ({ sandbox }) => sandbox.noFaults,
      columns: [
        { label: ({ sandbox }) => sandbox.fault },
        { label: ({ common }) => common.order },
        { label: ({ sandbox }) => sandbox.left, isRight: true },
        { label: ({ common }) => common.by },
        { label: ({ common }) => common.created },
      ],
      rows: faults.map((fault): Cell[] => [
        faultCell(fault),
        fault.order === null ? ({ sandbox }) => sandbox.allOrders : orderLink(fault.order),
        String(fault.deliveriesLeft),
        named(fault.by),
        time(fault.created),
      ]),
    },
    ...operationForm(request, sandboxSetFault, {
      title: ({ sandbox }) => sandbox.setFault,
      lead: ({ sandbox }) => sandbox.setFaultLead,
      button: ({ sandbox }) => sandbox.setIt,
      fields: ['fault', 'deliveries', 'status', 'seconds', 'order'],
      hidden: { merchant },
    }),
    ...faults.flatMap((fault) =>
      operationForm(request, sandboxRemoveFault, {
        title: (texts, view) => `${texts.sandbox.remove}: ${faultCell(fault)(texts, view)}`,
        button: ({ sandbox }) => sandbox.remove,
        fields: [],
        hidden: { id: fault.id },
      }),
    ),
  ]
}

function faultCell({ fault, status, seconds }: FaultDocument): Said {
  const rest = status ?? (seconds === null ? null : `${seconds} s`)
  return (texts) => [faultName(texts, fault), ...(rest === null ? [] : [rest])].join(' ')
}

export function faultName({ sandbox: { faultNames } }: Texts, fault: string): string {
  const names: Readonly<Record<string, string>> = faultNames
  return names[fault] ?? fault
}
