/** What a text that somebody typed, or pasted, may be: ids, codes, numbers, names, in the ways that people write them. */
import { currencyDecimals } from '../../machines/money.ts'
import { oneSpelling } from '../../machines/written-names.ts'
import { amountOf, currency } from '../foundation/money-reading.ts'
import { Wrong } from '../foundation/reading.ts'

/** What is looked for, by what it is found by; what a text cannot be is missing. */
export interface Sought {
  id?: { prefix: string | null; ending: string | null }
  code?: string
  email?: string
  /** Of a consumer: as it was written. */
  phone?: string
  transaction?: { written: string; plain: string; marked: string }
  statement?: number
  /** A merchant's own id of an order, or a reference: as it was written. */
  reference?: string
  party?: string
  /** What an order is about, in minor units. */
  amount?: { minor: bigint; currency: string }
}

const maxLength = 254
/** Of an id: fewer digits are those of half of all orders. */
const leastDigits = 6
const mostEnding = 12
const idDigits = 32

/** @param text as it was typed; what is longer than any of what there is, is nothing */
export function readSought(text: string): Sought {
  const written = bare(linked(oneSpelling(text)))
  if (written === '' || written.length > maxLength) return {}
  const id = readId(written)
  const code = /^\d{15}$/.exec(written.replace(/[ -]/g, ''))?.[0]
  const transaction = readTransaction(written)
  const amount = readAmount(written)
  const statement = /^(?:statement|no\.?|nº|№|#)?[ #]*(\d{1,7})$/i.exec(written)?.[1]
  return {
    ...(id === null ? {} : { id }),
    ...(code === undefined ? {} : { code }),
    ...(/^[^@\s]+@[^@\s]+$/.test(written) ? { email: written } : {}),
    ...(isPhone(written) ? { phone: written } : {}),
    ...(transaction === null ? {} : { transaction }),
    ...(amount === null ? {} : { amount }),
    ...(statement === undefined ? {} : { statement: Number(statement) }),
    reference: written,
    ...(written.length < 2 ? {} : { party: written }),
  }
}

/** Without what is around a text that was copied: quotes, brackets, the dots of what was shortened. */
function bare(text: string): string {
  // Pages hold names of another direction together with signs that nobody sees.
  const seen = text.replaceAll(/[\u2066-\u2069]/g, '')
  return seen.replace(/^["'`<([{«“\s]+|["'`>)\]}»”,;\s]+$/g, '')
}

/** Of an address, of this console or of the checkout, what it is of: its last part. */
function linked(text: string): string {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  const path = url?.pathname ?? (/^\/[\w-]+\/./.test(text) ? text.replace(/[?#].*$/, '') : null)
  if (path === null) return text
  const number = url?.searchParams.get('number') ?? ''
  if (/\/statement$/.test(path) && number !== '') return number
  const last = path.split('/').findLast((part) => part !== '') ?? ''
  try {
    return oneSpelling(decodeURIComponent(last))
  } catch {
    return last
  }
}

/** `+52 55 1234 5678`, `(55) 1234-5678`, `5512345678`: fifteen digits without a country are a code. */
function isPhone(written: string): boolean {
  if (!/^\+?[\d ()./-]+$/.test(written)) return false
  const { length } = written.replace(/\D/g, '')
  return length >= 7 && length <= (written.startsWith('+') ? 15 : 14)
}

/** Digits of an id: all of them, the first, or the last ones, which are what tables show. */
function readId(written: string): NonNullable<Sought['id']> | null {
  const isEnding = /^(…|\.{2,})/.test(written)
  const text = written.replace(/^(…|\.{2,})|(…|\.{2,})$/g, '').toLowerCase()
  if (!/^[0-9a-f -]+$/.test(text)) return null
  const digits = text.replace(/[ -]/g, '')
  if (digits.length < leastDigits || digits.length > idDigits) return null
  return {
    prefix: isEnding ? null : hyphenated(digits),
    ending: digits.length <= mostEnding ? digits : null,
  }
}

/** `0195…` → `0195…-…`: 8, 4, 4, 4 and 12 digits. */
function hyphenated(digits: string): string {
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ]
    .filter((part) => part !== '')
    .join('-')
}

/** Hexadecimal ones have 64 digits; Solana's are up to 88 signs, in which upper and lower case differ. */
function readTransaction(written: string): NonNullable<Sought['transaction']> | null {
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(written)?.[1]?.toLowerCase()
  if (digits !== undefined) return { written: digits, plain: digits, marked: `0x${digits}` }
  if (!/^[1-9A-HJ-NP-Za-km-z]{64,90}$/.test(written)) return null
  return { written, plain: written, marked: written }
}

/** `438.00 MXN`, `MXN 1,250`, `1.250,50 mxn`: as people write amounts of the currencies that there are. */
function readAmount(written: string): NonNullable<Sought['amount']> | null {
  const [, before, after] = /^(?:([a-z]{3})\s*(?=[\d.,]+$))?[\d.,]+(?:\s*([a-z]{3}))?$/i.exec(written) ?? []
  const of = currency((before ?? after ?? '').toUpperCase())
  if (of instanceof Wrong || (before !== undefined && after !== undefined)) return null
  const figures = written.replace(/[^\d.,]/g, '')
  const minor = amountOf(of)(plainAmount(figures, currencyDecimals(of)))
  return minor instanceof Wrong ? null : { minor, currency: of }
}

/** With a point before its decimals alone. */
function plainAmount(figures: string, decimals: number): string {
  // More than its currency has are no decimals.
  if (decimals < 3 && /^\d{1,3}(\.\d{3})+$/.test(figures)) return figures.replaceAll('.', '')
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(figures)) return figures.replaceAll(',', '')
  if (/^\d{1,3}(\.\d{3})+,\d+$/.test(figures)) return figures.replaceAll('.', '').replace(',', '.')
  return /^\d+,\d{1,2}$/.test(figures) ? figures.replace(',', '.') : figures
}
