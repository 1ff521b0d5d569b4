/**
 * What makes the console nicer where scripts run; nothing needs it. Parts of a page that only show something are
 * asked for anew while somebody looks, and a form is sent once however often it is clicked.
 */

function keepLive(main: HTMLElement): void {
  const refreshQuietly = () => void refresh().catch(() => {})
  setInterval(refreshQuietly, Number(main.dataset.liveSeconds) * 1000)
  document.addEventListener('visibilitychange', refreshQuietly)
}

async function refresh(): Promise<void> {
  if (document.hidden) return
  // It says that nobody asked, so that a page left open does not keep its session alive.
  const answer = await fetch(location.href, { headers: { 'Live-Refresh': '1' }, redirect: 'manual' })
  if (answer.status === 401 || answer.type === 'opaqueredirect') return location.reload()
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const parts = [...document.querySelectorAll('[data-live]')]
  const others = [...fresh.querySelectorAll('[data-live]')]
  // Another number of parts is another page, which the reader asks for when they like.
  if (parts.length !== others.length) return
  parts.forEach((part, index) => {
    replaceChanged(part, others[index])
  })
  replaceChanged(document.querySelector('nav.rooms'), fresh.querySelector('nav.rooms'))
}

function replaceChanged(part: Element | null, other: Element | null | undefined): void {
  if (part === null || other === null || other === undefined) return
  if (part.innerHTML !== other.innerHTML && !isInUse(part)) part.replaceWith(other)
}

/** Somebody is about to follow a link in it, or to copy from it. */
function isInUse(part: Element): boolean {
  const selection = getSelection()
  const isSelected = selection !== null && !selection.isCollapsed && part.contains(selection.anchorNode)
  return part.contains(document.activeElement) || isSelected
}

const main = document.querySelector<HTMLElement>('main[data-live-seconds]')
if (main !== null) keepLive(main)

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

document.querySelector('nav.rooms [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
