/** Reading a blockchain again from a block on: first what would be recorded is shown, then it can be. */
import { chainLag } from '../../../actors/chains/operations.ts'
import { chainRescan, type RescanDocument } from '../../../actors/chains/rescan-operation.ts'
import type { Block } from '../blocks.ts'
import { code, money, time } from '../cells.ts'
import { formInput, formPath, oneOf, operationForm } from '../forms.ts'
import type { Action, Done, PageRequest } from '../page.ts'
import { named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'

const recordPath = `${formPath(chainRescan)}/record`

export async function rescanForms(request: PageRequest): Promise<Block[]> {
  const { chains } = await request.ask(chainLag, {})
  if (chains.length === 0) return []
  return operationForm(request, chainRescan, {
    title: (texts) => texts.rescan.readABlockchainAgain,
    lead: (texts) => texts.rescan.forWhatWasMissedWhat,
    button: (texts) => texts.rescan.look,
    fields: ['chain', 'from', 'endpoint'],
    adjusted: { chain: oneOf(chains.map(({ chain }) => chain)) },
  })
}

export const rescanActions: readonly Action[] = [
  {
    path: formPath(chainRescan),
    name: chainRescan.name,
    async run(request, values) {
      const read = await request.ask(chainRescan, {
        ...formInput(chainRescan, values, request.view.zone),
        dryRun: true,
      })
      return shown(read, [...linesOf(read), ...recordForms(request, read, values.endpoint ?? '')])
    },
  },
  {
    path: recordPath,
    name: chainRescan.name,
    async run({ ask, view }, values) {
      const read = await ask(chainRescan, { ...formInput(chainRescan, values, view.zone), dryRun: false })
      const credited = read.credited.map((id) => [{ text: id, href: `/orders/${id}`, isCode: true }])
      const orders: Block = {
        kind: 'table',
        label: (texts) => texts.rescan.ordersThatWereCredited,
        empty: (texts) => texts.rescan.noOrderWasCredited,
        columns: [{ label: (texts) => texts.common.order }],
        rows: credited,
      }
      return shown(read, [...linesOf(read), orders])
    },
  },
]

function shown({ chain, from, dryRun }: RescanDocument, blocks: readonly Block[]): Done {
  const title = ({ rescan }: Texts) =>
    dryRun
      ? rescan.whatWouldBeRecorded(chain.toLowerCase(), from)
      : rescan.whatWasRecorded(chain.toLowerCase(), from)
  return {
    kind: 'show',
    view: { title, crumb: { href: '/health', text: (texts) => texts.common.health }, blocks: [...blocks] },
  }
}

function linesOf({ found, isDone, next, dryRun }: RescanDocument): Block[] {
  const end =
    isDone || next === null
      ? (texts: Texts) => texts.rescan.itWasReadToThe
      : (texts: Texts) => texts.rescan.itWasReadToRead(next)
  return [
    { kind: 'text', text: end },
    {
      kind: 'table',
      label: dryRun ? (texts) => texts.rescan.notKnown : (texts) => texts.common.recorded,
      empty: (texts) => texts.rescan.everythingThatWasReadIs,
      columns: [
        { label: (texts) => texts.common.transaction },
        { label: (texts) => texts.rescan.inOrOut },
        { label: (texts) => texts.common.amount, isRight: true },
        { label: (texts) => texts.rescan.wallet },
        { label: (texts) => texts.rescan.block },
        { label: (texts) => texts.common.created },
      ],
      rows: found.map((one) => [
        code(one.transactionId),
        named(one.direction),
        money(one.amount, one.asset),
        code(one.wallet),
        one.height,
        time(one.at),
      ]),
    },
  ]
}

/** Asks for the same again; what has come since is recorded, too. */
function recordForms(
  request: PageRequest,
  { chain, from, found }: RescanDocument,
  endpoint: string,
): Block[] {
  if (found.length === 0) return []
  return operationForm(request, chainRescan, {
    action: recordPath,
    title: (texts) => texts.rescan.recordIt,
    lead: (texts) => texts.rescan.eachAsAnyChainDeposit,
    button: (texts) => texts.rescan.record,
    fields: [],
    hidden: { chain, from, ...(endpoint === '' ? {} : { endpoint }) },
  })
}
