/** How far the blockchains have been read, and how far a verification has come: parts of the page of the node's health. */
import { chainLag } from '../../../actors/chains/operations.ts'
import { verifyProgress } from '../../../actors/verification/operations.ts'
import type { Block } from '../blocks.ts'
import { time } from '../cells.ts'
import type { PageRequest } from '../page.ts'
import { told } from '../wording.ts'

export async function chainBlocks({ ask }: PageRequest): Promise<Block[]> {
  const { chains } = await ask(chainLag, {})
  if (chains.length === 0) return []
  return [
    { kind: 'heading', text: (texts) => texts.chains.blockchains },
    {
      kind: 'table',
      label: (texts) => texts.chains.blockchains,
      empty: '',
      columns: [
        { label: (texts) => texts.common.chain },
        { label: (texts) => texts.common.state },
        { label: (texts) => texts.chains.read },
        { label: (texts) => texts.chains.completeTo },
        { label: (texts) => texts.chains.behind, isRight: true },
      ],
      rows: chains.map((line) => [
        line.chain.toLowerCase(),
        line.problem === null
          ? { text: (texts) => texts.common.ok, tone: 'good' }
          : { text: (texts) => texts.common.look, tone: 'bad', note: told(line.problem) },
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
  return [{ kind: 'text', text: (texts) => texts.chains.theDatabaseIsBeingVerified(percent) }]
}
