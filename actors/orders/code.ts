/** Order codes: what the end user shows at the counter, reads out, or has scanned. */
import { randomInt } from 'node:crypto'

/** The code the end user presents: 14 random digits and their Luhn check digit. */
export function generateCode(): string {
  const digits = String(randomInt(10 ** 14)).padStart(14, '0')
  return digits + luhnDigit(digits)
}

/** Whether a code could be one of ours: a slip of the finger nearly always breaks it. */
export function hasCheckDigit(code: string): boolean {
  return /^\d{15}$/.test(code) && luhnDigit(code.slice(0, 14)) === code.slice(14)
}

function luhnDigit(digits: string): string {
  let sum = 0
  for (const [index, digit] of [...digits].reverse().entries()) {
    const weighted = Number(digit) * (index % 2 === 0 ? 2 : 1)
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return String((10 - (sum % 10)) % 10)
}
