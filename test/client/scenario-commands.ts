/** What a driver is told to do with its client, a line of JSON each. */
export type Command = CallCommand | SignCommand | VerifyCommand | VerifyStandardCommand

interface Timed {
  /** Seconds since 1970: what the client's clock says, until it waits. */
  now: number
}

export interface CallCommand extends Timed {
  do: 'call'
  party: 'merchant' | 'provider'
  url: string
  key: string
  secret: string
  attempts: number
  /** In seconds. */
  maxPause: number
  /** By its id in the API's document. */
  operation: string
  /** Parameters of the path by their names, `query` and `body`. */
  input: object
  idempotencyKey: string | null
}

export interface SignCommand extends Timed {
  do: 'sign'
  key: string
  messageDate: string
  method: string
  path: string
  body: string
  secret: string
}

export interface VerifyCommand extends Timed {
  do: 'verify'
  path: string
  headers: Record<string, string>
  /** In base64. */
  body: string
  secrets: Record<string, string>
}

export interface VerifyStandardCommand extends Timed {
  do: 'verifyStandard'
  headers: Record<string, string>
  body: string
  secrets: string[]
}

/** What it says then: an answer, or the error; and for how many seconds it has waited between attempts. */
export interface DriverAnswer {
  answer?: unknown
  error?: {
    class: string
    message: string
    status: number | null
    code: string | null
    retryAfter: number | null
    hasRequestId: boolean
    fields: (string | null)[]
  }
  pauses: number[]
}
