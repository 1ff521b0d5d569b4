/**
 * The floors inside a room, the lowest first: a folder imports those above it in its list, never one below it,
 * so that no two folders go round in a circle, not even through different files.
 */
export const floors: Readonly<Record<string, readonly string[]>> = {
  actors: [
    'foundation', // what every subject stands on: worker, operation, root, leading
    'exceptions', // what waits for an operator: kinds, ids, documents
    'outbound', // where a request of ours may go
    'keys', // secrets, signatures
    'condition', // ready or not, and why: clock, drain, alarms, backups
    'people', // who may sign in
    'parties', // merchants and providers
    'terms', // what was agreed on with parties: days, calendars, fees, limits
    'rates', // what a currency is worth
    'anchors', // journal heads kept outside the database
    'webhooks', // what merchants are told
    'orders', // what an order is told, and what comes of it
    'quotes', // what is promised for a while
    'chains', // deposits and transactions on blockchains
    'inspection', // charts and journals, looked at
    'provisioning', // `apply`
    'ledger', // the ledger, for other programs
    'settlement', // statements, payments, corrections, lines of banks
    'approvals', // what needs a second person
    'notifications', // who is told of what happened, and how
    'reconciliation', // what networks and banks say, held against what is booked
    'claims', // what was handled otherwise than it is booked, as somebody says
    'verification', // whether what is stored is true
    'archive', // what is final and old
    'evidence', // what is known of an order, for others
    'erasure', // personal data, forgotten
    'resolutions', // what resolves each exception
    'sandbox', // lives that nobody lives, and receivers that fail
    'search', // everything, found by what people have in hand
    'operations', // what spans several subjects
  ],
  http: [
    'catalogue', // every refusal there is, and its text
    'foundation', // bodies, errors, formats
    'pages', // what pages share
    'limits', // how much, how often
    'operator', // whose requests the listener takes
    'inspector', // charts, live
    'api', // signed routes, their checks and their document
    'checkout', // what end users see
    'console', // what operators see
  ],
  node: [
    'settings', // what a node is told
    'backup', // copies of the database
    'metrics', // what Prometheus reads
    'front', // the public listener, and what it asks of the core
  ],
  cli: [
    'service', // systemd
    'demo', // the story, told
    'commands', // one file a group
  ],
  persistence: [
    'migrations', // how the schema came about
    'queries', // statements, by subject
    'sqlite', // the embedded engine
    'postgres', // the engine of several hosts
  ],
  chain: ['evm', 'solana', 'stellar'],
}
