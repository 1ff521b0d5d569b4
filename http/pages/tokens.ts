/**
 * Design tokens: the one look of all pages. Quiet, fast, readable; every pair of text and background that is
 * used together has a contrast of at least 4.5 to 1, every border of a field at least 3 to 1 (WCAG 2.2 AA).
 */

/** Each pair is the value in the light and in the dark theme. */
export const colours = {
  page: ['#f4f4f1', '#111417'],
  surface: ['#ffffff', '#1b2025'],
  ink: ['#191d21', '#eceff1'],
  muted: ['#545c64', '#a9b3bb'],
  line: ['#dcded9', '#343b42'],
  field: ['#757d85', '#87919a'],
  accent: ['#0a5f4f', '#6fd3bb'],
  onAccent: ['#ffffff', '#0d2a24'],
  readySurface: ['#e0f2eb', '#12362e'],
  readyInk: ['#0b4f42', '#9fe3d0'],
  waitingSurface: ['#fbf0d5', '#3a2f14'],
  waitingInk: ['#664500', '#f2d08a'],
  busySurface: ['#e2ecfa', '#16304f'],
  busyInk: ['#17477f', '#a9cdf7'],
  doneSurface: ['#0a5f4f', '#1a5a4c'],
  doneInk: ['#ffffff', '#e4f7f1'],
  stoppedSurface: ['#fbe6e3', '#45201d'],
  stoppedInk: ['#86201a', '#f6b8b1'],
} as const satisfies Record<string, readonly [light: string, dark: string]>

export type Colour = keyof typeof colours

const sizes = {
  space1: '0.25rem',
  space2: '0.5rem',
  space3: '0.75rem',
  space4: '1rem',
  space5: '1.5rem',
  space6: '2rem',
  radius: '0.75rem',
  textSmall: '0.875rem',
  text: '1rem',
  textLarge: '1.25rem',
  textAmount: '2.25rem',
  textAmountLong: '1.5rem',
  textCode: '2.5rem',
  fontText: 'system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif',
  fontCode: 'ui-monospace, "SF Mono", "Roboto Mono", Menlo, Consolas, "Liberation Mono", monospace',
} as const

const kebab = (name: string): string => name.replace(/[A-Z0-9]+/g, (match) => `-${match.toLowerCase()}`)

function declarations(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `--${kebab(name)}: ${value};`)
    .join(' ')
}

const theme = (index: 0 | 1): string =>
  declarations(Object.fromEntries(Object.entries(colours).map(([name, pair]) => [name, pair[index]])))

/** Custom properties (`--surface`, `--space-4`, `--text-code` …) and what every element starts from. */
export const tokenStyles = `
:root { color-scheme: light dark; ${theme(0)} ${declarations(sizes)} }
@media (prefers-color-scheme: dark) { :root { ${theme(1)} } }
*, *::before, *::after { box-sizing: border-box; }
body, h1, h2, p, ol, dl, dd, figure { margin: 0; }
body {
  background: var(--page); color: var(--ink);
  font: var(--text)/1.5 var(--font-text); overflow-wrap: anywhere; -webkit-text-size-adjust: 100%;
}
a { color: var(--accent); text-underline-offset: 0.15em; }
a:focus-visible, button:focus-visible, input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.visually-hidden {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
  user-select: none;
}
`
