/** Makes a history that goes wrong shorter: events are left out as long as it still goes wrong in the same way. */
import { type History, playHistory } from './history.ts'

/** The first words of a problem, without ids and numbers: what must stay the same. */
function kindOf({ problems }: Pick<History, 'problems'>): string | null {
  const [first] = problems
  return first === undefined
    ? null
    : (first.split('\n')[0] ?? '').replaceAll(/[0-9a-f-]{36}|\d+(\.\d+)?/g, '…')
}

/**
 * @param maxPlays histories that may be played for it
 * @returns the numbers of the events that are left
 */
export async function shrink(
  { seed, length }: { seed: number; length: number },
  maxPlays: number,
): Promise<{ only: number[]; history: History }> {
  let only = Array.from({ length }, (_, index) => index)
  let history = await playHistory({ seed, length })
  const kind = kindOf(history)
  if (kind === null) throw new Error(`Nothing goes wrong in the history of seed ${seed}.`)
  only = only.slice(0, history.counts.events)
  let plays = 0
  for (let size = Math.ceil(only.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < only.length && plays < maxPlays; ) {
      const fewer = [...only.slice(0, from), ...only.slice(from + size)]
      const tried = await playHistory({ seed, length, only: fewer })
      plays += 1
      if (kindOf(tried) === kind) {
        only = fewer
        history = tried
      } else from += size
    }
  }
  return { only, history }
}
