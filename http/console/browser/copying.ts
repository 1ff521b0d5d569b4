/** A button beside each text that people carry elsewhere. */

import { textOf } from './texts.ts'

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
    button.textContent = textOf('copy')
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
