/** A text as HTML has it, between tags and within quoted attributes. */
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const htmlText = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '')
