/** Lo que vence y lo que se paga, a quién y de quién. */

import { type Counted, countedIn } from '../counted.ts'
import type { Texts } from '../en.ts'

const counted = countedIn('es')

export const settlement: Texts['settlement'] = {
  today: 'Hoy',
  utc: (day) => `${day}, UTC`,
  upToTodayToWhom: 'hasta hoy, a quién y de quién',
  settlementIsStoppedSinceA: 'La liquidación está detenida desde que se restauró una copia de seguridad',
  noDayIsClosedAnd:
    'No se cierra ningún día ni se ordena ningún pago hasta que se contabilice lo que bancos y redes reportan desde la copia de seguridad.',
  resumeSettlement: 'Reanudar la liquidación',
  onlyOnceEveryEntryOf:
    'Solo cuando cada movimiento bancario desde la copia de seguridad esté contabilizado: lo que falte se pagaría de nuevo.',
  settlementToday: 'Liquidación de hoy',
  statementsOverdue: 'estados de cuenta vencidos',
  fallDueToday: 'vencen hoy',
  paymentsOnTheirWay: 'pagos en camino',
  providersNearTheirLimit: 'proveedores cerca de su límite',
  statementsNotSealedYet: 'estados de cuenta sin sellar',
  open: 'Pendiente',
  whatIsLeftOfAll: 'lo que queda de todos los estados de cuenta',
  nothingIsOpen: 'No hay nada pendiente.',
  toDo: 'Por hacer',
  overdue: 'Vencido',
  later: 'Más adelante',
  carried: 'Arrastrado',
  since: (first) => `desde ${first}`,
  from: (first) => `a partir de ${first}`,
  onTheirWay: 'En camino',
  paymentsThatNoBankHas: 'pagos que ningún banco ha contabilizado aún',
  noPaymentIsOnIts: 'No hay pagos en camino.',
  firstOrdered: 'Primero ordenado',
  whatProvidersOweHoldOr:
    'lo que los proveedores deben, tienen tomado o pueden deber; al llegar al límite se rechazan sus cobros',
  noProviderHasALimit: 'Ningún proveedor tiene límite.',
  ofIt: 'Utilizado',
  allOfIt: 'todo',
  warnsFromOn: (percent) => `avisa desde el ${percent} %`,
  closingNext: 'Próximos cierres',
  byThemselvesAsTheTerms: 'automáticos, según las condiciones',
  nothingClosesByItselfNo: 'Nada se cierra solo: ninguna parte tiene condiciones de liquidación.',
  closeTheDayOfAnAccount: 'Cerrar el día de una cuenta',
  todaysDayEndsWithIt: 'Con ello termina el día de hoy: lo que llegue a partir de ahora es del siguiente.',
  closeTheDay: 'Cerrar el día',
  forExampleMxn: 'Por ejemplo MXN',
  hasNoLineInSince: (party, currency, day) =>
    `${party} no tiene líneas en ${currency} desde su último estado de cuenta: no hay ninguna hasta ${day}.`,
  noStatement: 'Sin estado de cuenta',
  statementAsItWouldBe: (number) => `El estado de cuenta ${number}, tal como quedaría`,
  nothingWasClosedGoBack: 'No se cerró nada. El botón de abajo cierra la cuenta tal como se muestra.',
}

export const statement: Texts['statement'] = {
  statementOf: (number, party) => `Estado de cuenta ${number} de ${party}`,
  statementsOf: (party) => `Estados de cuenta de ${party}`,
  itIsNotSealedYet: 'Todavía no está sellado',
  itsAmountsAreFixedIts:
    'Sus importes son definitivos. Sus líneas se guardan, y se avisa a la parte, en cuanto su número conste fuera de la base de datos.',
  itFallsDueOn: (day) => `Vence el ${day}`,
  banksTurnedOutToBe: (day) => `Resultó que los bancos no abren el ${day}.`,
  printIt: 'Imprimir',
  tableCsv: 'Tabla (CSV)',
  withItsDigestJson: 'Con su huella (JSON)',
  in: (number, currency) => `${number} en ${currency}`,
  withALaterStatement: 'con un estado de cuenta posterior',
  postponedTo: 'Aplazado al',
  digest: 'Huella',
  digestBeforeIt: 'Huella del anterior',
  itIsTheFirst: 'es el primero',
  nothingIsDue: 'nada por liquidar',
  thePartyPays: 'paga la parte',
  theOperatorPays: 'paga el operador',
  itHasNoLinesNothing: 'No tiene líneas: no llegó nada desde el anterior.',
  itsLinesAreNotStored: 'Sus líneas todavía no están guardadas.',
  whatItAddsUp: 'Resumen',
  balance: 'Saldo',
  whatSettledIt: 'Liquidado con',
  payment: 'pago',
  statement: (number) => `estado de cuenta ${number}`,
  setOff: 'compensado',
  reversal: 'reversión',
  noMoreLines: 'No hay más líneas.',
  about: (day) => `del ${day}`,
  network: (network) => `red ${network}`,
  nextLines: 'Líneas siguientes',
}

export const statements: Texts['statements'] = {
  numbersThatARestoreHas: 'Números que se perdieron en una restauración',
  theyWereGivenAndAre: (numbers) => `${numbers}: se asignaron, y no se asignan de nuevo.`,
  lastDayFrom: 'Último día desde',
  lastDayTo: 'Último día hasta',
  noMatchingStatements: 'No hay estados de cuenta que coincidan.',
  was: (day) => `era el ${day}`,
}

export const payments: Texts['payments'] = {
  noPayments:
    'No hay pagos que mostrar. Los pagos se ordenan a partir de lo que vence, o se contabilizan cuando entra dinero.',
  paymentsOfTheRun: 'Pagos del lote',
  upTo: (day) => `hasta ${day}`,
  theRunWasCutOff: (id) => `El lote ${id} quedó interrumpido`,
  goOnWithTheRun: (id) => `Continuar con el lote ${id}`,
  itPaysNothingTwice: 'No todos sus pagos están ordenados. Al continuar, nada se paga dos veces.',
  makeTheFileForThe: 'Crear el archivo para el banco',
  theSameFileEachTime:
    'Siempre el mismo archivo. Una vez creado, ningún pago que contenga se puede retirar sin enviar.',
  makeTheFile: 'Crear el archivo',
  orderAllThatIsDue: 'Ordenar todo lo que vence',
  everythingThatThisBankAccount: 'Todo lo que esta cuenta bancaria puede pagar, en un lote con un archivo.',
  orderOnePayment: 'Ordenar un pago',
  order: 'Ordenar',
  bookMoneyThatCameIn: 'Contabilizar dinero recibido',
  ofAProviderItSettles: 'De un proveedor liquida lo que debe; de un comercio es un depósito.',
  itFitsNothingItWould: 'No corresponde a nada: quedaría en suspenso.',
  theFileForTheBank: 'El archivo para el banco',
  theRun: 'El lote',
  total: 'Total',
  sha256: 'SHA-256',
  downloadIt: 'Descargarlo',
}

export const payment: Texts['payment'] = {
  payment: (id) => `Pago ${id}`,
  returned: 'Devuelto',
  whatItSettles: 'Lo que liquida',
  nothing: 'Nada.',
  whatItWasTold: 'Lo que se le comunicó',
  theBankHasIt: 'El banco lo tiene',
  theBankHasBookedIt: 'El banco lo contabilizó',
  itCameBackOrWas: 'Fue devuelto, o no se envió',
  theBankTookItBack: 'El banco lo retiró',
  whatItSettledIsDue: 'Lo que liquidaba vuelve a estar por liquidar.',
  returnIt: 'Devolverlo',
  thePayment: 'El pago',
}

export const run: Texts['run'] = {
  whatWouldBeOrdered: 'Lo que se ordenaría',
  nothingWasOrderedGoBack: 'No se ordenó nada. El botón de abajo lo ordena tal como se muestra.',
  theRunAndItsFile: 'El lote y su archivo',
  leftOut: 'Excluidos',
  dueAndNotOrdered: 'vencen, y no se ordenan',
  bankAccount: 'Cuenta bancaria',
  dueUpTo: 'Vence hasta',
  together: 'En total',
  nobodyIsPaid: 'No se paga a nadie.',
}

export const due: Texts['due'] = {
  nothingIsDue: 'No hay nada por liquidar.',
  pay: 'Pagar',
  collect: 'Cobrar',
}

export const posted: Texts['posted'] = {
  accountOf: (kind, party) => `${kind} de ${party}`,
  nothingMoves: 'No se mueve nada.',
  debit: 'Debe',
  credit: 'Haber',
  wouldBook: 'Se contabilizaría:',
  cannotBeUndone: 'No se puede deshacer: una corrección es un asiento aparte.',
  whatWouldBeBooked: 'Lo que se contabilizaría',
  nothingWasBookedGoBack: 'Todavía no se contabilizó nada. El botón de abajo lo contabiliza como se muestra.',
}

export const withdrawal: Texts['withdrawal'] = {
  withdrawForAMerchant: 'Retirar el saldo de un comercio',
  ofOneThatIsSettled:
    'De uno que se liquida a solicitud. Su cuenta se cierra hasta este momento, y lo retirado vence con su estado de cuenta.',
  withdraw: 'Retirar',
  nobodyCanWithdrawOfThe:
    'Nadie puede retirar: entre los comercios no congelados, ninguno tiene condiciones que lo liquiden a solicitud y que nombren una cuenta.',
  withdrawalAsItWouldBe: 'La retirada de saldo, tal como quedaría',
  nothingWasWithdrawnGoBack: 'No se retiró nada. El botón de abajo lo hace tal como se muestra.',
}

export const bank: Texts['bank'] = {
  nothingIsBooked: 'No hay nada contabilizado.',
  whatItIs: 'Concepto',
  valueDay: 'Fecha valor',
  about: 'Sobre',
  aConversion: 'una conversión',
  bankStatement: 'Extracto bancario',
  holdABanksStatementAgainst: 'Extracto bancario: cotejarlo con los pagos',
  entryNumber: 'Movimiento',
  textOfTheBank: 'Texto del banco',
  eachEntryIsBookedOnce:
    'Cada movimiento se contabiliza una vez. Un pago que se identifica se contabiliza; si solo coincide el importe, se le propone a usted.',
  camt053: 'camt.053',
  camt053OrCsv: 'camt.053 o CSV',
  atMost32Mb: 'Como máximo 32 MB, en el formato indicado junto al nombre del banco.',
  noColumnsAreSet: 'No se lee CSV: no hay columnas definidas (apply, banks[].statement)',
  whatTheStatementComesTo: 'Lo que resulta del extracto',
  theStatementIsBooked: 'El extracto está contabilizado',
  theStatementIsWorkedOn: 'El extracto se está cotejando con los pagos',
  entriesAreRead: (read: Counted) =>
    `${counted(read, 'movimiento leído', 'movimientos leídos')} hasta ahora.`,
  ofEntriesAreDone: (judged: string, read: string) => `${judged} de ${read} movimientos están hechos.`,
  sendItAgainToBook: 'Todavía no se contabilizó nada: el botón de abajo lo contabiliza como se muestra.',
  paymentsHaveThisAmount: (payments) =>
    `${counted(payments, 'pago tiene', 'pagos tienen')} este importe. Solo usted puede decir si es el suyo: contabilícelo en su página.`,
  nothingIsBookedYet: 'Todavía no se ha contabilizado nada',
  bookedAndWaiting: (open) =>
    `Contabilizado; ${counted(open, 'movimiento espera', 'movimientos esperan')} una decisión`,
  allEntriesAreDone: 'Todos los movimientos están hechos',
  itCouldNotBeWorkedOn: 'No se pudo trabajar con el extracto',
  entries: 'Movimientos',
  thereIsNoEntryIn: 'No contiene movimientos.',
  bookALineThatIs: 'Contabilizar un movimiento que no es de ninguna parte',
  sayWhoseItIs: 'Decir de quién es',
  itWasSentBack: 'Contabilizar que se devolvió',
  itIsBookedAsA: 'Se contabiliza como un pago de esa parte.',
}

export const adjustments: Texts['adjustments'] = {
  nothingWasCorrected: 'No hay ajustes.',
  becauseOf: 'Causa',
  corrects: 'Corrige',
  whatWasWrong: 'Qué estaba mal',
  correctALine: 'Corregir una línea',
  itIsALineOf:
    'Es una línea propia en el próximo estado de cuenta de la parte. Lo que está cerrado queda como está.',
  statementLine: (statement, line) => `estado de cuenta ${statement}, línea ${line}`,
}

export const conversions: Texts['conversions'] = {
  nothingWasConverted: 'No hay conversiones.',
  whereItWent: 'Destino',
  sold: 'Vendido',
  proceeds: 'Producto',
  bookedAt: 'Valor contable',
  recordWhatLeftATreasury: 'Registrar lo que salió de una tesorería',
  itWasSeenLeavingAnd: 'Se vio salir, y es una excepción hasta que alguien diga qué es.',
  bookWhatBrought: (money) => `Contabilizar el producto de ${money}`,
  ofTheTransaction: (transaction) => `De la transacción ${transaction}.`,
}
