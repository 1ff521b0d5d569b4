/** A chart as a Mermaid text, for documents that draw it themselves. */
import type { ChartOutline, OutlinedState } from './chart-outline.ts'

const identifier = (id: string) => id.replaceAll(/\W/g, '_')

export function mermaidOf({ root, transitions }: ChartOutline): string {
  return [
    'stateDiagram-v2',
    ...root.children.flatMap((child) => stateLines(child, '  ')),
    ...(root.initial === null ? [] : [`  [*] --> ${identifier(root.initial)}`]),
    ...transitions.map(({ from, to, event, guard }) => {
      const label = [event, guard === '' ? '' : `[${guard}]`].filter((part) => part !== '').join(' ')
      return `  ${identifier(from)} --> ${identifier(to)}${label === '' ? '' : ` : ${label}`}`
    }),
    '',
  ].join('\n')
}

function stateLines(state: OutlinedState, indent: string): string[] {
  const id = identifier(state.id)
  const name = `${indent}state "${state.label}" as ${id}`
  if (state.isFinal) return [name, `${indent}${id} --> [*]`]
  if (state.children.length === 0) return [name]
  return [
    `${name} {`,
    ...(state.initial === null ? [] : [`${indent}  [*] --> ${identifier(state.initial)}`]),
    ...state.children.flatMap((child) => stateLines(child, `${indent}  `)),
    `${indent}}`,
  ]
}
