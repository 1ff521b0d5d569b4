/** Where a rate of a provisioning file is read from: addresses, or names of public ones. */

import { Members, type Problems, type Read, trueOrFalse, Wrong, whole } from '../foundation/reading.ts'
import { parseNotifyUrl } from '../outbound/target.ts'
import { isPointer } from '../rates/answer.ts'
import { presetNames, presetOf } from '../rates/presets.ts'
import { type RateSource, sourceKey, usualMaxAgeSeconds } from '../rates/source.ts'

/** Why an address may not be asked, as a sentence; `null` when it may. */
export type JudgeUrl = (url: URL) => string | null

export interface SourceContext {
  send: string | undefined
  target: string | undefined
  /** Of the rate. */
  maxAgeSeconds: number | null | undefined
  problems: Problems
  judgeUrl: JudgeUrl
}

/** More would not make a median better. */
const maxSources = 9

/** The sources of an entry; undefined when it has none, or one that is wrong, which is noted. */
export function readSourcesOf(members: Members, context: SourceContext): RateSource[] | undefined {
  if (members.has('source') && members.has('sources')) {
    members.note('sources', 'there is a source, too; put it into the list')
    return undefined
  }
  if (members.has('source')) {
    const value = members.optional('source', (it) => ({ it }))
    const source = readSource(value?.it, `${members.path}.source`, context)
    return source && [source]
  }
  const sources = members.list('sources', (item, path) => readSource(item, path, context))
  if (members.has('sources') && sources.length === 0) members.note('sources', 'names no source')
  if (sources.length > maxSources) members.note('sources', `names more than ${maxSources} sources`)
  if (new Set(sources.map(sourceKey)).size < sources.length) members.note('sources', 'names one source twice')
  return sources.length === 0 ? undefined : sources
}

const usual = { inverse: false, spreadBps: 0, refreshSeconds: 60, timeoutSeconds: 5 }

function readSource(value: unknown, path: string, context: SourceContext): RateSource | undefined {
  const { problems, maxAgeSeconds } = context
  const named = typeof value === 'string' ? { preset: value } : value
  const known = ['preset', 'url', 'pointer', 'inverse', ...Object.keys(numbers)]
  const members = Members.of(named, path, known, problems)
  if (members === null) return undefined
  const place = members.has('preset') ? ofPreset(members, context) : ofAddress(members, context)
  const spreadBps = members.optional('spreadBps', numbers.spreadBps) ?? usual.spreadBps
  const refreshSeconds = members.optional('refreshSeconds', numbers.refreshSeconds) ?? usual.refreshSeconds
  const timeoutSeconds = members.optional('timeoutSeconds', numbers.timeoutSeconds) ?? usual.timeoutSeconds
  const ownAge = members.optional('maxAgeSeconds', numbers.maxAgeSeconds)
  const age = ownAge ?? maxAgeSeconds ?? usualMaxAgeSeconds
  if (refreshSeconds + timeoutSeconds >= age) {
    members.note('refreshSeconds', `and timeoutSeconds leave a rate no time: it is too old after ${age} s`)
  }
  return place && { ...place, spreadBps, refreshSeconds, timeoutSeconds, maxAgeSeconds: age }
}

const numbers = {
  spreadBps: whole(0, 5_000),
  refreshSeconds: whole(1, 86_400),
  timeoutSeconds: whole(1, 60),
  maxAgeSeconds: whole(1, 31_536_000),
} as const

type Place = Pick<RateSource, 'url' | 'pointer' | 'inverse'>

function ofPreset(members: Members, { send, target }: SourceContext): Place | undefined {
  for (const key of ['url', 'pointer', 'inverse']) {
    if (members.has(key)) members.note(key, 'is what the preset says')
  }
  const name = members.required('preset', (value) =>
    typeof value === 'string' && presetNames.includes(value)
      ? value
      : new Wrong(`is no known source; there are ${presetNames.join(', ')}`),
  )
  const preset = name === undefined ? undefined : presetOf(name)
  if (preset === undefined) return undefined
  const { send: itsSend, target: itsTarget, ...place } = preset
  if ((send !== undefined && send !== itsSend) || (target !== undefined && target !== itsTarget)) {
    members.note('preset', `tells ${itsSend} in ${itsTarget}, not ${send} in ${target}`)
  }
  return place
}

function ofAddress(members: Members, { judgeUrl }: SourceContext): Place | undefined {
  const url = members.required('url', address(judgeUrl))
  const pointer = members.required('pointer', (value) =>
    typeof value === 'string' && value.length <= 200 && isPointer(value)
      ? value
      : new Wrong('is not a JSON pointer such as "/payload/bid"'),
  )
  const inverse = members.optional('inverse', trueOrFalse)
  return url === undefined || pointer === undefined
    ? undefined
    : { url, pointer, inverse: inverse ?? usual.inverse }
}

function address(judgeUrl: JudgeUrl): Read<string> {
  return (value) => {
    const url = typeof value === 'string' && value.length <= 2048 ? parseNotifyUrl(value) : null
    if (url === null) return new Wrong('is not an http or https URL')
    const problem = judgeUrl(url)
    url.hash = ''
    return problem === null ? url.href : new Wrong(`cannot be asked. ${problem}`)
  }
}
