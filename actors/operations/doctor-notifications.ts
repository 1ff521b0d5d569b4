/** What the doctor finds of notifications: whether the mail server takes mails, and what nobody was told. */
import { allChannels, notificationCounts } from '../../persistence/queries/notifications.ts'
import type { MailStage } from '../notifications/mail.ts'
import type { NodeContext } from './context.ts'
import { type DoctorCheck, fine, wrong } from './doctor-check.ts'

/** Asks the server as an attempt does, and sends nothing. */
export async function checkMail({ store, mail }: NodeContext): Promise<DoctorCheck> {
  if (mail === null) {
    const waiting = (await store.query(allChannels, {})).filter(({ kind }) => kind === 'email')
    const [first] = waiting
    if (first === undefined) return fine('mail', 'no server is set, and no channel needs one')
    const action = 'Set mail.host and mail.from: what is to be mailed waits for them.'
    return wrong('mail', `no server is set, and the channel ${first.name} needs one`, action)
  }
  const problem = await mail.check()
  if (problem === null)
    return fine('mail', 'the server answers, is encrypted as the settings say, and lets the node in')
  return wrong('mail', `${problem.stage}: ${problem.error}`, actions[problem.stage])
}

const actions: Readonly<Record<MailStage, string>> = {
  settings: 'Let the node read the file that is named.',
  connection:
    'Look at mail.host, mail.port and mail.security: the server has to answer there, and its certificate to be for that name.',
  login: 'Look at mail.user and mail.passwordFile.',
  sending: 'Look at mail.from: the server does not take mails from it.',
}

export async function checkNotifications({ store }: NodeContext): Promise<DoctorCheck> {
  const counts = new Map(
    (await store.query(notificationCounts, {})).map(({ state, count }) => [state, count]),
  )
  const dead = counts.get('dead') ?? 0
  const told = `${counts.get('pending') ?? 0} wait to be sent, ${dead} are dead letters`
  if (dead === 0) return fine('notifications', told)
  const action =
    'See `ventanilla notification list --state dead`; `ventanilla notification retry ID` sends one again.'
  return wrong('notifications', told, action)
}
