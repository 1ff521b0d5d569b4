/** Tables for spreadsheets (RFC 4180). */

/**
 * A cell that a spreadsheet would take for a formula begins with an apostrophe instead: what a merchant writes into
 * an order's fields must not run on an operator's machine. Numbers below zero stay as they are.
 */
function cell(value: string): string {
  const isFormula = /^[\s]*[=+@\-|]/.test(value) || /^[\t\r\n]/.test(value)
  const isNumber = /^-?\d+(\.\d+)?$/.test(value)
  const text = isFormula && !isNumber ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export function csv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}
