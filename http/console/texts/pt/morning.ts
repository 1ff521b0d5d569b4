/** O que importa de manhã. */
import { type Counted, countedIn } from '../counted.ts'

const counted = countedIn('pt')

export const morning = {
  thisMorning: 'Esta manhã',
  overdueStatements: 'extratos vencidos',
  dueToday: 'extratos que vencem hoje',
  nearTheirLimit: 'provedores perto do limite',
  daysNotReconciled: 'dias sem conciliar',
  ofTheLast: (days: Counted) => `dos últimos ${counted(days, 'dia', 'dias')}`,
  nothingToCompare: 'ainda nenhuma rede pode ser comparada',
  yesterdayBesideLastWeek: 'Ontem, ao lado do mesmo dia da semana anterior',
  yesterday: {
    created: 'criados ontem',
    completed: 'concluídos ontem',
    failed: 'cancelados ou expirados ontem',
  },
  against: (change: string, day: string, count: string) => `${change} em relação a ${day} (${count})`,
  orders: 'pedidos',
}
