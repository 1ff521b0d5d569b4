/** Por qué una línea del reporte de una red no coincide: un texto por código. */
import type { ReasonTexts } from '../en/reasons.ts'

const called = { paid: 'pagada', reversed: 'revertida' }

export const reasons: ReasonTexts = {
  several_orders: (it) => `La red la da por ${called[it.called]}; su referencia es la de varias órdenes.`,
  archived: (it) =>
    `La red la da por ${called[it.called]}; la orden está en el archivo desde el ${it.since}.`,
  unknown_order: (it) => `La red la da por ${called[it.called]}; aquí no existe esa orden.`,
  unknown_reference: (it) => `La red la da por ${called[it.called]}; aquí no existe esa referencia.`,
  reported_before: ({ line, day }) =>
    `Su pago está reportado dos veces: también lo menciona la línea ${line}${day === null ? '' : ` del ${day}`}.`,
  other_network: ({ network }) => `Aquí se pagó por la red ${network}.`,
  other_amount: ({ theirs, ours }) => `La red dice ${theirs}, y la orden ${ours}.`,
  other_day: ({ day }) => `Aquí se pagó el ${day}.`,
  claimed_back: ({ claim }) => `Aquí la reclamación ${claim} la revirtió por no pagada.`,
  other_provider: () => 'Aquí la pagó otro proveedor.',
  unpaid: ({ status }) => `Aquí su estado es: ${status}.`,
  held_by_others: ({ status }) =>
    `Aquí su estado es: ${status}, y este proveedor no fue el último en tomarla.`,
  other_price: ({ status, theirs, price }) =>
    `Aquí su estado es: ${status}; la red dice ${theirs}, y su precio es ${price}.`,
  undecided: ({ status }) => `Aquí su estado es: ${status}; indique qué pasó con su efectivo.`,
  given_back: ({ status }) => `Aquí su estado es: ${status}, y su dinero se devolvió.`,
  denied: ({ status }) => `Aquí su estado es: ${status}, y se dijo que no se pagó.`,
  never_held: () => 'La red la da por revertida; este proveedor nunca tuvo la orden.',
  taken_back: () => 'La red revirtió el pago; aquí sigue contabilizado.',
  not_paid_there: () => 'La red dice que no se pagó; aquí está pagada.',
  under_way: () => 'Aquí su pago está en curso.',
  quarantined_currency: ({ ours, currency }) => `Está en cuarentena, y en ${ours}, no en ${currency}.`,
  quarantined_price: ({ price }) => `Está en cuarentena, y su precio es ${price}.`,
  quarantined_problem: ({ problem }) => `Está en cuarentena, y no se puede contabilizar: ${problem}.`,
  pending: () => 'Un reporte posterior puede mencionarlo.',
  unreported: () => 'Ningún reporte la menciona; aquí está pagada.',
}
