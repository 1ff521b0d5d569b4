/**
 * Why signatures were refused, for whoever has to mend them: in the log, and in a sandbox in the answer's
 * `Signature-Hint`.
 *
 * Nothing here may be had for the asking. Of what no party of ours has signed only the kind of problem is named; for
 * known keys the usual mistakes are searched for, in messages that are small and shallow, so many a minute of the
 * whole node, and in production after the answer, so that its time tells nothing.
 */
import type { ServerResponse } from 'node:http'
import { findMistakes, findSigned } from '../../actors/keys/signature-mistakes.ts'
import { maskedPath, type SignatureFinding, shownBody } from '../../actors/sandbox/request-log.ts'
import type { Instant } from '../../machines/time.ts'
import { createWindows } from '../limits/windows.ts'
import type { AuthenticationProblem, RefusedSignature, Unsigned } from './authentication.ts'

export interface Explanations {
  /** The hint for an answer that is about to be given; `null` where it says nothing. */
  hint(unsigned: Unsigned, now: Instant): string | null
  /** All that is known of it, for whoever has the key; of what is not searched for the hint alone. */
  finding(unsigned: Unsigned, hint: string | null): SignatureFinding
  /** Calls back with the mistake, once the answer is out and others were served. */
  afterwards(
    unsigned: Unsigned,
    response: ServerResponse,
    now: Instant,
    tell: (mistake: string) => void,
  ): void
}

export interface ExplanationOptions {
  /** A sandbox tells whoever asks; elsewhere only the operator's log knows. */
  areTold: boolean
}

/** Enough for people who try; what is beyond it would be searched for nobody. */
const searchesPerMinute = 60
/** The search makes some thirty digests of it, in a few spellings. */
const maxBodyBytes = 4 * 1024

const problemHints: Record<Exclude<AuthenticationProblem, 'signature'>, string> = {
  headers: 'Merchant-Key or Provider-Key, Message-Date and Message-Hash are required, each once',
  test_key: 'mk_test_ and pk_test_ are keys of sandboxes, and this node is in production',
  unknown_key: 'this node has no such key, or it was revoked',
  wrong_party: 'the key belongs to the other kind of party: merchants and providers have different paths',
  message_date: 'Message-Date is not ten digits of seconds with at most nine decimals',
  clock: 'Message-Date is too far from the clock of this node',
}

export function createExplanations({ areTold }: ExplanationOptions): Explanations {
  const searches = createWindows({ windowMs: 60_000, maxKeys: 1 })

  const mistakeIn = (refused: RefusedSignature, now: Instant): string | null => {
    const isSmall = refused.message.body.length <= maxBodyBytes
    return isSmall && !searches.count('all', searchesPerMinute, now).isOver ? mistakeOf(refused) : null
  }

  return {
    hint({ problem, facts, refused }, now) {
      // Its sender has written it there, and learns nothing of this node but what it is.
      if (problem === 'test_key') return problemHints.test_key
      if (!areTold) return null
      if (problem === 'signature') return refused === null ? null : mistakeIn(refused, now)
      if (problem !== 'clock') return problemHints[problem]
      return `${problemHints.clock}: by ${facts.clockOffsetSeconds} s`
    },
    finding: ({ facts, refused }, hint) => findingOf(refused, hint, Number(facts.clockOffsetSeconds)),
    afterwards({ problem, refused }, response, now, tell) {
      if (areTold || problem !== 'signature' || refused === null) return
      const search = () => {
        const mistake = mistakeIn(refused, now)
        if (mistake !== null) tell(mistake)
      }
      response.once('close', () => setImmediate(search))
    },
  }
}

/** Without the path itself, which the mistake may quote: an order's code is as good as money. */
function mistakeOf({ message, secret, digest, unsignedQuery }: RefusedSignature): string {
  const found = findMistakes(message, secret, digest, { unsignedQuery })
  const [mistake = 'no known mistake: is it another secret?'] = found ?? []
  return mistake.replace(/ \([^)]*\)/, '')
}

/** @param hint the mistake, which was found within the limits of searches, or what else is wrong; `null` where nobody has searched */
function findingOf(
  refused: RefusedSignature | null,
  hint: string | null,
  offsetSeconds: number,
): SignatureFinding {
  const clockOffsetSeconds = Number.isNaN(offsetSeconds) ? null : offsetSeconds
  if (refused === null) return { mistake: hint, signedString: null, differsAt: null, clockOffsetSeconds }
  const { message, secret, digest, unsignedQuery } = refused
  const headOf = (path: string) =>
    `${message.key}:${message.messageDate}:${message.method.toUpperCase()}:${path}:`
  const found = hint === null ? null : findSigned(message, secret, digest, { unsignedQuery })
  const ours = Buffer.concat([Buffer.from(headOf(message.path)), message.body])
  return {
    mistake: hint,
    signedString: headOf(maskedPath(message.path)) + shownBody(message.body),
    differsAt: found?.text == null ? null : firstDifference(ours, found.text),
    clockOffsetSeconds,
  }
}

function firstDifference(one: Uint8Array, other: Uint8Array): number | null {
  const at = one.findIndex((byte, index) => byte !== other[index])
  if (at >= 0) return at
  return other.length > one.length ? one.length : null
}
