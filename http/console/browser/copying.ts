/** A button beside each text that people carry elsewhere. */

import { textOf } from './texts.ts'

/** Two sheets, one on the other. */
const icon =
  '<svg width="14" height="14" viewBox="0 0 14 14" fill="none" stroke="currentColor" stroke-width="1.4" aria-hidden="true">' +
  '<rect x="4.7" y="4.7" width="8.2" height="8.2" rx="1.6"/><path d="M9.3 4.7V2.6a1.6 1.6 0 0 0-1.6-1.6H2.6A1.6 1.6 0 0 0 1 2.6v5.1a1.6 1.6 0 0 0 1.6 1.6h2.1"/></svg>'

/** As long as it says that it is copied. */
const saidMs = 1500

export function addCopyButtons(main: HTMLElement): void {
  // Without TLS a browser has no clipboard for pages but those of its own machine.
  if (!('clipboard' in navigator)) return
  for (const element of main.querySelectorAll<HTMLElement>('[data-copy]')) {
    const place = element.closest('a') ?? element
    if (place.nextElementSibling?.classList.contains('copy')) continue
    place.after(buttonFor(element))
  }
}

function buttonFor(element: HTMLElement): HTMLButtonElement {
  const button = document.createElement('button')
  const what = element.closest('div')?.querySelector('dt')?.textContent ?? textOf('it')
  const idle = () => {
    button.innerHTML = icon
    button.title = textOf('copy')
    button.setAttribute('aria-label', `${textOf('copy')}: ${what}`)
  }
  button.type = 'button'
  button.className = 'copy'
  idle()
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(element.dataset.copy ?? '').then(
      () => say(textOf('copied')),
      () => say(textOf('notCopied')),
    )
  })
  const say = (text: string) => {
    button.textContent = text
    button.setAttribute('aria-label', `${text}: ${what}`)
    setTimeout(idle, saidMs)
  }
  return button
}
