/** Counts down what is left, by the node's clock: the phone's may be wrong. */

const hourMs = 3_600_000

/** @param over is called once the time is over, and again while the page still shows it */
export function countDown(over: () => void): void {
  let shown: HTMLElement | null = null
  let text = ''
  let beganAt = 0
  let leftMs = 0
  let askedAt = Number.NEGATIVE_INFINITY
  const tick = () => {
    const found = document.querySelector<HTMLElement>('[data-left]')
    if (found === null) return
    if (found !== shown) {
      shown = found
      text = found.textContent ?? ''
      leftMs = Number(found.dataset.left)
      beganAt = performance.now()
    }
    const left = leftMs - (performance.now() - beganAt)
    // Hours and days need no seconds; when the last hour begins the page is asked for their words anew.
    if (leftMs < hourMs) text = clockText(Math.max(left, 0))
    const isOver = left <= 0 || (leftMs >= hourMs && left < hourMs)
    if (found.textContent !== text) found.textContent = text
    if (isOver && performance.now() - askedAt > 5_000) {
      askedAt = performance.now()
      over()
    }
  }
  setInterval(tick, 1_000)
  tick()
}

/** `59:05`, a form that the three languages share. */
function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
