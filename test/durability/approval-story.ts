/** What is asked for while its node is killed: money that the node books, and a person whose password only whoever asked has. */
export const approvalDeposit = {
  merchant: 'Shop',
  reference: 'SPEI 1',
  amount: '1000.01',
  currency: 'MXN',
  reason: 'seen at the bank',
}

export const approvalPerson = { name: 'joe', role: 'viewer', password: 'a long and quiet night' }
