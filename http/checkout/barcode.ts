/** Code 128 (ISO/IEC 15417): the one barcode that every till's scanner reads, with two digits in each symbol. */
import { html, type Markup } from '../pages/markup.ts'

/** Widths of bars and spaces in turn, by the symbol's value; the last one is the stop. */
const symbols = (
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 ' +
  '113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 ' +
  '212123 212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 ' +
  '113123 113321 133121 313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 ' +
  '314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 ' +
  '241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 ' +
  '214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214 ' +
  '211232 2331112'
).split(' ')

const startB = 104
const startC = 105
const toB = 100
const stop = 106

/** What set B writes a character as; the codes are printable ASCII. */
const inB = (character: string): number => character.charCodeAt(0) - 32

/** Pairs of digits in set C, a digit that is left over in set B; anything else wholly in set B. */
function valuesOf(code: string): number[] {
  if (!/^\d{2,}$/.test(code)) return [startB, ...[...code].map(inB)]
  const pairs = (code.match(/\d\d/g) ?? []).map(Number)
  const rest = code.length % 2 === 0 ? [] : [toB, inB(code.slice(-1))]
  return [startC, ...pairs, ...rest]
}

/** Scanners want this much white beside it. */
const quietZone = 10

/** The bare code as an inline SVG, dark on white in both themes. */
export function barcodeSvg(code: string, label: string): Markup {
  const values = valuesOf(code)
  const check = values.reduce((sum, value, index) => sum + value * Math.max(index, 1), 0) % 103
  let x = quietZone
  let bars = ''
  for (const value of [...values, check, stop]) {
    for (const [index, width] of [...(symbols[value] ?? '')].entries()) {
      if (index % 2 === 0) bars += `M${x} 0h${width}v1h-${width}z`
      x += Number(width)
    }
  }
  const width = x + quietZone
  return html`<svg class="barcode" viewBox="0 0 ${width} 1" preserveAspectRatio="none" role="img" aria-label="${label}"
shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${width}v1h-${width}z"/><path fill="#000" d="${bars}"/></svg>`
}
