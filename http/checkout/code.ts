/** The code as people read it. */

const largestGroup = 4

/** Groups of three or four, as even as can be, the larger first: `1234 5678 9012 345`. */
export function groupCode(code: string): string[] {
  const count = Math.ceil(code.length / largestGroup)
  const groups: string[] = []
  let rest = code
  for (let left = count; left > 0; left--) {
    const size = Math.ceil(rest.length / left)
    groups.push(rest.slice(0, size))
    rest = rest.slice(size)
  }
  return groups
}
