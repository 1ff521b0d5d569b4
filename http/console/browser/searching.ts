/** The box for searching: a key leads to it, and what is private goes into no address. */

/** Codes and e-mails: addresses are kept by browsers, and others may see them. */
const isPrivate = (text: string): boolean => text.includes('@') || /^\D*(?:\d[ -]?){15}\D*$/.test(text)

export function improveSearch(): void {
  const form = document.querySelector<HTMLFormElement>('form.find')
  const box = form?.querySelector<HTMLInputElement>('input[name=q]')
  if (!form || !box) return
  form.addEventListener('submit', () => {
    const token = document.querySelector<HTMLInputElement>('.who input[name=form_token]')
    const isSent = token !== null && isPrivate(box.value)
    form.method = isSent ? 'post' : 'get'
    // A page that the browser had kept may still have the one from before.
    form.querySelector('input[name=form_token]')?.remove()
    if (isSent) form.append(token.cloneNode())
  })
  document.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event
    const isWriting = target instanceof Element && target.closest('input, textarea, select') !== null
    if (key !== '/' || ctrlKey || metaKey || altKey || isWriting) return
    event.preventDefault()
    box.focus()
    box.select()
  })
}
