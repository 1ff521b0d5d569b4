/** Warns before the session ends for want of a request. Another page of it may have asked meanwhile, so the node says how long it lives. */
import { textOf } from './texts.ts'

const warnMs = 2 * 60_000
const idlePath = '/account/idle'

export function watchIdle(): void {
  const { idleMs } = document.body.dataset
  if (idleMs !== undefined) wait(Number(idleMs))
}

function wait(leftMs: number): void {
  setTimeout(() => void look(), Math.max(leftMs - warnMs, 1_000))
}

async function look(): Promise<void> {
  // It says that nobody asked, so that looking does not keep the session alive.
  const leftMs = await left({ 'Live-Refresh': '1' })
  if (leftMs === 0) return location.reload()
  if (leftMs > warnMs + 1_000) return wait(leftMs)
  warn(leftMs)
}

async function left(headers: Record<string, string>): Promise<number> {
  try {
    const answer = await fetch(idlePath, { headers, redirect: 'manual' })
    if (!answer.ok) return 0
    const { idleMs }: { idleMs?: unknown } = await answer.json()
    return typeof idleMs === 'number' ? idleMs : 0
  } catch {
    // Without a connection nobody knows: it is asked again.
    return warnMs + 60_000
  }
}

function warn(leftMs: number): void {
  const line = document.createElement('p')
  line.className = 'notice waiting idle'
  line.setAttribute('role', 'alert')
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'quiet'
  button.textContent = textOf('stay')
  line.append(`${textOf('idle')} `, button)
  document.querySelector('main')?.before(line)
  // A moment behind its end: the node knows then that it has ended.
  const end = setTimeout(() => void look(), leftMs + 1_000)
  button.addEventListener('click', () => {
    clearTimeout(end)
    line.remove()
    void left({}).then(wait)
  })
}
