/** The code as people and scanners read it. */
import { encode } from 'uqr'
import { html, type Markup } from '../pages/markup.ts'

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

/** Scanners want this much white around (ISO/IEC 18004). */
const quietZone = 4

/** The bare code as an inline SVG. Always dark on white, in the dark theme too: many scanners read nothing else. */
export function qrSvg(code: string, label: string): Markup {
  const { data } = encode(code, { ecc: 'M', border: quietZone })
  const runs = data.flatMap((cells, y) => {
    const line = cells.map((isDark) => (isDark ? '1' : '0')).join('')
    return [...line.matchAll(/1+/g)].map((run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`)
  })
  const size = data.length
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges">
<path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path fill="#000" d="${runs.join('')}"/></svg>`
}
