/** The same endpoints with another one preferred: whoever counts asks each of them in its turn. */
export function inTurn<Url>(urls: readonly Url[], turn: number): readonly Url[] {
  const first = turn % urls.length
  return [...urls.slice(first), ...urls.slice(0, first)]
}
