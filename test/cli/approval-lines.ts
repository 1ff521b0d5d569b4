/** Commands about approvals, in an order in which each finds what it needs; they come last, since thresholds change what others do. */
export const approvalLines: readonly (readonly string[])[] = [
  ['approval', 'set-threshold', '--currency', 'MXN', '--amount', '500.00', '--reason', 'a bad day'],
  ['approval', 'thresholds'],
  ['deposit', 'add', 'Shop', 'SPEI 9', '--amount', '500.01', '--currency', 'MXN', '--reason', 'a bad day'],
  ['approval', 'list', '--state', 'open'],
  ['approval', 'show', '1'],
  ['approval', 'carry-out', '1'],
  ['approval', 'refuse', '1', '--reason', 'a bad day'],
  ['approval', 'withdraw', '1', '--reason', 'a bad day'],
  ['approval', 'remove-threshold', '--currency', 'MXN', '--reason', 'a bad day'],
]

/** Above a threshold; not approved yet; refused already; and a threshold takes two people, too. */
export const approvalRefusals = ['asked', 'conflict', 'conflict', 'asked'] as const
