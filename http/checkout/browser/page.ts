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
  // The groups are for the eye; what is pasted is the bare code.
  const shown = document.querySelector('.code')
  if (button.dataset.do === 'copy') void copy(button, (shown?.textContent ?? '').replace(/\s/g, ''), shown)
  if (button.dataset.do === 'copy-address') void copy(button, location.href, null)
})

/** @param shown where the text stands, for whoever has to copy it by hand */
async function copy(button: HTMLButtonElement, text: string, shown: Element | null): Promise<void> {
  if (!(await wrote(text, shown))) return
  const before = button.textContent
  button.textContent = button.dataset.done ?? before
  announce(button.textContent ?? '')
  setTimeout(() => {
    button.textContent = before
  }, 3_000)
}

/** In a frame the clipboard may be closed to us; what is selected can still be copied. */
async function wrote(text: string, shown: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    field.className = 'visually-hidden'
    document.body.append(field)
    field.select()
    const isCopied = document.execCommand('copy')
    field.remove()
    if (!isCopied && shown !== null) getSelection()?.selectAllChildren(shown)
    return isCopied
  }
}

function announce(text: string): void {
  const status = document.getElementById('announcement')
  if (status !== null) status.textContent = text
}

const refresh = followOrder(announce)
countDown(refresh)
