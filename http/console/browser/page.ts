/**
 * What makes the console nicer where scripts run; nothing needs it. A page is asked for anew while somebody looks, times are told
 * as how long ago they were, and a form is sent once however often it is clicked.
 */
import { enhance } from './enhance.ts'
import { watchIdle } from './idle.ts'
import { keepLive } from './live.ts'
import { openPanel } from './panel.ts'
import { improveSearch } from './searching.ts'
import { setNow } from './times.ts'
import { forgetTold } from './toast.ts'

improveSearch()
forgetTold()
watchIdle()
openPanel()
setNow(document.body.dataset.now)
const main = document.querySelector<HTMLElement>('main')
if (main !== null) {
  if (main.dataset.liveSeconds !== undefined) keepLive(main)
  enhance(main)
}

document.addEventListener('submit', ({ target }) => {
  if (!(target instanceof HTMLFormElement) || target.method !== 'post') return
  const button = target.querySelector('button')
  // A button that is disabled before the form is on its way would not be sent with it.
  setTimeout(() => button?.setAttribute('disabled', ''))
})

// A page that the browser had kept is as it was left.
addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[disabled]'))
    button.disabled = false
})
