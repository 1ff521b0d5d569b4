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
  makeALink: 'Make a link',
  linkOf: (name: string) => `The link for ${name}`,
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
