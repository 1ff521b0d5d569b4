/**
 * What makes the console nicer where scripts run; nothing needs it. Parts of a page that only show something are
 * asked for anew while somebody looks, and a form is sent once however often it is clicked.
 *
 * The request says that nobody asked for it, so that a page left open does not keep its session alive.
 */
export const consoleScript = `'use strict'
;(() => {
  const main = document.querySelector('main[data-live-seconds]')
  const isBusy = (part) => {
    const selection = getSelection()
    return part.contains(document.activeElement) || (selection && !selection.isCollapsed && part.contains(selection.anchorNode))
  }
  async function refresh() {
    if (document.hidden) return
    const answer = await fetch(location.href, { headers: { 'Live-Refresh': '1' }, redirect: 'manual' })
    if (answer.status === 401 || answer.type === 'opaqueredirect') return location.reload()
    if (!answer.ok) return
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const parts = [...document.querySelectorAll('[data-live]')]
    const others = [...fresh.querySelectorAll('[data-live]')]
    if (parts.length !== others.length) return
    parts.forEach((part, index) => {
      if (part.innerHTML !== others[index].innerHTML && !isBusy(part)) part.replaceWith(others[index])
    })
    const rooms = document.querySelector('nav.rooms'), other = fresh.querySelector('nav.rooms')
    if (rooms && other && rooms.innerHTML !== other.innerHTML && !isBusy(rooms)) rooms.replaceWith(other)
  }
  if (main) {
    const seconds = Number(main.dataset.liveSeconds)
    setInterval(() => refresh().catch(() => {}), seconds * 1000)
    document.addEventListener('visibilitychange', () => refresh().catch(() => {}))
  }
  document.addEventListener('submit', (event) => {
    const button = event.target.querySelector('button')
    if (event.target.method === 'post' && button) setTimeout(() => { button.disabled = true })
  })
  addEventListener('pageshow', () => document.querySelectorAll('button[disabled]').forEach((it) => { it.disabled = false }))
  const chosen = document.querySelector('nav.rooms [aria-current]')
  if (chosen) chosen.scrollIntoView({ block: 'nearest', inline: 'center' })
})()
`
