/** Counts down what is left, by the node's clock: the phone's may be wrong. */

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** @param over is called once the time is over, and again while the page still shows it */
export function countDown(over: () => void): void {
  let shown: HTMLElement | null = null
  let beganAt = 0
  let leftMs = 0
  let askedAt = Number.NEGATIVE_INFINITY
  const tick = () => {
    const found = document.querySelector<HTMLElement>('[data-left]')
    if (found === null) return
    const now = performance.now()
    if (found !== shown) {
      shown = found
      leftMs = Number(found.dataset.left)
      beganAt = now
    }
    const left = leftMs - (now - beganAt)
    const text = left < hourMs ? clockText(Math.max(left, 0)) : durationText(left)
    if (found.textContent !== text) found.textContent = text
    if (left <= 0 && now - askedAt > 5_000) {
      askedAt = now
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

/** The two largest units, as the page has them without scripts: `2 días y 5 horas`. */
function durationText(ms: number): string {
  const minutes = Math.floor(ms / minuteMs)
  const { lang } = document.documentElement
  const named = (count: number, unit: string) =>
    count === 0
      ? []
      : [new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(count)]
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  const parts =
    days > 0
      ? [...named(days, 'day'), ...named(hours, 'hour')]
      : [...named(hours, 'hour'), ...named(minutes % 60, 'minute')]
  return new Intl.ListFormat(lang, { type: 'unit', style: 'long' }).format(parts)
}
