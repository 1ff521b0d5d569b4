/** Who may sign in, and with what each proves who they are. */

export const account = {
  sessions: 'Your sessions',
  began: 'Began',
  lastSeen: 'Last seen',
  address: 'Address',
  browser: 'Browser',
  thisOne: 'this one',
  noSessions: 'There are none.',
  endASession: 'End a session',
  end: 'End',
  session: 'Session',
  sessionOf: (browser: string, address: string, began: string) => `${browser}, ${address}, since ${began}`,
  unknownBrowser: 'Unknown browser',
}

export const invitations = {
  invite: 'Invite an operator',
  inviteLead: 'A link makes one account, once, within 24 hours. Whoever opens it chooses the password.',
  inviteNow: 'Invite',
  linkOf: (name: string) => `The link for ${name}`,
  invitationOf: (name: string) => `The invitation for ${name}`,
  onItsWay: (address: string) =>
    `The link is on its way to ${address}. It works for 24 hours; what becomes of the mail is told below Notifications.`,
  passOn: 'Pass it on through a safe channel: whoever opens it first has the account.',
  open: 'Invitations',
  invitedBy: 'Invited by',
  until: 'Until',
  withdraw: 'Withdraw an invitation',
  withdrawIt: 'Withdraw',
  invitation: 'Invitation',
  secondFactor: 'Second factor',
  passkeys: (count: number) => (count === 1 ? 'a passkey' : `${count} passkeys`),
  authenticator: 'authenticator',
  join: 'Welcome',
  joinLead: (name: string, role: string, by: string) =>
    `${by} has invited you. Your name here is ${name}, and your role ${role}.`,
  choosePassword: 'Choose a password',
  joinIt: 'Make the account and sign in',
  gone: 'This invitation is no more',
  goneWhy: 'It was used, withdrawn, or is older than 24 hours. Ask for another one.',
}

export const factors = {
  second: 'Second factor',
  enterCode: 'Enter the code of your authenticator, or a recovery code.',
  code: 'Code',
  goOn: 'Go on',
  usePasskey: 'Use a passkey',
  confirm: 'Confirm that it is you',
  confirmLead:
    'What you asked for moves money, keys or people. Nothing was changed yet: it is done once this is right.',
  notProved: 'Not confirmed',
  problems: {
    wrong: 'This code is not right now. Authenticators show another one every 30 seconds.',
    used: 'This code was used already. Wait for the next one.',
    locked: 'Too many wrong codes: the authenticator is locked. A recovery code or a passkey unlocks it.',
    expired: 'That took too long, or was answered before. Try again.',
    invalid:
      'The answer of the passkey does not hold. It must come from the address that operator.publicUrl names.',
    cloned:
      'Two authenticators hold this passkey: it does not count any more. Use a recovery code, and add another passkey.',
  },
  must: 'Add a second factor',
  mustLead:
    'In production a password alone lets no administrator in. Add a passkey or an authenticator; nothing else can be reached until then.',
  yours: 'Your second factors',
  changeEnds: 'a change ends your other sessions',
  needsScripts:
    'A passkey needs the scripts of this page, which are off in this browser. An authenticator and recovery codes need none.',
  none: 'There is none: your password alone signs you in.',
  kind: 'Kind',
  name: 'Name',
  added: 'Added',
  lastUsed: 'Last used',
  passkey: 'Passkey',
  authenticator: 'Authenticator',
  cloned: 'copied: counts no more',
  locked: 'locked',
  recoveryCodes: 'Recovery codes',
  codesLeft: (left: number) => (left === 1 ? 'one is left' : `${left} are left`),
  addPasskey: 'Add a passkey',
  addPasskeyLead: (address: string) =>
    `A key, a phone or this computer proves that it is you. Passkeys work at ${address} alone.`,
  passkeyName: 'What you call it',
  passkeyHint: 'For example: blue key',
  addAuthenticator: 'Add an authenticator',
  authenticatorLead:
    'Scan the code with your authenticator, or type the secret. Then enter the code that it shows.',
  secret: 'Secret',
  codeToScan: 'The secret as a QR code',
  removePasskey: 'Remove a passkey',
  removeAuthenticator: 'Remove the authenticator',
  remove: 'Remove',
  renewCodes: 'Make new recovery codes',
  renewLead: 'Those from before count no more.',
  make: 'Make',
  yourCodes: 'Your recovery codes',
  codesLead:
    'Each signs you in once, where passkey and authenticator are lost. They are shown only now: print them, or keep them where you keep passwords.',
  ready: 'Go on',
}
