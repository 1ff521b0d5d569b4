/** QR codes: what scanners and authenticators read. */
import { encode } from 'uqr'
import { html, type Markup } from './markup.ts'

/** Scanners want this much white around (ISO/IEC 18004). */
const quietZone = 4

/** A text as an inline SVG. Always dark on white, in the dark theme too: many scanners read nothing else. */
export function qrSvg(text: string, label: string): Markup {
  const { data } = encode(text.toWellFormed(), { ecc: 'M', border: quietZone })
  const runs = data.flatMap((cells, y) => {
    const line = cells.map((isDark) => (isDark ? '1' : '0')).join('')
    return [...line.matchAll(/1+/g)].map((run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`)
  })
  const size = data.length
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges">
<path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path fill="#000" d="${runs.join('')}"/></svg>`
}
