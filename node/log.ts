/** The node's log, made by each thread for itself: a line is written by whoever has it to say. */
import pino, { type LevelWithSilentOrString, type Logger } from 'pino'

/** Data, so that another thread can be told of it. */
export interface LogTarget {
  level: LevelWithSilentOrString
  /** A descriptor, or a file. */
  destination: number | string
}

export function openLog({ level, destination }: LogTarget): Logger {
  return pino({ level }, pino.destination({ dest: destination, sync: true }))
}
