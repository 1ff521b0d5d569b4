/** Keeps the page as its order is: told by a stream of events, or asking now and then where there is none. */

const retryStreamMs = 60_000

/** @returns the way to ask for the page anew at once. */
export function followOrder(announce: (text: string) => void): () => void {
  let isAsking = false
  let source: EventSource | null = null
  let polling = 0

  async function refresh(): Promise<void> {
    if (isAsking) return
    isAsking = true
    try {
      const answer = await fetch(location.href, { cache: 'no-store', headers: { Accept: 'text/html' } })
      if (answer.status !== 200) throw new Error(`answered with ${answer.status}`)
      // It was no order's page, but one that said that there is none at the moment.
      if (document.body.dataset.version === undefined) return location.reload()
      take(new DOMParser().parseFromString(await answer.text(), 'text/html'))
      setOffline(false)
    } catch {
      // What is shown may be old, and whoever relies on it should know.
      setOffline(document.body.dataset.version !== undefined)
    } finally {
      isAsking = false
    }
  }

  function take(fresh: Document): void {
    const [main, other] = [document.querySelector('main'), fresh.querySelector('main')]
    if (main === null || other === null) return
    const before = document.title
    if (fresh.body.dataset.version !== document.body.dataset.version || before !== fresh.title) {
      replace(main, other)
      loadScripts(fresh)
      document.dispatchEvent(new Event('checkout:shown'))
      document.title = fresh.title
      if (before !== fresh.title) announce(other.querySelector('h1')?.textContent ?? '')
    } else renewTime(main, other)
    for (const name of ['version', 'events', 'poll']) {
      const value = fresh.body.dataset[name]
      if (value === undefined) delete document.body.dataset[name]
      else document.body.dataset[name] = value
    }
    if (document.body.dataset.events === undefined) stop()
  }

  function listen(): void {
    const { events, version } = document.body.dataset
    if (events === undefined || version === undefined) {
      poll()
      return
    }
    source = new EventSource(events)
    source.addEventListener('version', ({ data }: MessageEvent<string>) => {
      setOffline(false)
      if (data !== document.body.dataset.version) void refresh()
    })
    source.addEventListener('end', () => source?.close())
    source.addEventListener('open', stopPolling)
    source.addEventListener('error', () => {
      poll()
      // Otherwise it connects again by itself.
      if (source?.readyState === EventSource.CLOSED) setTimeout(listen, retryStreamMs)
    })
  }

  function poll(): void {
    if (polling !== 0 || document.body.dataset.poll === undefined) return
    polling = setInterval(() => void refresh(), Number(document.body.dataset.poll) * 1000)
  }

  function stopPolling(): void {
    clearInterval(polling)
    polling = 0
  }

  function stop(): void {
    stopPolling()
    source?.close()
  }

  listen()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && document.body.dataset.poll !== undefined) void refresh()
  })
  return () => void refresh()
}

/** Whoever was somewhere in the old part is not thrown to the top of the page. */
function replace(main: Element, other: Element): void {
  const focused = main.contains(document.activeElement) ? document.activeElement : null
  main.replaceWith(other)
  if (focused === null) return
  const same = focused.id === '' ? null : document.getElementById(focused.id)
  const heading = other.querySelector('h1')
  heading?.setAttribute('tabindex', '-1')
  const next = same ?? heading
  next?.focus()
}

/** An order that can be paid by now has a script that its page did not need before. */
function loadScripts(fresh: Document): void {
  for (const { src } of fresh.querySelectorAll<HTMLScriptElement>('script[src]')) {
    const path = new URL(src, location.href).href
    if ([...document.scripts].some((script) => script.src === path)) continue
    const script = document.createElement('script')
    script.src = path
    document.head.append(script)
  }
}

/** Nothing but time has passed. */
function renewTime(main: Element, other: Element): void {
  const [shown, fresh] = [main.querySelector('[data-left]'), other.querySelector('[data-left]')]
  if (shown !== null && fresh !== null) shown.replaceWith(fresh)
}

function setOffline(isOffline: boolean): void {
  const note = document.getElementById('offline')
  if (note !== null) note.hidden = !isOffline
}
