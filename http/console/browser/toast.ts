/** What a form has done is told for a while, and the address says it no more: neither a reload nor a copied link tells it again. */
export function showToast(): void {
  const url = new URL(location.href)
  if (url.searchParams.has('done')) {
    url.searchParams.delete('done')
    history.replaceState(history.state, '', url)
  }
  const toast = document.querySelector<HTMLElement>('.toast')
  if (toast === null) return
  toast.classList.add('floating')
  setTimeout(() => toast.remove(), 8000)
}
