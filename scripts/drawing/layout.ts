/** Where everything of a chart is: elkjs, which knows about states within states and about labels on their arrows. */
import ElkConstructor, { type ElkExtendedEdge, type ElkNode, type ElkPoint } from 'elkjs'
import type { ChartOutline, OutlinedState } from '../../actors/inspection/chart-outline.ts'
import { type Arrow, arrowsOf, type Line, placedTransitions, sizeOf, stateLines } from './parts.ts'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface StateBox extends Box {
  state: OutlinedState
  lines: readonly Line[]
}

export interface DrawnArrow {
  arrow: Arrow
  /** The card of its labels, on it. */
  card: Box
  /** From the state to the card, and from the card to the state. */
  paths: readonly (readonly ElkPoint[])[]
}

export interface Layout {
  width: number
  height: number
  states: readonly StateBox[]
  arrows: readonly DrawnArrow[]
  /** Where each state begins. */
  beginnings: readonly { dot: Box; path: readonly ElkPoint[] }[]
}

const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.spacing.nodeNodeBetweenLayers': '22',
  'elk.spacing.nodeNode': '22',
  'elk.spacing.edgeNode': '14',
  'elk.spacing.edgeEdge': '14',
  'elk.layered.spacing.edgeNodeBetweenLayers': '14',
  'elk.padding': '[top=16,left=16,bottom=16,right=16]',
} as const

const dotSize = 12

export async function layoutOf(outline: ChartOutline): Promise<Layout> {
  const transitions = placedTransitions(outline)
  const arrows = arrowsOf(transitions)
  const lines = new Map<string, readonly Line[]>()
  const states: OutlinedState[] = []
  const nodeOf = (state: OutlinedState): ElkNode => {
    states.push(state)
    const own = stateLines(state, transitions)
    lines.set(state.id, own)
    const size = sizeOf(own)
    if (state.children.length === 0) return { id: state.id, ...size }
    const top = size.height + 10
    return {
      id: state.id,
      layoutOptions: {
        // No state has its parent's options.
        ...options,
        'elk.padding': `[top=${top},left=18,bottom=18,right=18]`,
        'elk.nodeSize.constraints': 'MINIMUM_SIZE',
        'elk.nodeSize.minimum': `(${size.width}, ${size.height})`,
      },
      children: childrenOf(state),
    }
  }
  const childrenOf = (state: OutlinedState): ElkNode[] => [
    ...(state.initial === null ? [] : [{ id: `${state.id} begins`, width: dotSize, height: dotSize }]),
    // What comes first here is further up, so each label comes after the state that it leads out of.
    ...initialFirst(state).flatMap((child) => [
      nodeOf(child),
      ...arrows
        .filter(({ from, to }) => commonOf(from, to) === state.id && isWithin(from, child.id))
        .map(({ id, lines: labels }) => ({ id, ...sizeOf(labels) })),
    ]),
  ]
  const edge = (id: string, from: string, to: string): ElkExtendedEdge => ({
    id,
    sources: [from],
    targets: [to],
  })
  const begun = (state: OutlinedState): ElkExtendedEdge[] => [
    ...(state.initial === null ? [] : [edge(`${state.id} begins at`, `${state.id} begins`, state.initial)]),
    ...state.children.flatMap(begun),
  ]
  const laid: ElkNode = await new ElkConstructor.default().layout({
    id: outline.root.id,
    layoutOptions: options,
    children: childrenOf(outline.root),
    edges: [
      ...begun(outline.root),
      ...arrows.flatMap(({ id, from, to }) => [edge(`${id} 1`, from, id), edge(`${id} 2`, id, to)]),
    ],
  })
  // It leaves a name of its compiler's behind.
  Reflect.deleteProperty(globalThis, 'goog')
  const boxes = new Map(allNodes(laid).map((node) => [node.id, boxOf(node)]))
  const paths = new Map((laid.edges ?? []).map((each) => [each.id, pathOf(each)]))
  const box = (id: string) => boxes.get(id) ?? { x: 0, y: 0, width: 0, height: 0 }
  const path = (id: string) => paths.get(id) ?? []
  return {
    width: Math.ceil(laid.width ?? 0),
    height: Math.ceil(laid.height ?? 0),
    states: states.map((state) => ({ state, lines: lines.get(state.id) ?? [], ...box(state.id) })),
    arrows: arrows.map((arrow) => ({
      arrow,
      card: box(arrow.id),
      paths: [path(`${arrow.id} 1`), path(`${arrow.id} 2`)],
    })),
    beginnings: [outline.root, ...states]
      .filter(({ initial }) => initial !== null)
      .map(({ id }) => ({ dot: box(`${id} begins`), path: path(`${id} begins at`) })),
  }
}

function initialFirst({ children, initial }: OutlinedState): OutlinedState[] {
  const isInitial = ({ id }: OutlinedState) => initial !== null && isWithin(initial, id)
  return [...children.filter(isInitial), ...children.filter((child) => !isInitial(child))]
}

function isWithin(id: string, state: string): boolean {
  return id === state || id.startsWith(`${state}.`)
}

/** The state that both are in. */
function commonOf(from: string, to: string): string {
  const parent = (id: string) => id.slice(0, id.lastIndexOf('.'))
  let common = parent(from)
  while (!to.startsWith(`${common}.`)) common = parent(common)
  return common
}

function allNodes(node: ElkNode): ElkNode[] {
  return (node.children ?? []).flatMap((child) => [child, ...allNodes(child)])
}

function boxOf({ x = 0, y = 0, width = 0, height = 0 }: ElkNode): Box {
  return { x, y, width, height }
}

function pathOf({ sections = [] }: ElkExtendedEdge): ElkPoint[] {
  return sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [
    startPoint,
    ...bendPoints,
    endPoint,
  ])
}
