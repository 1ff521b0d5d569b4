/** A form that stands open beside its page, as a dialog of its own: the keyboard stays in it, and Escape closes it as its link does. */
export function openPanel(): void {
  const panel = document.querySelector<HTMLDialogElement>('dialog.panel[open]')
  const href = panel?.querySelector<HTMLAnchorElement>('a.close')?.href
  if (panel === null || href === undefined) return
  panel.close()
  panel.showModal()
  panel.addEventListener('cancel', (event) => {
    event.preventDefault()
    location.assign(href)
  })
}
