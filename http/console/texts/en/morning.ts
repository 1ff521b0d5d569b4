/** What matters in the morning. */
import { type Counted, countedIn } from '../counted.ts'

const counted = countedIn('en')

export const morning = {
  thisMorning: 'This morning',
  overdueStatements: 'statements overdue',
  dueToday: 'statements due today',
  nearTheirLimit: 'providers near their limit',
  daysNotReconciled: 'days not reconciled',
  ofTheLast: (days: Counted) => `of the last ${counted(days, 'day', 'days')}`,
  nothingToCompare: 'no network can be compared yet',
  yesterdayBesideLastWeek: 'Yesterday beside the same day last week',
  yesterday: {
    created: 'created yesterday',
    completed: 'completed yesterday',
    failed: 'cancelled or expired yesterday',
  },
  against: (change: string, day: string, count: string) => `${change} against ${day} (${count})`,
  orders: 'orders',
}
