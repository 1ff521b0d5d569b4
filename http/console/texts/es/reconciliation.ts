/** Lo que reportan las redes, cotejado con lo contabilizado. */
import { countedIn } from '../counted.ts'
import type { Texts } from '../en.ts'

const counted = countedIn('es')

export const reconciliation: Texts['reconciliation'] = {
  thereIsNoNetworkYet: 'Todavía no hay redes: llegan con sus proveedores.',
  csvAtMost32Mb: 'CSV, como máximo 32 MB.',
  lookAtANetworksReport: 'Revisar el reporte de una red',
  nothingIsChangedBeforeYou: 'No se cambia nada antes de que vea el resultado de cada línea.',
  lookAtIt: 'Revisarlo',
  daysWithDifferences: 'días con diferencias',
  differencesToLookAt: 'diferencias por revisar',
  paymentsNotReportedYet: 'pagos aún no reportados',
  daysReconciled: 'días conciliados',
  withoutACurrencyNothingCan: (provider) => `${provider}; sin moneda no se puede comparar nada`,
  daysOf: (network) => `Días de ${network}`,
  waiting: (pending) => `${pending} en espera`,
  waitingFor: (pending, days) => `${pending} en espera del ${days}`,
  network: 'Red',
  toLookAt: (open) => `${open} por revisar`,
}

export const reconciliationDay: Texts['reconciliationDay'] = {
  allDifferences: 'todas las diferencias',
  notReportedYet: 'aún no reportado',
  onlyHere: 'solo aquí',
  onlyThere: 'solo allí',
  anotherAmount: 'otro importe',
  anotherDay: 'otro día',
  anotherStatus: 'otro estado',
  reportedTwice: 'reportado dos veces',
  takenBack: 'revertido',
  threeSides: 'Los tres lados',
  lineByLine: 'Línea por línea',
  toLookAt: 'Por revisar',
  report: 'Reporte',
  noneYet: 'todavía no hay',
  linesBy: (lines, by) => `${counted(lines, 'línea', 'líneas')}, de ${by}`,
  linesBySoftware: (lines) => `${counted(lines, 'línea', 'líneas')}, de su software`,
  applied: 'Aplicado',
  tolerated: 'Tolerancia',
  beforeAndAfter: (days) => `${counted(days, 'día', 'días')} antes y después`,
  theBankOfStatement: (number) => `el banco, del estado de cuenta ${number}`,
  of: (due) => `de ${due}`,
  ofDueOn: (due, day) => `de ${due}, vence el ${day}`,
  bookedHere: 'contabilizado aquí',
  payments: (payments) => counted(payments, 'pago', 'pagos'),
  theNetworkSays: 'dice la red',
  theBank: 'el banco',
  noStatementTellsOfThe: 'ningún estado de cuenta habla aún de este día',
  allLines: (all) => `todas las líneas (${all})`,
  linesOfTheDay: 'Líneas del día',
  theNetworkSays2: 'Dice la red',
  itNames: 'Menciona',
  notHereYet: 'El reporte de este día todavía no está',
  sendIt: 'Envíelo aquí cuando la red lo tenga.',
  waits: 'El día espera un reporte posterior',
  waitsFor: (payments, network, days) =>
    `${counted(payments, 'pago nuestro no está', 'pagos nuestros no están')} en este reporte. Mientras no llegue el reporte de ${network} del ${days}, aún puede mencionarlos; lo que no mencione pasará a ser una excepción.`,
  sendReportOf: (day) => `Enviar el reporte del ${day}`,
  isFinishing: 'Se está terminando: vuelva a mirar en un momento.',
  toSettle: (differences) => `${counted(differences, 'diferencia', 'diferencias')} por resolver`,
  openEach: 'Abra la excepción de cada línea e indique qué pasó; después de cada una vuelve aquí.',
  otherDay: (day, differences) => `${day}: ${counted(differences, 'diferencia', 'diferencias')} por resolver`,
  agrees: 'El día está conciliado: no queda nada por hacer',
  formerTerms:
    'Las condiciones de la red cambiaron desde que se evaluó este reporte: envíe de nuevo el mismo archivo para que se evalúe con ellas.',
  sendAnother: 'Enviar el reporte de nuevo, o uno corregido',
  open: 'abierta',
  settled: 'resuelta',
  on: (day) => `el ${day}`,
}

export const report: Texts['report'] = {
  itIsBeingRead: 'Se está leyendo',
  theFileIsRefusedAs: 'El archivo se rechaza por completo',
  nothingIsChangedYet: 'Todavía no se ha cambiado nada',
  itIsBeingApplied: 'Se está aplicando',
  itIsApplied: 'Está aplicado',
  itCouldNotBeWorked: 'No se pudo procesar',
  reportOf: (network, day) => `Reporte de ${network}, ${day}`,
  theVerySameFileCounts: 'El mismo archivo ya vale para ese día: no hay nada que hacer.',
  nothingNew: 'Nada nuevo',
  sameFileOtherTerms:
    'El mismo archivo ya vale para ese día; desde entonces cambiaron las condiciones de la red, y ahora se evalúa con ellas.',
  totals: 'Ambos lados',
  ourPayments: 'Pagos nuestros que el archivo no menciona',
  tellsOfAll: 'Menciona todos nuestros pagos.',
  becomesException: 'pasa a ser una excepción',
  mayStillCome: (days) => `espera el reporte del ${days}`,
  missing: 'solo aquí',
  applyLead: (exceptions) =>
    exceptions.count === 0
      ? 'Vale para su día. No resulta ninguna excepción.'
      : `Vale para su día. Resultado: ${counted(exceptions, 'excepción', 'excepciones')}, una por cada diferencia.`,
  linesSoFar: (lines) => `${counted(lines, 'línea', 'líneas')} hasta ahora.`,
  linesAreWrongAskThe: (lines) =>
    `${counted(lines, 'línea incorrecta', 'líneas incorrectas')}. Pida a la red un archivo corregido, o corrija la asignación de columnas en sus condiciones: nada de este vale.`,
  theDayHasAnotherReport: (gone, appeared) =>
    `El día tiene otro reporte, al que este sustituye. Diferencias que desaparecen: ${gone}; que aparecen: ${appeared}.`,
  itSpeaksOfQuarantinedOrders: (orders) =>
    `Habla de ${counted(orders, 'orden en cuarentena', 'órdenes en cuarentena')}, que contabiliza.`,
  ofLinesAreStored: (stored, read) => `Guardadas ${stored} de ${read} líneas.`,
  theLogSaysWhy: 'El registro dice por qué.',
  seeTheDay: 'Ver el día',
  linesByWhatTheyCome: 'Líneas por resultado',
  payments: 'pagos',
  applyIt: 'Aplicarlo',
  linesThatAreWrong: 'Líneas incorrectas',
  whatIsWrong: 'Qué está mal',
  theFirstOf: (found, all) => `Las primeras ${found} de ${all}.`,
  linesThatDiffer: 'Líneas que difieren',
  theFirstOf2: (found, all) => `las primeras ${found} de ${all}`,
  everyLineAgreesWithWhat: 'Cada línea coincide con lo contabilizado.',
  theNetworkNames: 'La red menciona',
  itSays: 'Dice',
}
