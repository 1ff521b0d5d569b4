/**
 * Tables for spreadsheets (RFC 4180, UTF-8 with a byte order mark). A spreadsheet guesses what a cell is, and splits at
 * commas, semicolons or tabs as its language has it: what a merchant writes into an order's fields must not run on an
 * operator's machine, whichever it is, and an identifier must not become a number.
 */

/** A text, or a number as decimal text. */
export type Cell = string | { number: string }

/** Without it Excel takes UTF-8 for the code page of its country. */
const byteOrderMark = '\ufeff'

/** The same sign may stand in its full width: Excel takes that for a formula, too. */
const formulaAtStart = /(?<=^|[,;|\t\r\n\v\f\u0085\u2028\u2029])(?=[\s"]*[=+\-@|＝＋－＠])/g

/** Digits with what numbers, dates, times and amounts are made of (`1E5`, `00012`, `3/4`, `10:30`), and truth values. */
const guessed = /^[\s$€£¥]*[\d.,]*\d[\d.,:/\s\-+%]*(e[+-]?\d+|[ap]\.?m\.?)?\s*$|^\s*(true|false)\s*$/i
const months =
  'jan(uary|eiro)?|ene(ro)?|feb(ruary|rero)?|fev(ereiro)?|mar(ch|zo|ço)?|apr(il)?|abr(il)?|mayo?|maio?|jun(e|io|ho)?|' +
  'jul(y|io|ho)?|aug(ust)?|ago(sto)?|sept?(ember|iembre)?|set(embro|iembre)?|oct(ober|ubre)?|out(ubro)?|' +
  'nov(ember|iembre|embro)?|dec(ember)?|dic(iembre)?|dez(embro)?'
/** `1 mar`, `MAR1`, `2026-Sep`. */
const dated = new RegExp(`^\\s*\\d*[\\s./-]*(${months})[\\s.,/-]*\\d*[\\s.,/-]*\\d*\\s*$`, 'i')

/** An apostrophe in front makes a text of a cell; where one is there already, the first is ours. */
function guarded(text: string): string {
  const safe = text.replace(formulaAtStart, "'")
  const isGuarded = safe.startsWith("'") && !text.startsWith("'")
  return !isGuarded && (text.startsWith("'") || guessed.test(text) || dated.test(text)) ? `'${safe}` : safe
}

function written(cell: Cell): string {
  if (typeof cell !== 'string' && /^-?\d+(\.\d+)?$/.test(cell.number)) return cell.number
  return `"${guarded(typeof cell === 'string' ? cell : cell.number).replaceAll('"', '""')}"`
}

export function csvRows(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(written).join(',')}\r\n`).join('')
}

/** The beginning of a file: its columns' names. */
export function csvHead(names: readonly string[]): string {
  return byteOrderMark + csvRows([names])
}
