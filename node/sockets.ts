/**
 * The raw connections of a listener, each with deadlines of its own.
 *
 * Node ends a connection by saying so and waits for the other side to do the same, which a dead one never does; what
 * it has let go of (CONNECT, upgrades) is on none of its lists, and what waits for a slow reader has no deadline at
 * all. Here every socket is known until it is closed, and is destroyed when its time is over.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface SocketTimes {
  /** Without progress of what waits for its reader. */
  stalledMs: number
  /** In which all that waits for its reader has to be taken, however slowly it goes on. */
  takenMs: number
  /** From our end of the connection to the other side's. */
  lingerMs: number
  /** Of silence, with no whole request under way. */
  silentMs: number
  /** How often all of them are looked through. */
  checkEveryMs: number
}

/** A silent one has been told by Node that its time is over before this, and has had time to leave. */
export const socketTimes: SocketTimes = {
  stalledMs: 30_000,
  takenMs: 600_000,
  lingerMs: 2_000,
  silentMs: 80_000,
  checkEveryMs: 2_000,
}

/** Once the listener is closed. What is answered still is answered; nobody who is dead is waited for. */
const hurriedTimes: SocketTimes = {
  stalledMs: 750,
  takenMs: 600_000,
  lingerMs: 300,
  silentMs: 500,
  checkEveryMs: 25,
}

/** A request that was on its way when the listener was closed still comes, on a connection that was idle. */
const settleMs = 50

/** Where the program was held up, time has passed and what came meanwhile is unread: it is read before this runs. */
export const afterReading = (work: () => void) => void setImmediate(work)

export interface Sockets {
  readonly count: number
  /** Whether nothing whole has come from it so far: whoever has something to ask may take its place. */
  isUnused(socket: Socket): boolean
  /** To be called with each request before it is served. */
  follow(request: IncomingMessage, response: ServerResponse): void
  /** Answers from now on, and those whose headers are not yet sent, say that they are the last of their connection. */
  answerLast(): void
  /** Lets idle connections go, and waits no longer than `hurriedTimes` for anybody. */
  hurry(): void
  destroyAll(): void
}

interface Followed {
  /** Those that are not sent to the end; few, and a list leaves the collector less to keep than a map. */
  answers: ServerResponse[]
  isUnused: boolean
  /** What had been heard when it was last idle: what is beyond is the beginning of another request. */
  heardIdle: number
  /** What the reader has taken, and when that last grew. */
  taken: number
  takenAt: number
  /** Since when something waits for its reader; `null` while nothing does. */
  waitingSince: number | null
  heard: number
  heardAt: number
  /** When we ended it, as far as was seen. */
  endedAt: number | null
}

export function watchSockets(server: Server, times: SocketTimes = socketTimes): Sockets {
  const all = new Map<Socket, Followed>()
  let present = times
  let hurriedAt: number | null = null
  let isLast = false
  const now = () => performance.now()

  server.on('connection', (socket) => {
    const at = now()
    all.set(socket, {
      answers: [],
      isUnused: true,
      heardIdle: 0,
      taken: 0,
      takenAt: at,
      waitingSince: null,
      heard: 0,
      heardAt: at,
      endedAt: null,
    })
    socket.once('close', () => all.delete(socket))
  })

  function look(): void {
    const at = now()
    for (const [socket, followed] of all) {
      observe(socket, followed, at)
      if (isOver(followed, present, at)) socket.destroy()
      else if (hurriedAt !== null && at - hurriedAt >= settleMs && isIdle(followed) && !socket.writableEnded)
        socket.end()
    }
  }

  let timer: NodeJS.Timeout | undefined
  server.once('listening', () => {
    timer = setInterval(() => afterReading(look), present.checkEveryMs).unref()
  })
  server.once('close', () => clearInterval(timer))

  return {
    get count() {
      return all.size
    },
    isUnused: (socket) => all.get(socket)?.isUnused ?? false,
    follow(request, response) {
      const followed = all.get(request.socket)
      if (followed === undefined) return
      followed.isUnused = false
      const { answers } = followed
      answers.push(response)
      if (isLast) response.shouldKeepAlive = false
      response.once('close', () => {
        answers.splice(answers.indexOf(response), 1)
        followed.heardIdle = request.socket.bytesRead
      })
    },
    answerLast() {
      isLast = true
      for (const { answers } of all.values()) {
        for (const response of answers) response.shouldKeepAlive = false
      }
    },
    hurry() {
      hurriedAt = now()
      present = hurriedTimes
      clearInterval(timer)
      // Nobody's time was this short before: what is on its way from who has been idle for long still comes.
      for (const followed of all.values()) followed.heardAt = followed.takenAt = hurriedAt
      timer = setInterval(() => afterReading(look), present.checkEveryMs)
    },
    destroyAll() {
      for (const socket of all.keys()) socket.destroy()
    },
  }
}

/** Notes what has moved since the last look. */
function observe(socket: Socket, followed: Followed, at: number): void {
  const waiting = socket.writableLength
  const taken = (socket.bytesWritten ?? followed.taken) - waiting
  // While the program was held up nobody looked: a reader's time begins where something is first seen to wait for it.
  if (taken !== followed.taken || followed.waitingSince === null) followed.takenAt = at
  followed.taken = taken
  followed.waitingSince = waiting === 0 ? null : (followed.waitingSince ?? at)
  if (socket.bytesRead !== followed.heard) followed.heardAt = at
  followed.heard = socket.bytesRead
  if (socket.writableEnded && waiting === 0) followed.endedAt ??= at
}

function isOver(followed: Followed, times: SocketTimes, at: number): boolean {
  const { waitingSince, takenAt, heardAt, endedAt } = followed
  if (waitingSince !== null) return at - takenAt >= times.stalledMs || at - waitingSince >= times.takenMs
  if (endedAt !== null) return at - endedAt >= times.lingerMs
  // A request that is here as a whole waits for us.
  if (hasWholeRequest(followed)) return false
  return at - heardAt >= times.silentMs
}

const hasWholeRequest = ({ answers }: Followed): boolean => answers.some(({ req }) => req.complete)

const isIdle = ({ answers, heard, heardIdle }: Followed): boolean =>
  answers.length === 0 && heard === heardIdle
