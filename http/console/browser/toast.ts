/** What a form has done is told, and the address says it no more: neither a reload nor a copied link tells it again. */
export function forgetTold(): void {
  const url = new URL(location.href)
  if (!url.searchParams.has('done')) return
  url.searchParams.delete('done')
  history.replaceState(history.state, '', url)
}
