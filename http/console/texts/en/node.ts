/** The node itself, its rates, backups and blockchains, and the inspector. */

export const node = {
  exchangeRatesByChainAnd: 'Exchange rates by chain and pair.',
  notUsed: 'not used',
  auditLog: 'Audit log',
  operation: 'Operation',
  noChangesYet: 'No changes yet.',
  noMatchingChanges: 'No matching changes.',
  askedWith: 'Asked with',
  acceptTheClock: 'Accept the clock',
  itShowsWhatFellDue: (now: string) => `It shows ${now}. What fell due meanwhile expires at once.`,
  sandboxClock: 'The clock of the sandbox',
  sandboxClockLead: 'Whatever falls due until then comes about, in its order. The clock only goes forward.',
  sandboxClockLast: (from: string, to: string) => `Last moved from ${from} to ${to}`,
  advanceClock: 'Move it ahead',
  resetClock: 'Stop, or set it back',
  resetClockLead:
    'A clock that is being moved stops where it is. One that stands is set back, as long as nothing was written by it.',
  cameAbout: {
    ordersExpired: 'Orders expired',
    simulations: 'Simulations carried out',
    webhookAttempts: 'Webhook attempts',
    statementsClosed: 'Statements closed',
    approvalsExpired: 'Approvals expired',
    notifications: 'Notifications',
    exceptionsOpened: 'Exceptions opened',
    ordersArchived: 'Orders archived',
  },
  verifyTheDatabase: 'Verify the database',
  recomputesEveryBalanceJournalAnd:
    'Recomputes every balance, journal and anchor while the node serves. A million orders take a few minutes.',
  verifyNow: 'Verify now',
  statusOk: 'Status: OK',
  statusSomethingNeedsToBe: 'Status: something needs to be done',
  checks: 'Checks',
  endTheDrain: 'End the drain',
  theNodeIsDrainedIt:
    'The node is drained: it takes no new orders, quotes or starts. What was begun can be finished.',
  drainForMaintenance: 'Drain for maintenance',
  noNodeOverThisDatabase:
    'No node over this database takes new orders, quotes or starts until you end the drain here; a restart does not end it. Confirmations, releases, webhooks and chain reading continue.',
  drain: 'Drain',
  settingsInForce: 'Settings in force',
  asReadWhenTheNode: 'As read when the node started. Those that differ from their defaults come first.',
  settings: 'Settings',
  setting: 'Setting',
  meaning: 'Meaning',
  notSet: 'not set',
  default: 'default',
  consistent: 'Consistent',
  inconsistent: 'Inconsistent',
  holds: 'Holds',
}

export const backups = {
  aBackupHasBeenRunning: (since: string, told: string) =>
    `A backup has been running since ${since}: ${told}.`,
  noBackupFolderIsConfigured:
    'No backup folder is configured: set backups.folder, preferably on another disk.',
  theNodeMakesThemIn: (folder: string) => `The node makes them in ${folder}.`,
  backups: 'Backups',
  backup: 'Backup',
  size: 'Size',
  verified: 'Verified',
  mib: (maximumFractionDigits: string) => `${maximumFractionDigits} MiB`,
  makeABackupNow: 'Make a backup now',
  aVerifiedCopyOfThe: 'A verified copy of the database as it is now, while the node serves.',
  backUpNow: 'Back up now',
}

export const chains = {
  blockchains: 'Blockchains',
  read: 'Read',
  completeTo: 'Complete to',
  behind: 'Behind',
  theDatabaseIsBeingVerified: (percent: number) => `The database is being verified: ${percent} % so far.`,
}

export const rescan = {
  readABlockchainAgain: 'Read a blockchain again',
  forWhatWasMissedWhat:
    'For what was missed. What would be recorded is shown first, and nothing is recorded by that.',
  look: 'Look',
  ordersThatWereCredited: 'Orders that were credited',
  noOrderWasCredited: 'No order was credited.',
  whatWouldBeRecorded: (chain: string, from: string) => `What would be recorded of ${chain} from ${from} on`,
  whatWasRecorded: (chain: string, from: string) => `What was recorded of ${chain} from ${from} on`,
  itWasReadToThe: 'It was read to the last final block.',
  itWasReadToRead: (next: string) => `It was read to ${next}: read on from there for the rest.`,
  notKnown: 'Not known',
  everythingThatWasReadIs: 'Everything that was read is on record.',
  inOrOut: 'In or out',
  wallet: 'Wallet',
  block: 'Block',
  recordIt: 'Record it',
  eachAsAnyChainDeposit:
    'Each as any chain deposit or outflow: orders are credited, and what fits none is an exception.',
  record: 'Record',
}

export const unannouncedRestore = {
  acceptTheRestore: 'Accept the restore',
  atTheStart: 'at the start',
  olderThanItsAnchors: 'the database is older than its anchors',
  foundAcceptingItOnlyEnds: (since: string, problem: string) =>
    `Found ${since}: ${problem}. Accepting it only ends the warning: quarantined orders and paused webhooks stay so until cleared.`,
}

export const rate = {
  to: (send: string, target: string, country: string) => `${send} to ${target} (${country})`,
  used: 'Used',
  whyNot: 'Why not',
  inDoubt: 'In doubt',
  inDoubtSince: 'In doubt since',
  mayMoveBy: 'May move by',
  expected: 'Expected',
  oldestThatIsUsed: 'Oldest that is used',
  sources: 'Sources',
  told: 'Told',
  askedAgain: 'Asked again',
  acceptTheRateInDoubt: 'Accept the rate in doubt',
  itsSourceMovedItFrom: (nothing: string, inDoubt: string) =>
    `Its source moved it from ${nothing} to ${inDoubt}, and no second source agrees. Quotes will use it: compare it with other publications first.`,
  acceptIt: 'Accept it',
}

export const inspector = {
  guard: 'Guard',
  guards: 'Guards at this step',
  wouldBecome: 'Would lead to',
  says: 'Says',
  inspector: 'Inspector',
  events: 'Events',
  became: 'Became',
  refused: (outcome: string) => `refused: ${outcome}`,
  workers: 'Workers',
  liveActorsNeverStored: 'live actors, never stored',
  noneRuns: 'None runs.',
  worker: 'Worker',
  charts: 'Charts',
  version: 'Version',
  anotherInspector: 'Another inspector',
  theSameAsMessagesOf:
    'The same, as messages of @statelyai/inspect, comes over a WebSocket of this listener at /inspect/ws, with this session’s cookie, or with the node’s token: ws://any:TOKEN@HOST:PORT/inspect/ws.',
  chart: (machine: string) => `Chart ${machine}`,
  neverStored: 'never stored',
  orderStepOf: (id: string, sequence: number, steps: number) => `Order ${id}, step ${sequence} of ${steps}`,
  theStepBefore: '← the step before',
  theNextStep: 'the next step →',
  itsPage: 'its page',
  itIs: (chart: string, to: string) => `${chart}: it is ${to}`,
  context: 'Context',
  whoSaidWhat: 'Who said what',
  steps: 'Steps',
  step: 'Step',
  effects: 'Effects',
  todaysChartDecidesDifferentlyFrom: 'Today’s chart decides differently from the journal',
  possibleNext: 'Possible next',
}

export const queue = {
  queue: 'Queue of effects',
  task: 'Task',
  whose: 'For',
  about: 'About',
  due: 'Due',
  leasedUntil: 'Leased until',
  theFirstAreShown: 'The first of each kind are shown, and counted: there are more.',
  nothingLeftToDo: 'Nothing is left to do, and nothing was given up.',
}
