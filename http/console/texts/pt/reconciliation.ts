/** O que as redes informam, comparado com o que está contabilizado. */
import { countedIn } from '../counted.ts'
import type { Texts } from '../en.ts'

const counted = countedIn('pt')

export const reconciliation: Texts['reconciliation'] = {
  thereIsNoNetworkYet: 'Ainda não há redes: elas vêm com seus provedores.',
  csvAtMost32Mb: 'CSV, no máximo 32 MB.',
  lookAtANetworksReport: 'Examinar o relatório de uma rede',
  nothingIsChangedBeforeYou: 'Nada é alterado antes que você veja o resultado de cada linha.',
  lookAtIt: 'Examinar',
  daysWithDifferences: 'dias com diferenças',
  differencesToLookAt: 'diferenças a examinar',
  paymentsNotReportedYet: 'pagamentos ainda não informados',
  daysReconciled: 'dias conciliados',
  withoutACurrencyNothingCan: (provider) => `${provider}; sem moeda nada pode ser comparado`,
  daysOf: (network) => `Dias de ${network}`,
  waiting: (pending) => `${pending} em espera`,
  waitingFor: (pending, days) => `${pending} à espera de ${days}`,
  network: 'Rede',
  toLookAt: (open) => `${open} a examinar`,
}

export const reconciliationDay: Texts['reconciliationDay'] = {
  allDifferences: 'todas as diferenças',
  notReportedYet: 'ainda não informado',
  onlyHere: 'só aqui',
  onlyThere: 'só lá',
  anotherAmount: 'outro valor',
  anotherDay: 'outro dia',
  anotherStatus: 'outro estado',
  reportedTwice: 'informado duas vezes',
  takenBack: 'estornado',
  threeSides: 'Os três lados',
  lineByLine: 'Linha por linha',
  toLookAt: 'A examinar',
  report: 'Relatório',
  noneYet: 'ainda não há',
  linesBy: (lines, by) => `${counted(lines, 'linha', 'linhas')}, de ${by}`,
  linesBySoftware: (lines) => `${counted(lines, 'linha', 'linhas')}, do software dela`,
  applied: 'Aplicado',
  tolerated: 'Tolerância',
  beforeAndAfter: (days) => `${counted(days, 'dia', 'dias')} antes e depois`,
  theBankOfStatement: (number) => `o banco, do extrato ${number}`,
  of: (due) => `de ${due}`,
  ofDueOn: (due, day) => `de ${due}, vence em ${day}`,
  bookedHere: 'contabilizado aqui',
  payments: (payments) => counted(payments, 'pagamento', 'pagamentos'),
  theNetworkSays: 'a rede diz',
  theBank: 'o banco',
  noStatementTellsOfThe: 'nenhum extrato fala deste dia ainda',
  allLines: (all) => `todas as linhas (${all})`,
  linesOfTheDay: 'Linhas do dia',
  theNetworkSays2: 'A rede diz',
  itNames: 'Menciona',
  notHereYet: 'O relatório deste dia ainda não está aqui',
  sendIt: 'Envie-o aqui quando a rede o tiver.',
  waits: 'O dia espera um relatório posterior',
  waitsFor: (payments, network, days) =>
    `${counted(payments, 'pagamento nosso não está', 'pagamentos nossos não estão')} neste relatório. Enquanto o relatório de ${network} de ${days} não chegar, ele ainda pode mencioná-los; o que ele não mencionar vira uma exceção.`,
  sendReportOf: (day) => `Enviar o relatório de ${day}`,
  isFinishing: 'Está sendo concluído: olhe de novo daqui a pouco.',
  toSettle: (differences) => `${counted(differences, 'diferença', 'diferenças')} a resolver`,
  openEach: 'Abra a exceção de cada linha e diga o que houve; depois de cada uma você volta aqui.',
  otherDay: (day, differences) => `${day}: ${counted(differences, 'diferença', 'diferenças')} a resolver`,
  agrees: 'O dia está conciliado: não resta nada a fazer',
  formerTerms:
    'As condições da rede mudaram desde que este relatório foi avaliado: envie o mesmo arquivo de novo para que seja avaliado por elas.',
  sendAnother: 'Enviar o relatório de novo, ou um corrigido',
  open: 'aberta',
  settled: 'resolvida',
  on: (day) => `em ${day}`,
}

export const report: Texts['report'] = {
  itIsBeingRead: 'Está sendo lido',
  theFileIsRefusedAs: 'O arquivo é recusado por inteiro',
  nothingIsChangedYet: 'Nada foi alterado ainda',
  itIsBeingApplied: 'Está sendo aplicado',
  itIsApplied: 'Está aplicado',
  itCouldNotBeWorked: 'Não foi possível processá-lo',
  reportOf: (network, day) => `Relatório de ${network}, ${day}`,
  theVerySameFileCounts: 'O mesmo arquivo já vale para o dia: não há nada a fazer.',
  nothingNew: 'Nada novo',
  sameFileOtherTerms:
    'O mesmo arquivo já vale para esse dia; desde então as condições da rede mudaram, e agora ele é avaliado por elas.',
  totals: 'Ambos os lados',
  ourPayments: 'Pagamentos nossos que o arquivo não menciona',
  tellsOfAll: 'Menciona todos os nossos pagamentos.',
  becomesException: 'vira uma exceção',
  mayStillCome: (days) => `espera o relatório de ${days}`,
  missing: 'só aqui',
  applyLead: (exceptions) =>
    exceptions.count === 0
      ? 'Vale para o seu dia. Não resulta nenhuma exceção.'
      : `Vale para o seu dia. Resultado: ${counted(exceptions, 'exceção', 'exceções')}, uma por diferença.`,
  linesSoFar: (lines) => `${counted(lines, 'linha', 'linhas')} até agora.`,
  linesAreWrongAskThe: (lines) =>
    `${counted(lines, 'linha errada', 'linhas erradas')}. Peça à rede um arquivo corrigido, ou corrija o mapeamento nas condições dela: nada deste vale.`,
  theDayHasAnotherReport: (gone, appeared) =>
    `O dia tem outro relatório, que este substitui. Diferenças que somem: ${gone}; que surgem: ${appeared}.`,
  itSpeaksOfQuarantinedOrders: (orders) =>
    `Fala de ${counted(orders, 'pedido em quarentena', 'pedidos em quarentena')}, que contabiliza.`,
  ofLinesAreStored: (stored, read) => `Guardadas ${stored} de ${read} linhas.`,
  theLogSaysWhy: 'O log diz por quê.',
  seeTheDay: 'Ver o dia',
  linesByWhatTheyCome: 'Linhas por resultado',
  payments: 'pagamentos',
  applyIt: 'Aplicar',
  linesThatAreWrong: 'Linhas erradas',
  whatIsWrong: 'O que está errado',
  theFirstOf: (found, all) => `As primeiras ${found} de ${all}.`,
  linesThatDiffer: 'Linhas que diferem',
  theFirstOf2: (found, all) => `as primeiras ${found} de ${all}`,
  everyLineAgreesWithWhat: 'Cada linha coincide com o que está contabilizado.',
  theNetworkNames: 'A rede menciona',
  itSays: 'Diz',
}
