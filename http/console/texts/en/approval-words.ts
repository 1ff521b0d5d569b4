/** Words of approvals. */
export const approvalWords = {
  asked: 'asked',
  approved: 'approved',
  carried_out: 'carried out',
  void: 'void',
  ask: 'ask',
  approve: 'approve',
  refuse: 'refuse',
  carry_out: 'carry out',
  fail: 'fail',
  expire: 'expire',
  // Of what a sandbox is asked for.
  fault: 'fault',
}
