/** O que cerca cada página, e o que os scripts dizem. */
import { type Counted, countedIn } from '../counted.ts'
import type { Texts } from '../en.ts'

const counted = countedIn('pt')

export const frame: Texts['frame'] = {
  name: 'Português',
  skip: 'Ir para o conteúdo',
  console: 'Console',
  trail: 'Você está aqui',
  everything: 'Tudo',
  searchEverything: 'Buscar em tudo',
  searchHint: 'Id, últimos dígitos, código, e-mail, telefone, referência, nome',
  search: 'Buscar',
  signOut: 'Sair',
  zone: (zone) => `Os dias e horários são do fuso ${zone}.`,
  otherZone: 'Escolher outro fuso ou idioma',
  olderOnes: 'Anteriores',
  downloadCsv: 'Baixar como CSV',
  atMostLines: (lines) => `No máximo ${lines} linhas`,
  thisList: 'Esta lista',
  optional: 'opcional',
  menu: 'Menu',
  sections: { daily: 'Dia a dia', money: 'Dinheiro', integration: 'Integração', node: 'Nó' },
  weekdays: ['seg', 'ter', 'qua', 'qui', 'sex', 'sáb', 'dom'],
  days: (from, to) => `${from} a ${to}`,
  ages: {
    seconds: ({ text }: Counted) => `${text} s`,
    minutes: ({ text }: Counted) => `${text} min`,
    hours: ({ text }: Counted) => `${text} h`,
    days: (days) => counted(days, 'dia', 'dias'),
  },
  yes: 'sim',
  no: 'não',
  chartSize: 'Tamanho',
  wholeChart: 'Inteiro',
  percent: (number: string) => `${number}%`,
  clock: {
    ahead: (by: string) => `O relógio deste sandbox está ${by} adiantado em relação ao real.`,
    moving: (to: string) => `Está sendo adiantado até ${to}.`,
  },
  scripts: {
    copy: 'Copiar',
    copied: 'Copiado',
    notCopied: 'Não copiado',
    it: 'o valor',
    changed: 'Esta página mudou. Saia do formulário ou recarregue para vê-la.',
    offline: 'Sem conexão com o nó: esta página pode estar desatualizada.',
    justNow: 'agora mesmo',
    inAMoment: 'em instantes',
    noPasskeys:
      'Este navegador não tem chaves de acesso aqui. Elas funcionam no endereço indicado em operator.publicUrl.',
    passkeyFailed: 'A chave de acesso não foi usada. Tente de novo.',
    idle: 'Sua sessão terminará em dois minutos.',
    stay: 'Continuar na sessão',
  },
}
