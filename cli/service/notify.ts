/**
 * Tells systemd that the node is ready, stops, or still lives. Node cannot speak to the datagram socket that systemd
 * listens on, so systemd's own command does; elsewhere nothing is told.
 */
import { execFile } from 'node:child_process'

export interface Notifier {
  /** From now on the node also says regularly that it lives; a node whose thread hangs says nothing, and is restarted. */
  ready(): void
  stopping(): void
}

/** @param onError told once, of a command that is missing, say */
export function createNotifier(
  env: Readonly<Record<string, string | undefined>>,
  onError: (error: Error) => void,
): Notifier {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, PATH = '/usr/bin:/bin' } = env
  if (NOTIFY_SOCKET === undefined) return { ready() {}, stopping() {} }
  let pulse: NodeJS.Timeout | undefined
  let hasFailed = false
  const tell = (...states: string[]) => {
    execFile('systemd-notify', states, { env: { NOTIFY_SOCKET, PATH }, timeout: 5_000 }, (error) => {
      if (error === null || hasFailed) return
      hasFailed = true
      onError(error)
    })
  }
  // Three times within what it waits for: one may be late.
  const everyMs = Number(WATCHDOG_USEC ?? 0) / 1000 / 3
  return {
    ready() {
      tell('READY=1')
      if (everyMs > 0) pulse = setInterval(() => tell('WATCHDOG=1'), everyMs).unref()
    },
    stopping() {
      clearInterval(pulse)
      tell('STOPPING=1')
    },
  }
}
