/** How far apart the backups of a schedule are. */
import cron from 'node-cron'

/** The longest time between two backups that follow each other, in ms. */
export function longestPauseMs(schedule: string): number {
  const task = cron.createTask(schedule, () => {}, { timezone: 'UTC' })
  const times = task.getNextRuns(consideredRuns).map((run) => run.getTime())
  void task.destroy()
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? time))
  return Math.max(...pauses)
}

/** A week of nights, with the pauses of weekends. */
const consideredRuns = 8
