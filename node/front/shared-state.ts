/** What every thread of a node sees of the core at once, without asking: written by the core, before it tells anybody. */
export interface SharedState {
  readonly shared: SharedArrayBuffer
  /** Counts on after each commit, and those that have changed a reference table beside. */
  committed(isOfReference: boolean): void
  commits(): number
  /** Never ahead of the commits: whoever sees one more of these sees its commit, too. */
  referenceChanges(): number
  isDrained(): boolean
  mayExpire(): boolean
  set(conditions: { isDrained: boolean; mayExpire: boolean }): void
}

const cells = { commits: 0, isDrained: 1, mayExpire: 2, referenceChanges: 3 } as const

export function shareState(shared = new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT)): SharedState {
  const view = new Int32Array(shared)
  return {
    shared,
    committed(isOfReference) {
      Atomics.add(view, cells.commits, 1)
      if (isOfReference) Atomics.add(view, cells.referenceChanges, 1)
    },
    commits: () => Atomics.load(view, cells.commits),
    referenceChanges: () => Atomics.load(view, cells.referenceChanges),
    isDrained: () => Atomics.load(view, cells.isDrained) === 1,
    mayExpire: () => Atomics.load(view, cells.mayExpire) === 1,
    set({ isDrained, mayExpire }) {
      Atomics.store(view, cells.isDrained, isDrained ? 1 : 0)
      Atomics.store(view, cells.mayExpire, mayExpire ? 1 : 0)
    },
  }
}
