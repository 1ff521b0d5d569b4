/** What the settings of mails have to say together. */
import { isLoopback } from './addresses.ts'
import type { SettingsDocument } from './schema.ts'

/** Passwords and what is told of money go over no wire in the clear. @returns the setting and what is wrong with it */
export function mailProblems(mail: SettingsDocument['mail']): [string, string][] {
  const problems: [string, string][] = []
  const { host, from, security, user, password, passwordFile } = mail
  const hasPassword = password !== null || passwordFile !== null
  if (host === null) return problems
  if (from === null) problems.push(['mail.from', 'must be an e-mail address when mail.host is set'])
  if (security === 'none' && !isLoopback(host)) {
    const told = `must be starttls or tls where the server is not on this host, got none for ${host}`
    problems.push(['mail.security', told])
  }
  if (password !== null && passwordFile !== null)
    problems.push(['mail.password', 'must not be set when mail.passwordFile is'])
  if (hasPassword && user === null) problems.push(['mail.user', 'must be set when a password is'])
  if (!hasPassword && user !== null)
    problems.push(['mail.passwordFile', 'must be set when mail.user is, or mail.password'])
  return problems
}
