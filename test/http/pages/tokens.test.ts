import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { assets } from '../../../http/console/layout.ts'
import { type Colour, colours, tokenStyles } from '../../../http/pages/tokens.ts'

function luminance(colour: string): number {
  const channels = [1, 3, 5].map((start) => {
    const value = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  const [red = 0, green = 0, blue = 0] = channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((left, right) => right - left)
  return (light + 0.05) / (dark + 0.05)
}

const pairs: readonly [foreground: Colour, background: Colour, least: number][] = [
  ['ink', 'page', 4.5],
  ['ink', 'surface', 4.5],
  ['muted', 'page', 4.5],
  ['muted', 'surface', 4.5],
  ['accent', 'page', 4.5],
  ['accent', 'surface', 4.5],
  ['onAccent', 'accent', 4.5],
  ['readyInk', 'readySurface', 4.5],
  ['waitingInk', 'waitingSurface', 4.5],
  ['busyInk', 'busySurface', 4.5],
  ['doneInk', 'doneSurface', 4.5],
  ['stoppedInk', 'stoppedSurface', 4.5],
  ['stoppedInk', 'surface', 4.5],
  ['field', 'surface', 3],
  ['readyInk', 'surface', 3],
]

for (const [foreground, background, least] of pairs) {
  test(`${foreground} on ${background} has a contrast of at least ${least} in both themes`, () => {
    for (const theme of [0, 1] as const) {
      const found = contrast(colours[foreground][theme], colours[background][theme])
      assert.ok(found >= least, `${found.toFixed(2)} in theme ${theme}`)
    }
  })
}

test('a theme changes colours alone, so that one in which a page was looked at says the rest of the other', () => {
  const dark = /@media \(prefers-color-scheme: dark\) \{ :root \{ (.*) \} \}/.exec(tokenStyles)?.[1] ?? ''
  for (const declaration of dark.split('; ')) assert.match(declaration, /^--[a-z-]+: #[0-9a-f]{6};?$/)
  assert.is(dark.split('; ').length, Object.keys(colours).length)
  const asking = [...assets.values()].flatMap(
    ({ text }) => text.match(/prefers-color-scheme|light-dark/g) ?? [],
  )
  assert.equal(asking, ['prefers-color-scheme'])
})

test.run()
