/** Words of what a bank has done. */
export const bankWords = {
  bank_sent_back: 'bank sent back',
  bank_identified: 'bank identified',
  bank_charge: 'bank charge',
  bank_interest: 'interest of the bank',
  bank_tax_payment: 'tax paid',
  bank_tax_refund: 'tax given back',
  bank_capital: 'capital',
}
