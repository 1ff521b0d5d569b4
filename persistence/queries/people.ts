/** People, their sessions, and what they prove who they are with. */
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

/** Those of no party. */
export const allOperators = statement<Record<never, never>>()('person.operators', ({ db }) =>
  db.selectFrom('people').selectAll().where('party_id', 'is', null).orderBy('name'),
)

export const operatorByName = statement<{ name: string }>()('person.operatorByName', ({ db }, arg) =>
  db.selectFrom('people').selectAll().where('name', '=', arg('name')).where('party_id', 'is', null),
)

/** Raised by whatever changes a password or a factor: what was read beside it is still so while it is. */
export const personRevision = statement<{ name: string }>()('person.revision', ({ db }, arg) =>
  db.selectFrom('people').select('revision').where('name', '=', arg('name')),
)

/** Whether there is one: they are few, and none is ever removed. */
export const enabledAdministrators = statement<Record<never, never>>()('person.administrators', ({ db }) =>
  db
    .selectFrom('people')
    .select('name')
    .where('role', '=', 'administrator')
    .where('disabled_at', 'is', null)
    .limit(1),
)

/** All who could approve what another administrator asks for. */
export const enabledAdministratorNames = statement<Record<never, never>>()(
  'person.administratorNames',
  ({ db }) =>
    db
      .selectFrom('people')
      .select('name')
      .where('role', '=', 'administrator')
      .where('disabled_at', 'is', null)
      .where('party_id', 'is', null)
      .orderBy('name'),
)

/** Administrators who may sign in, and have nothing to prove it with but a password. */
export const administratorsWithoutFactor = statement<Record<never, never>>()(
  'person.administratorsWithoutFactor',
  ({ db }) =>
    db
      .selectFrom('people')
      .select('name')
      .where('role', '=', 'administrator')
      .where('disabled_at', 'is', null)
      .where('totp_ciphertext', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.person_name', '=', 'people.name'),
          ),
        ),
      )
      .orderBy('name'),
)

/** A session that is in use, with its operator as they are now. */
export const sessionByDigest = statement<{ digest: string }>()('session.byDigest', ({ db }, arg) =>
  db
    .selectFrom('sessions')
    .innerJoin('people', 'people.name', 'sessions.person_name')
    .select([
      'sessions.id',
      'sessions.created_at',
      'sessions.seen_at',
      'sessions.factor_at',
      'sessions.person_revision',
      'people.revision',
      'people.name',
      'people.role',
      'people.disabled_at',
      'people.totp_at',
      'people.language',
      'people.time_zone',
      ({ selectFrom }) =>
        selectFrom('passkeys')
          .select(({ fn }) => fn.countAll<number>().as('passkeys'))
          .whereRef('passkeys.person_name', '=', 'people.name')
          .as('passkeys'),
    ])
    .where('sessions.digest', '=', arg('digest'))
    .where('people.party_id', 'is', null),
)

export const touchSession = statement<{ digest: string; at: Instant }>()('session.touch', ({ db }, arg) =>
  db
    .updateTable('sessions')
    .set({ seen_at: arg('at') })
    .where('digest', '=', arg('digest'))
    .returning('digest'),
)

export const endSession = statement<{ digest: string }>()('session.end', ({ db }, arg) =>
  db.deleteFrom('sessions').where('digest', '=', arg('digest')).returning('person_name'),
)

export const endSessionsOf = statement<{ name: string }>()('session.endAll', ({ db }, arg) =>
  db.deleteFrom('sessions').where('person_name', '=', arg('name')).returning('digest'),
)

/** Those that began before the last change of what proves who their person is. */
export const endStaleSessionsOf = statement<{ name: string }>()('session.endStale', ({ db }, arg) =>
  db
    .deleteFrom('sessions')
    .where('person_name', '=', arg('name'))
    .where('person_revision', '<>', ({ selectFrom }) =>
      selectFrom('people').select('people.revision').whereRef('people.name', '=', 'sessions.person_name'),
    )
    .returning('digest'),
)

export const endSessionOf = statement<{ name: string; id: string }>()('session.endOne', ({ db }, arg) =>
  db
    .deleteFrom('sessions')
    .where('id', '=', arg('id'))
    .where('person_name', '=', arg('name'))
    .returning('id'),
)

/** Sessions that nobody can use any more. */
export const forgetSessions = statement<{
  createdBefore: Instant
  createdAfter: Instant
  seenBefore: Instant
}>()('session.forget', ({ db }, arg) =>
  db
    .deleteFrom('sessions')
    .where((eb) =>
      eb.or([
        eb('created_at', '<', arg('createdBefore')),
        eb('created_at', '>', arg('createdAfter')),
        eb('seen_at', '<', arg('seenBefore')),
      ]),
    )
    .returning('digest'),
)

export const sessionsByPerson = statement<Record<never, never>>()('session.counts', ({ db }) =>
  db
    .selectFrom('sessions')
    .innerJoin('people', (join) =>
      join
        .onRef('people.name', '=', 'sessions.person_name')
        .onRef('people.revision', '=', 'sessions.person_revision'),
    )
    .select(['person_name', ({ fn }) => fn.countAll<number>().as('sessions')])
    .groupBy('person_name'),
)

export const sessionDigestsOf = statement<{ name: string }>()('session.digestsOfPerson', ({ db }, arg) =>
  db.selectFrom('sessions').select('digest').where('person_name', '=', arg('name')),
)

/** The one used last first. */
export const sessionsOf = statement<{ name: string }>()('session.ofPerson', ({ db }, arg) =>
  db
    .selectFrom('sessions')
    .innerJoin('people', (join) =>
      join
        .onRef('people.name', '=', 'sessions.person_name')
        .onRef('people.revision', '=', 'sessions.person_revision'),
    )
    .select(['id', 'sessions.created_at', 'seen_at', 'address', 'agent', 'factor_at'])
    .where('person_name', '=', arg('name'))
    .orderBy('seen_at', 'desc')
    .orderBy('id'),
)

export const passkeysOf = statement<{ name: string }>()('passkey.ofPerson', ({ db }, arg) =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('person_name', '=', arg('name'))
    .orderBy('created_at')
    .orderBy('id'),
)

export const passkeyCounts = statement<Record<never, never>>()('passkey.counts', ({ db }) =>
  db
    .selectFrom('passkeys')
    .select(['person_name', ({ fn }) => fn.countAll<number>().as('passkeys')])
    .groupBy('person_name'),
)

export const recoveryCodesOf = statement<{ name: string }>()('recoveryCode.ofPerson', ({ db }, arg) =>
  db.selectFrom('recovery_codes').selectAll().where('person_name', '=', arg('name')).orderBy('digest'),
)

/** Those whose authenticator has a secret, for a change of the master key. */
export const authenticators = statement<Record<never, never>>()('person.authenticators', ({ db }) =>
  db
    .selectFrom('people')
    .select(['name', 'totp_ciphertext'])
    .where('totp_ciphertext', 'is not', null)
    .orderBy('name'),
)

export const invitationByDigest = statement<{ digest: string }>()('invitation.byDigest', ({ db }, arg) =>
  db.selectFrom('invitations').selectAll().where('digest', '=', arg('digest')),
)

/** @param before what was made later was made by a clock that was wrong */
export const openInvitations = statement<{ now: Instant; before: Instant }>()(
  'invitation.open',
  ({ db }, arg) =>
    db
      .selectFrom('invitations')
      .select(['name', 'role', 'invited_by', 'created_at', 'expires_at'])
      .where('expires_at', '>', arg('now'))
      .where('created_at', '<=', arg('before'))
      .where('party_id', 'is', null)
      .orderBy('name'),
)

export const invitationsBy = statement<{ name: string }>()('invitation.by', ({ db }, arg) =>
  db.selectFrom('invitations').select('name').where('invited_by', '=', arg('name')),
)

/** Open invitations that somebody has made. */
export const withdrawInvitationsBy = statement<{ name: string }>()('invitation.withdrawAll', ({ db }, arg) =>
  db.deleteFrom('invitations').where('invited_by', '=', arg('name')).returning('name'),
)

/** What a database that was put back no longer knows the end of: sessions, links, and codes that count once. */
export const endAllSessions = statement<Record<never, never>>()('session.endEverybodys', ({ db }) =>
  db.deleteFrom('sessions').returning('digest'),
)

export const withdrawAllInvitations = statement<Record<never, never>>()(
  'invitation.withdrawEverybodys',
  ({ db }) => db.deleteFrom('invitations').returning('name'),
)

export const useUpRecoveryCodes = statement<{ at: Instant }>()('recoveryCode.useUp', ({ db }, arg) =>
  db
    .updateTable('recovery_codes')
    .set({ used_at: arg('at') })
    .where('used_at', 'is', null)
    .returning('digest'),
)
