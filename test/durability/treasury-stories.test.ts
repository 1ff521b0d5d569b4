/**
 * Random stories of each chain's treasury, replayable by their seeds: `node <this file> STORIES CHAIN SEED` tells more
 * of one chain; `npm run soak -- treasuries` tells ten thousand of each. Every day a few that were worth it are told.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Blockchain,
  type BlockchainFamily,
  blockchainFacts,
  blockchains,
} from '../../machines/blockchains.ts'
import { type StoryEnd, tellStory } from './treasury-story.ts'

const [stories = '8', only, firstSeed = '1'] = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const isSoak = only !== undefined

/** What an operator has dismissed is found afterwards in 108 of Stellar, and in 970 and 2262 of Monad. */
const everyday: Readonly<Record<BlockchainFamily, readonly number[]>> = {
  solana: [1, 2, 3],
  stellar: [1, 108],
  evm: [970, 2262],
}

function seedsOf(blockchain: Blockchain): readonly number[] {
  if (!isSoak) return everyday[blockchainFacts[blockchain].family]
  return Array.from({ length: Number(stories) }, (_, count) => Number(firstSeed) + count)
}

for (const blockchain of blockchains) {
  if (isSoak && only !== blockchain && only !== 'all') continue
  test(`treasury, chain deposits, refunds and ledger of ${blockchain} agree, or somebody is told`, async () => {
    const startedAt = performance.now()
    const ends: StoryEnd['figures'][] = []
    const failed: string[] = []
    for (const [count, seed] of seedsOf(blockchain).entries()) {
      const end = await tellStory(blockchain, seed).catch((error: unknown) => ({
        problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
        figures: null,
      }))
      if (end.figures !== null) ends.push(end.figures)
      if (end.problems.length > 0) failed.push(`seed ${seed}: ${end.problems.join('; ')}`)
      if (isSoak && failed.length > 0 && failed.length <= 20 && end.problems.length > 0)
        console.log(failed.at(-1))
      if (isSoak && count % 500 === 499)
        console.log(`${blockchain}: ${count + 1} told, ${failed.length} failed`)
    }
    if (isSoak) report(blockchain, ends, failed.length, performance.now() - startedAt)
    assert.equal(failed.slice(0, 10), [])
  })
}

function report(blockchain: string, ends: readonly StoryEnd['figures'][], failed: number, ms: number): void {
  const sum = (of: (end: StoryEnd['figures']) => number) => ends.reduce((total, end) => total + of(end), 0)
  const settled = ends.map(({ settledMs }) => settledMs / 1000).toSorted((a, b) => a - b)
  const at = (part: number) => settled[Math.floor(part * (settled.length - 1))] ?? 0
  console.log(
    `${blockchain}: ${ends.length} stories in ${Math.round(ms / 1000)} s, ${failed} failed; ` +
      `${sum((end) => end.movements)} movements, ${sum((end) => end.faults)} faults, ` +
      `${sum((end) => end.restarts)} restarts; ${sum((end) => end.told)} differences told, ` +
      `${sum((end) => end.foundAgain)} of them found again; after the last fault all agreed within ` +
      `${at(0.5)} s (half), ${at(0.99)} s (99 %), ${at(1)} s (all)`,
  )
}

test.run()
