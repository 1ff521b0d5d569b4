/** What matters in the morning: what is due, how much is at stake, which days are not reconciled, and how yesterday went. */
import type { Overview } from '../../../actors/operations/overview.ts'
import { reconciliationDays } from '../../../actors/reconciliation/day-operations.ts'
import { settlementToday } from '../../../actors/settlement/today.ts'
import { addDays } from '../../../actors/terms/days.ts'
import type { Block, Tone } from '../blocks.ts'
import { count } from '../cells.ts'
import { isolated } from '../isolated.ts'
import type { PageRequest } from '../page.ts'
import type { Said } from '../view.ts'

type Tile = Extract<Block, { kind: 'tiles' }>['items'][number]

/** Reports come a day or more later; what is older than these waits in the room of reconciliation. */
const daysLookedAt = 7

export async function morningBlocks(request: PageRequest): Promise<Block[]> {
  return [
    {
      kind: 'tiles',
      label: ({ morning }) => morning.thisMorning,
      items: [...(await dueTiles(request)), await reconciledTile(request)],
    },
  ]
}

async function dueTiles({ ask }: PageRequest): Promise<Tile[]> {
  const { open, exposure } = await ask(settlementToday, {})
  const countOf = (since: 'overdue' | 'today') =>
    open.filter((one) => one.since === since).reduce((sum, { statements }) => sum + statements, 0)
  const sums = (since: 'overdue' | 'today'): Said => {
    const of = open.filter((one) => one.since === since)
    return (_, view) => of.map(({ amount, currency }) => view.money(amount, currency)).join(', ')
  }
  const near = exposure.filter(({ warns }) => warns)
  const [overdue, today] = [countOf('overdue'), countOf('today')]
  return [
    {
      label: ({ morning }) => morning.overdueStatements,
      value: count(overdue),
      tone: overdue === 0 ? 'plain' : 'bad',
      href: '/statements?state=overdue',
      note: sums('overdue'),
    },
    {
      label: ({ morning }) => morning.dueToday,
      value: count(today),
      tone: today === 0 ? 'plain' : 'waiting',
      href: '/settlement',
      note: sums('today'),
    },
    {
      label: ({ morning }) => morning.nearTheirLimit,
      value: count(near.length),
      tone: near.length === 0 ? 'plain' : 'waiting',
      href: '/settlement',
      note: near
        .slice(0, 3)
        .map(({ provider, percent }) => `${isolated(provider)} ${percent ?? '–'} %`)
        .join(', '),
    },
  ]
}

/** Days on which something was paid, or is told, and that do not agree yet. */
async function reconciledTile({ ask, now }: PageRequest): Promise<Tile> {
  const today = new Date(now).toISOString().slice(0, 10)
  const { networks } = await ask(reconciliationDays, {
    from: addDays(today, -daysLookedAt),
    to: addDays(today, -1),
  })
  // Of a network without a currency nothing can be told.
  const canCompare = networks.some(({ currency }) => currency !== null)
  const waiting = networks
    .flatMap(({ days }) => days)
    .filter(({ state, open, pending, lines }) => state !== 'reconciled' && open + pending + lines > 0)
  const differing = waiting.some(({ open }) => open > 0)
  return {
    label: ({ morning }) => morning.daysNotReconciled,
    value: canCompare ? count(waiting.length) : '–',
    tone: waiting.length === 0 ? 'plain' : differing ? 'bad' : 'waiting',
    href: '/reconciliation',
    note: ({ morning }, view) =>
      canCompare ? morning.ofTheLast(view.counted(daysLookedAt)) : morning.nothingToCompare,
  }
}

/** Yesterday beside the same weekday a week before: days of the week differ more than weeks do. */
export function comparedBlocks({ days }: Pick<Overview, 'days'>): Block[] {
  const [yesterday, before] = [days.at(-2), days.at(-9)]
  if (yesterday === undefined || before === undefined) return []
  const tile = (name: 'created' | 'completed' | 'failed', isGood: boolean | null): Tile => {
    const [is, was] = [yesterday[name], before[name]]
    return {
      label: ({ morning }) => morning.yesterday[name],
      value: count(is),
      tone: toneOf(is, was, isGood),
      href: `/orders?from=${yesterday.day}&to=${yesterday.day}${statusOf[name]}`,
      note: ({ morning }, view) => morning.against(change(is, was), view.day(before.day), view.number(was)),
    }
  }
  return [
    {
      kind: 'tiles',
      label: ({ morning }) => morning.yesterdayBesideLastWeek,
      items: [tile('created', null), tile('completed', true), tile('failed', false)],
    },
  ]
}

/** Of ended orders no list has the day on which they ended: created ones of that day are the nearest. */
const statusOf = { created: '', completed: '&status=COMPLETED', failed: '' } as const

function change(is: number, was: number): string {
  if (was === 0) return is === 0 ? '±0 %' : '+∞'
  const percent = Math.round(((is - was) / was) * 100)
  return percent > 0 ? `+${percent} %` : percent < 0 ? `−${-percent} %` : '±0 %'
}

/** A fifth more or less is nothing that anybody has to look at. */
function toneOf(is: number, was: number, isGood: boolean | null): Tone {
  if (isGood === null || Math.abs(is - was) <= Math.max(5, was / 5)) return 'plain'
  return is > was === isGood ? 'good' : 'waiting'
}
