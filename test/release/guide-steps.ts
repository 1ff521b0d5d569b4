/**
 * A guide as something that can be walked: its blocks `console` are what root types on the host after `# `, and below each
 * what it prints; its blocks `json FILE` are files that somebody writes there. `…` in a line stands for any text, alone in a
 * line for any lines. Blocks of other kinds (`sh`) are for other machines or another day, and are not walked.
 */

export type GuideStep =
  | { kind: 'file'; line: number; name: string; text: string }
  | { kind: 'command'; line: number; command: string; expected: readonly string[] }

const fence = /^```(\S*) ?(.*)$/

/** In the order of the page; `line` counts from 1. @throws Error on a block that cannot be walked */
export function guideSteps(page: string): GuideStep[] {
  const steps: GuideStep[] = []
  const lines = page.split('\n')
  for (let index = 0; index < lines.length; index++) {
    const opened = fence.exec(lines[index] ?? '')
    if (opened === null) continue
    const begin = index + 1
    index = lines.indexOf('```', begin)
    if (index < 0) throw new Error(`line ${begin}: the block does not end`)
    const body = lines.slice(begin, index)
    const [, kind, name = ''] = opened
    if (kind === 'json' && name !== '')
      steps.push({ kind: 'file', line: begin, name, text: `${body.join('\n')}\n` })
    if (kind === 'console') steps.push(...commandsOf(body, begin + 1))
  }
  return steps
}

function commandsOf(body: readonly string[], first: number): GuideStep[] {
  const steps: (GuideStep & { kind: 'command'; expected: string[] })[] = []
  let isGoingOn = false
  for (const [index, text] of body.entries()) {
    const last = steps.at(-1)
    if (isGoingOn && last !== undefined) last.command += `\n${text}`
    else if (text.startsWith('# '))
      steps.push({ kind: 'command', line: first + index, command: text.slice(2), expected: [] })
    else if (last === undefined) throw new Error(`line ${first + index}: nobody has typed what prints this`)
    else last.expected.push(text)
    isGoingOn = text.endsWith('\\') && (isGoingOn || text.startsWith('# '))
  }
  return steps
}

/** Whether what was printed is what the page says; blanks at the ends of lines are nobody's business. */
export function isAsSaid(expected: readonly string[], printed: readonly string[]): boolean {
  const [line, ...rest] = expected
  if (line === undefined) return printed.length === 0
  if (line.trim() === '…') {
    for (let skipped = 0; skipped <= printed.length; skipped++)
      if (isAsSaid(rest, printed.slice(skipped))) return true
    return false
  }
  const [first, ...others] = printed
  return first !== undefined && isLike(line, first) && isAsSaid(rest, others)
}

/** The page may cut blanks of a column whose width depends on what is in it: any number of blanks is like another. */
function isLike(line: string, printed: string): boolean {
  const parts = line
    .trim()
    .split('…')
    .map((part) => part.replaceAll(/\s+/g, ' ').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 'u').test(printed.trim().replaceAll(/\s+/g, ' '))
}

/** Of what a command has printed, the lines; without the empty ones at its end. */
export function linesOf(text: string): string[] {
  return text
    .replace(/\s+$/, '')
    .split('\n')
    .filter((line, index, all) => line !== '' || index < all.length - 1)
}
