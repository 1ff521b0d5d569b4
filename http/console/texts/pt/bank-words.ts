/** Palavras do que um banco fez. */
export const bankWords = {
  bank_sent_back: 'enviado de volta pelo banco',
  bank_identified: 'identificado',
  bank_charge: 'tarifa bancária',
  bank_interest: 'juros do banco',
  bank_tax_payment: 'pagamento de impostos',
  bank_tax_refund: 'restituição de impostos',
  bank_capital: 'capital',
}
