/** What a printed statement says, in the languages of those who get one. */
import type { Locale } from '../../pages/locale.ts'

export interface PrintTexts {
  title: (number: number) => string
  print: string
  back: string
  party: string
  currency: string
  days: string
  zone: string
  closed: string
  opening: string
  closing: string
  due: string
  /** Above zero, below zero, nothing. */
  whoPays: readonly [operator: string, party: string, nobody: string]
  dueOn: string
  later: string
  postponed: (from: string) => string
  open: string
  summary: string
  settled: string
  notSettled: string
  by: Readonly<Record<'payment' | 'set_off' | 'reversal', (of: string) => string>>
  lines: string
  columns: Readonly<
    Record<'line' | 'at' | 'day' | 'what' | 'order' | 'lines' | 'amount' | 'fee' | 'tax' | 'balance', string>
  >
  about: (day: string) => string
  network: (id: string) => string
  digest: string
  previous: string
  first: string
  directions: Readonly<Record<'PAY_IN' | 'PAY_OUT', string>>
  /** Of postings, by their names; what has none is told by its name. */
  kinds: Readonly<Record<string, string>>
}

const es: PrintTexts = {
  title: (number) => `Estado de cuenta n.º ${number}`,
  print: 'Imprimir',
  back: 'Volver',
  party: 'Titular',
  currency: 'Moneda',
  days: 'Periodo',
  zone: 'Zona horaria',
  closed: 'Cerrado',
  opening: 'Saldo inicial',
  closing: 'Saldo final',
  due: 'Por liquidar',
  whoPays: ['a favor del titular', 'a cargo del titular', 'nada por liquidar'],
  dueOn: 'Se liquida el',
  later: 'con un estado de cuenta posterior',
  postponed: (from) => `aplazado desde el ${from}: día inhábil bancario`,
  open: 'Pendiente',
  summary: 'Resumen',
  settled: 'Liquidaciones',
  notSettled: 'Ninguna hasta ahora.',
  by: {
    payment: (of) => `Pago ${of}`,
    set_off: (of) => `Compensado con el estado de cuenta ${of}`,
    reversal: (of) => `Reversión ${of}`,
  },
  lines: 'Movimientos',
  columns: {
    line: 'N.º',
    at: 'Fecha y hora',
    day: 'Día',
    what: 'Concepto',
    order: 'Orden o referencia',
    lines: 'Movimientos',
    amount: 'Importe',
    fee: 'Comisión',
    tax: 'Impuesto',
    balance: 'Saldo',
  },
  about: (day) => `del ${day}`,
  network: (id) => `red ${id}`,
  digest: 'Huella (SHA-256)',
  previous: 'Huella del anterior',
  first: 'es el primero',
  directions: { PAY_IN: 'Cobro', PAY_OUT: 'Retiro' },
  kinds: {
    settle: 'en efectivo',
    honour: 'reconocido después',
    reclaim: 'recuperado',
    deposit: 'Depósito',
    reverse: 'Depósito revertido',
    payment_book: 'Pago por banco',
    payment_bounce: 'Pago devuelto',
    payment_receive: 'Recibido por banco',
    payment_withdraw: 'Recibido por banco, devuelto',
    adjustment: 'Ajuste',
    claim: 'Reclamación',
    exchange: 'Cambio',
  },
}

const pt: PrintTexts = {
  title: (number) => `Extrato n.º ${number}`,
  print: 'Imprimir',
  back: 'Voltar',
  party: 'Titular',
  currency: 'Moeda',
  days: 'Período',
  zone: 'Fuso horário',
  closed: 'Fechado',
  opening: 'Saldo inicial',
  closing: 'Saldo final',
  due: 'A liquidar',
  whoPays: ['a favor do titular', 'a cargo do titular', 'nada a liquidar'],
  dueOn: 'Liquidação em',
  later: 'com um extrato posterior',
  postponed: (from) => `adiado de ${from}: dia sem expediente bancário`,
  open: 'Pendente',
  summary: 'Resumo',
  settled: 'Liquidações',
  notSettled: 'Nenhuma até agora.',
  by: {
    payment: (of) => `Pagamento ${of}`,
    set_off: (of) => `Compensado com o extrato ${of}`,
    reversal: (of) => `Reversão ${of}`,
  },
  lines: 'Lançamentos',
  columns: {
    line: 'N.º',
    at: 'Data e hora',
    day: 'Dia',
    what: 'Histórico',
    order: 'Pedido ou referência',
    lines: 'Lançamentos',
    amount: 'Valor',
    fee: 'Tarifa',
    tax: 'Imposto',
    balance: 'Saldo',
  },
  about: (day) => `de ${day}`,
  network: (id) => `rede ${id}`,
  digest: 'Resumo criptográfico (SHA-256)',
  previous: 'O do anterior',
  first: 'é o primeiro',
  directions: { PAY_IN: 'Recebimento', PAY_OUT: 'Saque' },
  kinds: {
    settle: 'em dinheiro',
    honour: 'reconhecido depois',
    reclaim: 'recuperado',
    deposit: 'Depósito',
    reverse: 'Depósito estornado',
    payment_book: 'Pagamento por banco',
    payment_bounce: 'Pagamento devolvido',
    payment_receive: 'Recebido por banco',
    payment_withdraw: 'Recebido por banco, devolvido',
    adjustment: 'Ajuste',
    claim: 'Reclamação',
    exchange: 'Câmbio',
  },
}

const en: PrintTexts = {
  title: (number) => `Statement no. ${number}`,
  print: 'Print',
  back: 'Back',
  party: 'Account of',
  currency: 'Currency',
  days: 'Period',
  zone: 'Time zone',
  closed: 'Closed',
  opening: 'Opening balance',
  closing: 'Closing balance',
  due: 'Due',
  whoPays: ['in favour of the account holder', 'owed by the account holder', 'nothing is due'],
  dueOn: 'Due on',
  later: 'with a later statement',
  postponed: (from) => `postponed from ${from}, when banks are closed`,
  open: 'Outstanding',
  summary: 'Summary',
  settled: 'Settled by',
  notSettled: 'Nothing so far.',
  by: {
    payment: (of) => `Payment ${of}`,
    set_off: (of) => `Set off against statement ${of}`,
    reversal: (of) => `Reversal ${of}`,
  },
  lines: 'Entries',
  columns: {
    line: 'No.',
    at: 'Date and time',
    day: 'Day',
    what: 'Description',
    order: 'Order or reference',
    lines: 'Entries',
    amount: 'Amount',
    fee: 'Fee',
    tax: 'Tax',
    balance: 'Balance',
  },
  about: (day) => `of ${day}`,
  network: (id) => `network ${id}`,
  digest: 'Digest (SHA-256)',
  previous: 'Digest of the one before',
  first: 'this is the first',
  directions: { PAY_IN: 'Pay-in', PAY_OUT: 'Pay-out' },
  kinds: {
    settle: 'in cash',
    honour: 'honoured later',
    reclaim: 'reclaimed',
    deposit: 'Deposit',
    reverse: 'Deposit reversed',
    payment_book: 'Payment by bank',
    payment_bounce: 'Payment returned',
    payment_receive: 'Received by bank',
    payment_withdraw: 'Received by bank, returned',
    adjustment: 'Adjustment',
    claim: 'Claim',
    exchange: 'Exchange',
  },
}

export const printTexts: Readonly<Record<Locale, PrintTexts>> = { es, pt, en }
