/** El nodo, sus tipos de cambio, copias de seguridad y blockchains, y el inspector. */
import type { Texts } from '../en.ts'

export const node: Texts['node'] = {
  exchangeRatesByChainAnd: 'Tipos de cambio por blockchain y par.',
  notUsed: 'no se usa',
  auditLog: 'Registro de auditoría',
  operation: 'Operación',
  noChangesYet: 'Todavía no hay cambios.',
  noMatchingChanges: 'No hay cambios que coincidan.',
  askedWith: 'Datos',
  acceptTheClock: 'Aceptar el reloj',
  itShowsWhatFellDue: (now) => `Marca ${now}. Lo que venció mientras tanto vence de inmediato.`,
  sandboxClock: 'El reloj del sandbox',
  sandboxClockLead: 'Todo lo que vence hasta entonces ocurre, en su orden. El reloj solo va hacia adelante.',
  sandboxClockLast: (from: string, to: string) => `Último adelanto: de ${from} a ${to}`,
  advanceClock: 'Adelantarlo',
  resetClock: 'Detener o atrasar',
  resetClockLead:
    'Un reloj que se está adelantando se detiene donde está. Uno detenido vuelve a la hora real, mientras nada se haya escrito con su hora.',
  cameAbout: {
    ordersExpired: 'Órdenes vencidas',
    simulations: 'Simulaciones realizadas',
    webhookAttempts: 'Intentos de webhook',
    statementsClosed: 'Estados de cuenta cerrados',
    approvalsExpired: 'Aprobaciones vencidas',
    notifications: 'Notificaciones',
    exceptionsOpened: 'Excepciones abiertas',
    ordersArchived: 'Órdenes archivadas',
  },
  verifyTheDatabase: 'Verificar la base de datos',
  recomputesEveryBalanceJournalAnd:
    'Recalcula cada saldo, diario y ancla sin interrumpir el servicio. Un millón de órdenes toma unos minutos.',
  verifyNow: 'Verificar ahora',
  statusOk: 'Estado: OK',
  statusSomethingNeedsToBe: 'Estado: hay algo por hacer',
  checks: 'Comprobaciones',
  endTheDrain: 'Terminar el drenado',
  theNodeIsDrainedIt:
    'El nodo está drenado: no acepta órdenes, cotizaciones ni inicios nuevos. Lo empezado se puede terminar.',
  drainForMaintenance: 'Drenar para mantenimiento',
  noNodeOverThisDatabase:
    'Ningún nodo sobre esta base de datos acepta órdenes, cotizaciones ni inicios nuevos hasta que termine aquí el drenado; un reinicio no lo termina. Siguen las confirmaciones, las liberaciones, los webhooks y la lectura de cadenas.',
  drain: 'Drenar',
  settingsInForce: 'Ajustes en vigor',
  asReadWhenTheNode:
    'Tal como se leyeron al arrancar el nodo. Primero los que difieren de su valor predeterminado.',
  settings: 'Ajustes',
  setting: 'Ajuste',
  meaning: 'Significado',
  notSet: 'sin fijar',
  default: 'predeterminado',
  consistent: 'Coherente',
  inconsistent: 'Incoherente',
  holds: 'Se cumple',
}

export const backups: Texts['backups'] = {
  aBackupHasBeenRunning: (since, told) => `Hay una copia de seguridad en curso desde ${since}: ${told}.`,
  noBackupFolderIsConfigured:
    'No hay carpeta de copias de seguridad configurada: fije backups.folder, de preferencia en otro disco.',
  theNodeMakesThemIn: (folder) => `El nodo las crea en ${folder}.`,
  backups: 'Copias de seguridad',
  backup: 'Copia de seguridad',
  size: 'Tamaño',
  verified: 'Verificada',
  mib: (size) => `${size} MiB`,
  makeABackupNow: 'Crear una copia de seguridad ahora',
  aVerifiedCopyOfThe:
    'Una copia verificada de la base de datos en su estado actual, sin interrumpir el servicio.',
  backUpNow: 'Crear ahora',
}

export const chains: Texts['chains'] = {
  blockchains: 'Blockchains',
  read: 'Leída',
  completeTo: 'Completa hasta',
  behind: 'Retraso',
  theDatabaseIsBeingVerified: (percent) => `Se está verificando la base de datos: va en ${percent} %.`,
}

export const rescan: Texts['rescan'] = {
  readABlockchainAgain: 'Volver a leer una blockchain',
  forWhatWasMissedWhat:
    'Para lo que se pasó por alto. Primero se muestra lo que se registraría, y con eso no se registra nada.',
  look: 'Revisar',
  ordersThatWereCredited: 'Órdenes acreditadas',
  noOrderWasCredited: 'No se acreditó ninguna orden.',
  whatWouldBeRecorded: (chain, from) => `Lo que se registraría de ${chain} a partir de ${from}`,
  whatWasRecorded: (chain, from) => `Lo que se registró de ${chain} a partir de ${from}`,
  itWasReadToThe: 'Se leyó hasta el último bloque definitivo.',
  itWasReadToRead: (next) => `Se leyó hasta ${next}: siga leyendo desde ahí lo demás.`,
  notKnown: 'Sin registrar',
  everythingThatWasReadIs: 'Todo lo leído consta.',
  inOrOut: 'Entrada o salida',
  wallet: 'Billetera',
  block: 'Bloque',
  recordIt: 'Registrarlo',
  eachAsAnyChainDeposit:
    'Cada uno como cualquier depósito o salida en cadena: se acreditan órdenes, y lo que no corresponde a ninguna es una excepción.',
  record: 'Registrar',
}

export const unannouncedRestore: Texts['unannouncedRestore'] = {
  acceptTheRestore: 'Aceptar la restauración',
  atTheStart: 'al arrancar',
  olderThanItsAnchors: 'la base de datos es más antigua que sus anclas',
  foundAcceptingItOnlyEnds: (since, problem) =>
    `Detectado: ${since}: ${problem}. Aceptarla solo termina el aviso: las órdenes en cuarentena y los webhooks en pausa siguen así hasta que se liberen.`,
}

export const rate: Texts['rate'] = {
  to: (send, target, country) => `${send} a ${target} (${country})`,
  used: 'Se usa',
  whyNot: 'Por qué no',
  inDoubt: 'En duda',
  inDoubtSince: 'En duda desde',
  mayMoveBy: 'Puede variar',
  expected: 'Esperado',
  oldestThatIsUsed: 'Antigüedad máxima',
  sources: 'Fuentes',
  told: 'Dijo',
  askedAgain: 'Próxima consulta',
  acceptTheRateInDoubt: 'Aceptar el tipo de cambio en duda',
  itsSourceMovedItFrom: (before, inDoubt) =>
    `Su fuente lo movió de ${before} a ${inDoubt}, y ninguna segunda fuente coincide. Las cotizaciones lo usarán: compárelo antes con otras publicaciones.`,
  acceptIt: 'Aceptarlo',
}

export const inspector: Texts['inspector'] = {
  guard: 'Condición',
  guards: 'Condiciones en este paso',
  wouldBecome: 'Llevaría a',
  says: 'Dice',
  inspector: 'Inspector',
  events: 'Eventos',
  became: 'Pasó a',
  refused: (outcome) => `rechazado: ${outcome}`,
  workers: 'Procesos',
  liveActorsNeverStored: 'actores vivos, nunca guardados',
  noneRuns: 'No hay ninguno en marcha.',
  worker: 'Proceso',
  charts: 'Diagramas',
  version: 'Versión',
  anotherInspector: 'Otro inspector',
  theSameAsMessagesOf:
    'Lo mismo, como mensajes de @statelyai/inspect, llega por un WebSocket de esta dirección en /inspect/ws, con la cookie de esta sesión o con el token del nodo: ws://any:TOKEN@HOST:PORT/inspect/ws.',
  chart: (machine) => `Diagrama ${machine}`,
  neverStored: 'nunca guardado',
  orderStepOf: (id, sequence, steps) => `Orden ${id}, paso ${sequence} de ${steps}`,
  theStepBefore: '← el paso anterior',
  theNextStep: 'el paso siguiente →',
  itsPage: 'su página',
  itIs: (chart, to) => `${chart}: su estado es ${to}`,
  context: 'Contexto',
  whoSaidWhat: 'Quién dijo qué',
  steps: 'Pasos',
  step: 'Paso',
  effects: 'Efectos',
  todaysChartDecidesDifferentlyFrom: 'El diagrama de hoy decide distinto que el diario',
  possibleNext: 'Posible a continuación',
}

export const queue = {
  queue: 'Cola de efectos',
  task: 'Tarea',
  whose: 'Para',
  about: 'Sobre',
  due: 'Vence',
  leasedUntil: 'Reservado hasta',
  theFirstAreShown: 'Se muestran y cuentan las primeras de cada tipo: hay más.',
  nothingLeftToDo: 'No queda nada por hacer, y no se abandonó nada.',
}
