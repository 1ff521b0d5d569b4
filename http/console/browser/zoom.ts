/** A chart that is larger than its frame: its size is chosen with the wheel and Ctrl as well, and it is moved by dragging it. */

export function letZoom(main: HTMLElement): void {
  for (const frame of main.querySelectorAll<HTMLElement>('.chart-frame')) {
    const drawing = frame.querySelector<HTMLElement>('.drawing')
    if (drawing === null || drawing.dataset.pans !== undefined) continue
    drawing.dataset.pans = ''
    letWheel(frame, drawing)
    letDrag(drawing)
    showMiddle(drawing)
  }
}

/** Where the chart is wider than its frame, the state it is in is shown, or the one it begins in. */
function showMiddle(drawing: HTMLElement): void {
  const shown = drawing.querySelector('.on > rect, .begin')?.getBoundingClientRect()
  if (shown === undefined) return
  const { left, width } = drawing.getBoundingClientRect()
  drawing.scrollLeft += shown.left + shown.width / 2 - left - width / 2
}

function letWheel(frame: HTMLElement, drawing: HTMLElement): void {
  const sizes = [...frame.querySelectorAll<HTMLInputElement>('.zoom input')]
  drawing.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      const place = sizes.findIndex(({ checked }) => checked) + (event.deltaY < 0 ? 1 : -1)
      const chosen = sizes[place]
      if (chosen === undefined) return
      const { left, top } = drawing.getBoundingClientRect()
      const at = { x: event.clientX - left, y: event.clientY - top }
      const before = drawing.scrollWidth
      chosen.checked = true
      // What the pointer is on stays under it.
      const grown = drawing.scrollWidth / before
      drawing.scrollLeft = (drawing.scrollLeft + at.x) * grown - at.x
      drawing.scrollTop = (drawing.scrollTop + at.y) * grown - at.y
    },
    { passive: false },
  )
}

function letDrag(drawing: HTMLElement): void {
  drawing.addEventListener('pointerdown', (down) => {
    if (down.pointerType !== 'mouse' || down.button !== 0) return
    const { scrollLeft, scrollTop } = drawing
    const move = (event: PointerEvent) => {
      drawing.scrollLeft = scrollLeft - (event.clientX - down.clientX)
      drawing.scrollTop = scrollTop - (event.clientY - down.clientY)
    }
    const stop = () => removeEventListener('pointermove', move)
    addEventListener('pointermove', move)
    addEventListener('pointerup', stop, { once: true })
  })
}
