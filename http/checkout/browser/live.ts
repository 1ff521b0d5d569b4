/** Keeps the page as its order is: told by a stream of events, or asking now and then where there is none. */

const retryStreamMs = 60_000
/** The node says something every 20 s: a network that lost it without a word is noticed after two of them. */
const silenceMs = 45_000
/** While there is no connection. */
const retryMs = 5_000

/** @returns the way to ask for the page anew at once. */
export function followOrder(announce: (text: string) => void): () => void {
  let isAsking = false
  let source: EventSource | null = null
  let polling = 0
  let retrying = 0
  let silence = 0

  async function refresh(): Promise<void> {
    if (isAsking) return
    isAsking = true
    try {
      const answer = await fetch(location.href, { cache: 'no-store', headers: { Accept: 'text/html' } })
      if (answer.status !== 200) throw new Error(`answered with ${answer.status}`)
      // It was no order's page, but one that said that there is none at the moment.
      if (document.body.dataset.version === undefined) return location.reload()
      take(new DOMParser().parseFromString(await answer.text(), 'text/html'), announce)
      if (document.body.dataset.events === undefined) stop()
      setOffline(false)
    } catch {
      // What is shown may be old, and whoever relies on it should know.
      setOffline(document.body.dataset.version !== undefined)
    } finally {
      isAsking = false
    }
  }

  function listen(): void {
    const { events, version } = document.body.dataset
    if (events === undefined || version === undefined) {
      poll()
      return
    }
    source?.close()
    source = new EventSource(events)
    hear()
    source.addEventListener('beat', hear)
    source.addEventListener('version', ({ data }: MessageEvent<string>) => {
      hear()
      setOffline(false)
      if (data !== document.body.dataset.version) void refresh()
    })
    source.addEventListener('end', stop)
    source.addEventListener('open', stopPolling)
    source.addEventListener('error', () => {
      clearTimeout(silence)
      poll()
      // Whoever looks is told at once that there is no connection; not all pages ask in the same moment.
      setTimeout(() => void refresh(), Math.random() * 1000)
      // Otherwise it connects again by itself.
      if (source?.readyState === EventSource.CLOSED) setTimeout(listen, retryStreamMs)
    })
  }

  function hear(): void {
    clearTimeout(silence)
    silence = setTimeout(() => {
      void refresh()
      listen()
    }, silenceMs)
  }

  function setOffline(isOffline: boolean): void {
    // The page does not say any more that it updates itself.
    document.body.toggleAttribute('data-offline', isOffline)
    const note = document.getElementById('offline')
    if (note !== null) note.hidden = !isOffline
    if (!isOffline) {
      clearInterval(retrying)
      retrying = 0
    } else if (retrying === 0) retrying = setInterval(() => void refresh(), retryMs)
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
    clearTimeout(silence)
    source?.close()
  }

  listen()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && document.body.dataset.poll !== undefined) void refresh()
  })
  return () => void refresh()
}

/** Shows what the page has come to; where nothing but time has passed, what somebody is doing in it is left alone. */
function take(fresh: Document, announce: (text: string) => void): void {
  const [main, other] = [document.querySelector('main'), fresh.querySelector('main')]
  if (main === null || other === null) return
  const before = document.title
  if (fresh.body.dataset.version !== document.body.dataset.version || before !== fresh.title) {
    replace(main, other)
    loadScripts(fresh)
    document.dispatchEvent(new Event('checkout:shown'))
    document.title = fresh.title
    if (before !== fresh.title) announce(other.querySelector('h1')?.textContent ?? '')
  } else {
    renewTime(main, other)
    renewPlaces(main, other)
  }
  for (const name of ['version', 'events', 'poll']) {
    const value = fresh.body.dataset[name]
    if (value === undefined) delete document.body.dataset[name]
    else document.body.dataset[name] = value
  }
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

/** Networks come and go without the order: what is listed changes alone. */
function renewPlaces(main: Element, other: Element): void {
  const [shown, fresh] = [main.querySelector('#places'), other.querySelector('#places')]
  if (shown !== null && fresh !== null && shown.outerHTML !== fresh.outerHTML) shown.replaceWith(fresh)
}

/** Nothing but time has passed: the count goes on from what it shows, which the fresh page would tell in words. */
function renewTime(main: Element, other: Element): void {
  const [shown, fresh] = [main.querySelector('[data-left]'), other.querySelector('[data-left]')]
  if (shown === null || fresh === null) return
  fresh.textContent = shown.textContent
  shown.replaceWith(fresh)
}
