/**
 * What is done at times of the host's own clock on the wall, as a cron pattern names them.
 *
 * Twice a year that clock skips an hour, or shows one twice. What a skipped hour held is done when it is over, at once and
 * once; what an hour that comes twice holds is done in the first. The same goes for minutes that a host slept through.
 */
import cron from 'node-cron'
import type { Instant } from '../machines/time.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** No clock is set back by as much for the season; one that goes back further was wrong before. */
const mostSetBackMs = 3 * hourMs
/** What was due longer ago than this is not looked for. */
const dayMs = 24 * hourMs
const longestSleepMs = 40 * dayMs

/** Tells of each look whether something has become due since the one before. */
export interface LocalTimes {
  isDue(at: Instant): boolean
}

/** What the clock on the wall shows at an instant, in ms as if it were UTC. */
function localTime(at: Instant): number {
  return at - new Date(at).getTimezoneOffset() * minuteMs
}

/** @param pattern five fields as for cron. */
export function localTimes(pattern: string, from: Instant): LocalTimes {
  const matches = matcher(pattern)
  const [, hour = '*', ...day] = pattern.trim().split(/\s+/)
  const isDay = matcher(`* * ${day.join(' ')}`)
  const isHour = matcher(`* ${hour} ${day.join(' ')}`)
  const minuteOf = (at: Instant) => Math.floor(localTime(at) / minuteMs) * minuteMs
  let seen = minuteOf(from)

  return {
    isDue(at) {
      const now = minuteOf(at)
      // In an hour that was there before, nothing is due again.
      if (now > seen - mostSetBackMs && now <= seen) return false
      const first = now < seen ? now : Math.max(seen + minuteMs, now - longestSleepMs)
      seen = now
      // Whoever wakes after weeks must not look at each of their minutes while everybody waits.
      for (let local = first; local <= now; ) {
        if (!isDay(local)) local = after(local, dayMs)
        else if (!isHour(local)) local = after(local, hourMs)
        else
          for (const end = after(local, hourMs); local < end && local <= now; local += minuteMs)
            if (matches(local)) return true
      }
      return false
    },
  }
}

/** The beginning of the next day, or hour. */
function after(local: number, lengthMs: number): number {
  return (Math.floor(local / lengthMs) + 1) * lengthMs
}

function matcher(pattern: string): (local: number) => boolean {
  // A clock that shows each minute once: a time on the wall is looked up as that of a place without seasons.
  const task = cron.createTask(pattern, () => {}, { timezone: 'UTC' })
  // Only its pattern is of use: the library's list of tasks, in which it would stay for ever, lets go of it.
  void task.destroy()
  return (local) => task.match(new Date(local))
}

export interface LocalSchedule {
  stop(): void
}

/** Looks at each full minute of the clock. */
export function scheduleByLocalTime(
  pattern: string,
  clock: { now(): Instant },
  run: (at: Instant) => void,
): LocalSchedule {
  const times = localTimes(pattern, clock.now())
  let timer: NodeJS.Timeout
  const wait = () => {
    timer = setTimeout(look, minuteMs - (clock.now() % minuteMs))
  }
  const look = () => {
    const at = clock.now()
    if (times.isDue(at)) run(at)
    wait()
  }
  wait()
  return { stop: () => clearTimeout(timer) }
}
