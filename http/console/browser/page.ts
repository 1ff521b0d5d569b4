/**
 * What makes the console nicer where scripts run; nothing needs it. A page is asked for anew while somebody looks, as
 * a whole, and a form is sent once however often it is clicked.
 */

function keepLive(main: HTMLElement): void {
  const state = liveState(main)
  const refreshQuietly = () => void refresh(main, state).catch(() => state.say(states.offline))
  setInterval(refreshQuietly, Number(main.dataset.liveSeconds) * 1000)
  document.addEventListener('visibilitychange', refreshQuietly)
}

const states = {
  current: '',
  changed: 'This page has changed. Leave the form or reload to see it.',
  offline: 'No connection to the node: this page may be out of date.',
} as const

/** A line above the page that says when it is not what the node would show now. */
function liveState(main: HTMLElement): { say(text: string): void } {
  const line = document.createElement('p')
  line.className = 'live-state notice waiting'
  line.setAttribute('role', 'status')
  line.hidden = true
  main.before(line)
  return {
    say(text) {
      if (line.textContent === text) return
      line.textContent = text
      line.hidden = text === ''
    },
  }
}

async function refresh(main: HTMLElement, state: { say(text: string): void }): Promise<void> {
  if (document.hidden) return
  // It says that nobody asked, so that a page left open does not keep its session alive.
  const answer = await fetch(location.href, { headers: { 'Live-Refresh': '1' }, redirect: 'manual' })
  if (answer.status === 401 || answer.type === 'opaqueredirect') return location.reload()
  if (!answer.ok) return state.say(states.offline)
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const other = fresh.querySelector('main')
  if (other === null) return
  // The heading, the facts and what may be done belong together: all of it is replaced, or nothing is.
  if (main.innerHTML !== other.innerHTML) {
    if (isInUse(main)) return state.say(states.changed)
    replaceContent(main, other)
  }
  document.title = fresh.title
  document.querySelector('nav.rooms')?.replaceWith(...fresh.querySelectorAll('nav.rooms'))
  state.say(states.current)
}

function replaceContent(main: HTMLElement, other: Element): void {
  const focused = document.activeElement
  const href = main.contains(focused) ? focused?.getAttribute('href') : null
  const opened = new Set(
    [...main.querySelectorAll('details[open] > summary')].map(({ textContent }) => textContent),
  )
  main.replaceChildren(...other.childNodes)
  for (const summary of main.querySelectorAll('details > summary'))
    if (opened.has(summary.textContent)) summary.parentElement?.setAttribute('open', '')
  if (typeof href === 'string') main.querySelector<HTMLElement>(`a[href="${CSS.escape(href)}"]`)?.focus()
}

/** Somebody is filling in a form of it, or is about to copy from it. */
function isInUse(main: HTMLElement): boolean {
  const selection = getSelection()
  const isSelected = selection !== null && !selection.isCollapsed && main.contains(selection.anchorNode)
  const controls = main.querySelectorAll<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>(
    'input:not([type=hidden]), select, textarea',
  )
  return (
    isSelected || [...controls].some((control) => control === document.activeElement || isChanged(control))
  )
}

function isChanged(control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement): boolean {
  if (control instanceof HTMLSelectElement)
    return [...control.options].some((option, index) => {
      const isFirst = index === 0 && ![...control.options].some(({ defaultSelected }) => defaultSelected)
      return option.selected !== (option.defaultSelected || isFirst)
    })
  if (control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type))
    return control.checked !== control.defaultChecked
  return control.value !== control.defaultValue
}

const main = document.querySelector<HTMLElement>('main[data-live-seconds]')
if (main !== null) keepLive(main)

/** Codes and e-mails are no part of an address, which browsers keep, and which others may see. */
const isPrivate = (text: string): boolean => text.includes('@') || /^\D*(?:\d[ -]?){15}\D*$/.test(text)

const searching = document.querySelector<HTMLFormElement>('form.find')
const sought = searching?.querySelector<HTMLInputElement>('input[name=q]') ?? null

searching?.addEventListener('submit', () => {
  const token = document.querySelector<HTMLInputElement>('.who input[name=form_token]')
  const isSent = token !== null && sought !== null && isPrivate(sought.value)
  searching.method = isSent ? 'post' : 'get'
  // A page that the browser had kept may still have the one from before.
  searching.querySelector('input[name=form_token]')?.remove()
  if (isSent) searching.append(token.cloneNode())
})

document.addEventListener('keydown', (event) => {
  const { target, key, ctrlKey, metaKey, altKey } = event
  const isWriting = target instanceof Element && target.closest('input, textarea, select') !== null
  if (key !== '/' || ctrlKey || metaKey || altKey || isWriting || sought === null) return
  event.preventDefault()
  sought.focus()
  sought.select()
})

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
