/**
 * Whether calls that overlap could have happened one after the other, each at one moment between its beginning and its answer:
 * an exact search (Wing and Gong, with the memory that Lowe added to it). It imports nothing.
 */

export interface Call<Input, Output> {
  input: Input
  /** `null`: whether it was done, and with what answer, is not known; then it may also never have been done. */
  output: Output | null
  /** In any order of moments that is everybody's; the answer of a call is never at the moment at which another begins. */
  beganAt: number
  /** `Infinity` where it was never answered. */
  endedAt: number
}

/** What one thing does that is asked by one caller at a time. */
export interface Sequential<State, Input, Output> {
  initial: State
  /** The states it may be in after it has answered so; none where it would not have. `null` is any answer. */
  step(state: State, input: Input, output: Output | null): readonly State[]
  /** Two states with the same key are the same. */
  key(state: State): string
}

/** @returns false only where no order of the calls explains all answers */
export function isLinearizable<State, Input, Output>(
  model: Sequential<State, Input, Output>,
  calls: readonly Call<Input, Output>[],
): boolean {
  const sorted = calls.toSorted((a, b) => a.beganAt - b.beganAt)
  const mustBe = sorted.filter(({ output }) => output !== null).length
  const seen = new Set<string>()
  /** A bit for each call that is done. */
  let done = 0n
  const isDone = (index: number) => ((done >> BigInt(index)) & 1n) === 1n

  /** @param first all calls before it are done */
  function goOn(state: State, first: number, left: number): boolean {
    if (left === 0) return true
    const place = `${done.toString(36)} ${model.key(state)}`
    if (seen.has(place)) return false
    seen.add(place)
    let firstEnd = Number.POSITIVE_INFINITY
    for (let index = first; index < sorted.length; index++) {
      const call = sorted[index]
      if (call === undefined || call.beganAt > firstEnd) break
      if (!isDone(index)) firstEnd = Math.min(firstEnd, call.endedAt)
    }
    for (let index = first; index < sorted.length; index++) {
      const call = sorted[index]
      // Whoever began after another was answered came after it.
      if (call === undefined || call.beganAt > firstEnd) break
      if (isDone(index)) continue
      done |= 1n << BigInt(index)
      let next = first
      while (isDone(next)) next += 1
      for (const after of model.step(state, call.input, call.output)) {
        // What was never answered and changes nothing may as well not have been done.
        if (call.output === null && model.key(after) === model.key(state)) continue
        if (goOn(after, next, call.output === null ? left : left - 1)) return true
      }
      done &= ~(1n << BigInt(index))
    }
    return false
  }

  return goOn(model.initial, 0, mustBe)
}
