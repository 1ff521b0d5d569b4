/** Values as people read them. */

/** `2026-03-01 12:00:05`: of the times that are compared all day, each begins at the same place. */
export function readableTime(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ')
}

/** `1234567.50` → `1,234,567.50`. */
export function grouped(amount: string): string {
  const [whole = '', ...fraction] = amount.split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.')
}

/** Words of a name in a program, for people: `payOutLocal` → `pay out local`. */
export function words(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
