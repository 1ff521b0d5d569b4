/** Protocol 17.4: mails and the password go over no wire in the clear, and the settings say together what they need. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadSettings, SettingsError } from '../../../node/settings/config.ts'

type Mail = Record<string, string>

function problemsOf(mail: Mail): string[] {
  const env = Object.fromEntries(
    Object.entries(mail).map(([name, value]) => [`VENTANILLA_MAIL_${name.toUpperCase()}`, value]),
  )
  try {
    loadSettings({ cwd: '/nowhere', env })
    return []
  } catch (error) {
    if (error instanceof SettingsError)
      return error.lines.map((line) => line.replace(/^VENTANILLA_\w+: /, ''))
    throw error
  }
}

const base = { host: 'mail.example', from: 'node@pay.example' }
const signedIn = { ...base, user: 'node', password: 'hunter2' }

/** settings, and which one is wrong; none where they are in order */
const cases: [Mail, string | null][] = [
  [base, null],
  [signedIn, null],
  [{ ...base, user: 'node', passwordfile: 'secret.txt' }, null],
  [{ from: 'node@pay.example', user: 'node' }, null],
  [{ host: 'mail.example' }, 'mail.from'],
  [{ ...base, security: 'none' }, 'mail.security'],
  [{ ...base, host: '127.evil.example', security: 'none' }, 'mail.security'],
  [{ ...base, host: '10.0.0.1', security: 'none' }, 'mail.security'],
  [{ ...base, host: '127.0.0.1', security: 'none' }, null],
  [{ ...base, host: 'localhost', security: 'none' }, null],
  [{ ...base, host: '::1', security: 'none' }, null],
  [{ ...signedIn, passwordfile: 'secret.txt' }, 'mail.password'],
  [{ ...base, password: 'hunter2' }, 'mail.user'],
  [{ ...base, user: 'node' }, 'mail.passwordFile'],
  [{ ...base, from: 'node@pay.example\r\nBcc: a@b.example' }, 'mail.from'],
  [{ ...base, from: 'two@a.example, three@a.example' }, 'mail.from'],
  [{ ...base, security: 'plain' }, 'mail.security'],
]

for (const [mail, wrong] of cases) {
  test(`${JSON.stringify(mail)}: ${wrong ?? 'in order'}`, () => {
    const problems = problemsOf(mail)
    assert.equal(
      problems.map((line) => line.split(':')[0]),
      wrong === null ? [] : [wrong],
    )
    assert.not.match(problems.join(), /hunter2/)
  })
}

test.run()
