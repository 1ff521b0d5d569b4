/** Reading a blockchain again from a block on: first what would be recorded is shown, then it can be. */
import { chainLag } from '../../../actors/chains/operations.ts'
import { chainRescan, type RescanDocument } from '../../../actors/chains/rescan-operation.ts'
import type { Block } from '../blocks.ts'
import { code, money, time } from '../cells.ts'
import { formInput, formPath, oneOf, operationForm } from '../forms.ts'
import type { Action, Done, PageRequest } from '../page.ts'

const recordPath = `${formPath(chainRescan)}/record`

export async function rescanForms(request: PageRequest): Promise<Block[]> {
  const { chains } = await request.ask(chainLag, {})
  if (chains.length === 0) return []
  return operationForm(request, chainRescan, {
    title: 'Read a blockchain again',
    lead: 'For what was missed. What would be recorded is shown first, and nothing is recorded by that.',
    button: 'Look',
    fields: ['chain', 'from', 'endpoint'],
    adjusted: { chain: oneOf(chains.map(({ chain }) => chain)) },
  })
}

export const rescanActions: readonly Action[] = [
  {
    path: formPath(chainRescan),
    name: chainRescan.name,
    async run(request, values) {
      const read = await request.ask(chainRescan, { ...formInput(chainRescan, values), dryRun: true })
      return shown(read, [...linesOf(read), ...recordForms(request, read, values.endpoint ?? '')])
    },
  },
  {
    path: recordPath,
    name: chainRescan.name,
    async run({ ask }, values) {
      const read = await ask(chainRescan, { ...formInput(chainRescan, values), dryRun: false })
      const credited = read.credited.map((id) => [{ text: id, href: `/orders/${id}`, isCode: true }])
      const orders: Block = {
        kind: 'table',
        label: 'Orders that were credited',
        empty: 'No order was credited.',
        columns: [{ label: 'Order' }],
        rows: credited,
      }
      return shown(read, [...linesOf(read), orders])
    },
  },
]

function shown({ chain, from, dryRun }: RescanDocument, blocks: readonly Block[]): Done {
  const what = dryRun ? 'What would be recorded' : 'What was recorded'
  const title = `${what} of ${chain.toLowerCase()} from ${from} on`
  return { kind: 'show', view: { title, crumb: { href: '/health', text: 'Health' }, blocks: [...blocks] } }
}

function linesOf({ found, isDone, next, dryRun }: RescanDocument): Block[] {
  const end = isDone
    ? 'It was read to the last final block.'
    : `It was read to ${next}: read on from there for the rest.`
  return [
    { kind: 'text', text: end },
    {
      kind: 'table',
      label: dryRun ? 'Not known' : 'Recorded',
      empty: 'Everything that was read is on record.',
      columns: [
        { label: 'Transaction' },
        { label: 'In or out' },
        { label: 'Amount', isRight: true },
        { label: 'Wallet' },
        { label: 'Block' },
        { label: 'Created' },
      ],
      rows: found.map((one) => [
        code(one.transactionId),
        one.direction,
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
    title: 'Record it',
    lead: 'Each as any chain deposit or outflow: orders are credited, and what fits none is an exception.',
    button: 'Record',
    fields: [],
    hidden: { chain, from, ...(endpoint === '' ? {} : { endpoint }) },
  })
}
