/** Palabras de lo que hizo un banco. */
export const bankWords = {
  bank_sent_back: 'enviado de vuelta por banco',
  bank_identified: 'identificado',
  bank_charge: 'cargo bancario',
  bank_interest: 'intereses del banco',
  bank_tax_payment: 'pago de impuestos',
  bank_tax_refund: 'devolución de impuestos',
  bank_capital: 'capital',
}
