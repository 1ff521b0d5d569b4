/** A chart that is larger than its frame: closer and further by buttons or the wheel with Ctrl, and moved by dragging it. */
import { textOf } from './texts.ts'

const steps = [1, 1.5, 2, 3, 4] as const

export function letZoom(main: HTMLElement): void {
  for (const drawing of main.querySelectorAll<HTMLElement>('.drawing')) {
    const svg = drawing.querySelector<SVGSVGElement>('svg')
    if (svg === null || drawing.dataset.zoom !== undefined) continue
    drawing.dataset.zoom = '0'
    zoomable(drawing, svg)
    draggable(drawing)
  }
}

function zoomable(drawing: HTMLElement, svg: SVGSVGElement): void {
  const go = (by: 1 | -1) => {
    const place = Math.min(steps.length - 1, Math.max(0, Number(drawing.dataset.zoom) + by))
    const times = steps[place] ?? 1
    const before = drawing.scrollWidth
    drawing.dataset.zoom = String(place)
    svg.style.maxWidth = times === 1 ? '' : 'none'
    svg.style.width = times === 1 ? '' : `${times * 100}%`
    // What was in the middle stays there.
    const grown = drawing.scrollWidth / before
    drawing.scrollLeft = (drawing.scrollLeft + drawing.clientWidth / 2) * grown - drawing.clientWidth / 2
    drawing.scrollTop = (drawing.scrollTop + drawing.clientHeight / 2) * grown - drawing.clientHeight / 2
  }
  const bar = document.createElement('p')
  bar.className = 'zoom'
  bar.append(
    button('−', textOf('zoomOut'), () => go(-1)),
    button('+', textOf('zoomIn'), () => go(1)),
  )
  drawing.before(bar)
  drawing.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      go(event.deltaY < 0 ? 1 : -1)
    },
    { passive: false },
  )
}

function button(sign: string, label: string, press: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = 'quiet'
  made.textContent = sign
  made.setAttribute('aria-label', label)
  made.addEventListener('click', press)
  return made
}

function draggable(drawing: HTMLElement): void {
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
