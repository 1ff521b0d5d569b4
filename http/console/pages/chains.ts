/** How far the blockchains have been read, and how far a verification has come: parts of the page of the node's health. */
import { chainLag } from '../../../actors/chains/operations.ts'
import { verifyProgress } from '../../../actors/verification/operations.ts'
import type { Block } from '../blocks.ts'
import { time } from '../cells.ts'
import type { PageRequest } from '../page.ts'

export async function chainBlocks({ ask }: PageRequest): Promise<Block[]> {
  const { chains } = await ask(chainLag, {})
  if (chains.length === 0) return []
  return [
    { kind: 'heading', text: 'Blockchains' },
    {
      kind: 'table',
      label: 'Blockchains',
      empty: '',
      columns: [
        { label: 'Chain' },
        { label: 'State' },
        { label: 'Read' },
        { label: 'Complete to' },
        { label: 'Behind', isRight: true },
      ],
      rows: chains.map((line) => [
        line.chain.toLowerCase(),
        line.problem === null
          ? { text: 'OK', tone: 'good' }
          : { text: 'look', tone: 'bad', note: line.problem },
        time(line.readAt),
        time(line.scannedTo),
        line.lagSeconds === null ? null : `${line.lagSeconds} s`,
      ]),
    },
  ]
}

export async function verificationNotice({ ask }: PageRequest): Promise<Block[]> {
  const { isRunning, done, total } = await ask(verifyProgress, {})
  if (!isRunning) return []
  const percent = total === 0 ? 0 : Math.floor((100 * done) / total)
  return [{ kind: 'text', text: `The database is being verified: ${percent} % so far.` }]
}
