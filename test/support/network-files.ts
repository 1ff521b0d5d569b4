/**
 * Days of a network as its own software writes them, with mistakes that are known: it imports nothing of the program, and so shares
 * no mistake with what reads them.
 */

export interface CashPayment {
  /** Of the order. */
  code: string
  folio: string
  cents: number
  /** Seconds since the epoch, UTC. */
  at: number
}

export interface WrittenLine extends CashPayment {
  state: 'PAGADO' | 'REVERSADO' | 'RECHAZADO'
}

const pad = (value: number, length = 2) => String(value).padStart(length, '0')

function localTime(at: number): string {
  // Mexico City has had no summer time since 2022: UTC−6 all year.
  const local = new Date((at - 6 * 3600) * 1000)
  const day = `${pad(local.getUTCDate())}/${pad(local.getUTCMonth() + 1)}/${local.getUTCFullYear()}`
  return `${day} ${pad(local.getUTCHours())}:${pad(local.getUTCMinutes())}:${pad(local.getUTCSeconds())}`
}

/** `1.234,50`. */
function written(cents: number): string {
  const whole = String(Math.floor(cents / 100)).replace(/\B(?=(\d{3})+$)/g, '.')
  return `${whole},${pad(cents % 100)}`
}

export const mapping = {
  decimal: ',',
  dates: 'DD/MM/YYYY HH:mm:ss',
  timeZone: 'America/Mexico_City',
  columns: {
    number: 'No.',
    order: 'Código',
    reference: 'Folio',
    amount: 'Importe',
    paidAt: 'Fecha y hora',
    outcome: 'Estado',
  },
  outcomes: { paid: ['PAGADO'], reversed: ['REVERSADO'], notPaid: ['RECHAZADO'] },
  total: { label: 'TOTAL', count: 'Folio', amount: 'Importe' },
  toleratedDays: 1,
} as const

/** Its lines begin with the second. */
export function networkFile(lines: readonly WrittenLine[]): string {
  const rows = lines.map(({ code, folio, cents, at, state }, index) =>
    [index + 1, code, folio, `"${written(cents)}"`, localTime(at), state].join(';'),
  )
  const paid = lines.filter(({ state }) => state === 'PAGADO')
  const sum = paid.reduce((total, { cents }) => total + cents, 0)
  const head = 'No.;Código;Folio;Importe;Fecha y hora;Estado'
  return `\ufeff${[head, ...rows, `TOTAL;;${paid.length};"${written(sum)}";;`, ''].join('\r\n')}`
}

/** A small generator of numbers from a seed (mulberry32). */
export function chance(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
