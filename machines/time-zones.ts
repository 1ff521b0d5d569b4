/** Names of IANA zones. */

/** Whether Node knows the zone. Fixed offsets (`+03:00`) and made-up names are none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
