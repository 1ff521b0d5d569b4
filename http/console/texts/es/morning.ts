/** Lo que importa por la mañana. */
import { type Counted, countedIn } from '../counted.ts'

const counted = countedIn('es')

export const morning = {
  thisMorning: 'Esta mañana',
  overdueStatements: 'estados de cuenta vencidos',
  dueToday: 'estados de cuenta que vencen hoy',
  nearTheirLimit: 'proveedores cerca de su límite',
  daysNotReconciled: 'días sin conciliar',
  ofTheLast: (days: Counted) => `de los últimos ${counted(days, 'día', 'días')}`,
  nothingToCompare: 'aún no se puede comparar ninguna red',
  yesterdayBesideLastWeek: 'Ayer, junto al mismo día de la semana anterior',
  yesterday: {
    created: 'creadas ayer',
    completed: 'completadas ayer',
    failed: 'canceladas o vencidas ayer',
  },
  against: (change: string, day: string, count: string) => `${change} frente al ${day} (${count})`,
  orders: 'órdenes',
}
