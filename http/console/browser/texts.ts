/** What the page was given for its scripts, in its language. */

type Name =
  | 'copy'
  | 'copied'
  | 'notCopied'
  | 'it'
  | 'changed'
  | 'offline'
  | 'justNow'
  | 'inAMoment'
  | 'noPasskeys'
  | 'passkeyFailed'
  | 'idle'
  | 'stay'

const given: Partial<Record<Name, string>> = JSON.parse(document.body.dataset.texts ?? '{}')

export function textOf(name: Name): string {
  return given[name] ?? ''
}
