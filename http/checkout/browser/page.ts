/**
 * What makes the checkout page live. Nothing needs it: without scripts the page reloads itself, and the code can be
 * read, shown and printed all the same.
 */
import { countDown } from './countdown.ts'
import { followOrder } from './live.ts'

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('button') : null
  if (button === null) return
  if (button.dataset.do === 'print') window.print()
  if (button.dataset.do === 'copy') void copyCode(button)
})

/** The groups are for the eye; what is pasted is the bare code. */
async function copyCode(button: HTMLButtonElement): Promise<void> {
  const shown = document.querySelector('.code')
  if (shown === null) return
  const code = (shown.textContent ?? '').replace(/\s/g, '')
  if (!(await wrote(code, shown))) return
  const before = button.textContent
  button.textContent = button.dataset.done ?? before
  announce(button.textContent ?? '')
  setTimeout(() => {
    button.textContent = before
  }, 3_000)
}

/** In a frame the clipboard may be closed to us; what is selected can still be copied. */
async function wrote(code: string, shown: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = code
    field.className = 'visually-hidden'
    document.body.append(field)
    field.select()
    const isCopied = document.execCommand('copy')
    field.remove()
    if (!isCopied) getSelection()?.selectAllChildren(shown)
    return isCopied
  }
}

function announce(text: string): void {
  const status = document.getElementById('announcement')
  if (status !== null) status.textContent = text
}

const refresh = followOrder(announce)
countDown(refresh)
