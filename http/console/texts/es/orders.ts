/** Órdenes, lo que falla en algunas, y lo que se avisa de ellas a los comercios. */
import { countedIn } from '../counted.ts'
import type { Texts } from '../en.ts'

const counted = countedIn('es')

export const orders: Texts['orders'] = {
  noMatchingOrders: 'No hay órdenes que coincidan.',
  noOrderHasThisId: (it) => `Ninguna orden tiene este id, código o id del comercio: ${it}`,
  noSearchWasMadeSee: 'No se buscó: vea los errores de arriba.',
  idOrCode: 'Id o código',
  expires: 'Vence',
}

export const order: Texts['order'] = {
  order: (id) => `Orden ${id}`,
  chartOfItIs: (kind, status) => `Diagrama de ${kind}; su estado: ${status}`,
  resendItsWebhooks: 'Reenviar sus webhooks',
  simulate: 'Simular',
  simulateLead:
    'Solo en el sandbox: con el mismo código que las operaciones reales, en nombre de un proveedor simulado.',
  allThatAreNotDelivered: 'Todos los no entregados; sus intentos se cuentan de nuevo.',
  actions: 'Acciones',
  onItsBlockchain: 'En su blockchain',
  whatItWaitsForAnd: 'lo que espera y lo que se envió para ella',
  chainDeposits: 'Depósitos en cadena',
  nothingSentYet: 'Todavía no se ha enviado nada.',
  credited: 'Acreditado',
  sentAt: 'Enviado el',
}

export const orderCharges: Texts['orderCharges'] = {
  refunds: 'Reembolsos',
  payOutsThatGiveIt: 'retiros que lo devuelven',
}

export const timeLine: Texts['timeLine'] = {
  money: (kind) => `dinero: ${kind}`,
  exception: 'excepción',
  timeLine: 'Cronología',
  whoOrWhere: 'Quién o dónde',
  details: 'Detalles',
  olderLinesAreLeftOut: (left, id) =>
    `Se omiten las ${left} líneas más antiguas; ventanilla order show ${id} las muestra.`,
  refused: (outcome) => `rechazado: ${outcome}`,
  signedWith: (key) => `firmado con ${key}`,
  webhook: (sequence) => `webhook ${sequence}`,
  tells: (status) => `avisa: ${status}`,
  toNotifyUrl: 'a notify_url',
  lastAnswer: (told, lastAnswer) => `${told}; última respuesta: ${lastAnswer}`,
  toBeSent: 'por enviar',
  attempt: (attempts) => `intento ${attempts}`,
  dueThen: 'programado para entonces',
  ms: (milliseconds) => `${milliseconds} ms`,
  webhookAttempt: (sequence, attempt) => `webhook ${sequence}, intento ${attempt}`,
  chainDeposit: 'depósito en cadena',
  creditedTransaction: (money, credited, transaction) =>
    `${money}, acreditado: ${credited}; transacción ${transaction}`,
  operator: (name) => `operador ${name}`,
  no: (sequence) => `n.º ${sequence}`,
}

export const quarantined: Texts['quarantined'] = {
  quarantinedOrders: 'Órdenes en cuarentena',
  theyWereOpenInA:
    'Estaban abiertas en una copia de seguridad que se restauró. Un proveedor puede haberlas pagado desde entonces, así que no se pueden iniciar hasta que los proveedores digan que no se pagaron.',
  noQuarantinedOrders: 'No hay órdenes en cuarentena.',
  quarantinedSince: 'En cuarentena desde',
  order: (code, id) => `${code}, orden ${id}`,
  clearOne: 'Sacar una de cuarentena',
  providersCanStartItAgain: 'Los proveedores pueden volver a iniciarla.',
  clearIt: 'Sacarla de cuarentena',
  clearAll: 'Sacar todas de cuarentena',
  everyQuarantinedOrderIncludingThose:
    'Todas las órdenes en cuarentena, también las de otras páginas. Cualquiera que se haya pagado desde la copia de seguridad podría pagarse dos veces.',
  itWasOpenInA:
    'Estaba abierta en una copia de seguridad que se restauró y puede haberse pagado desde entonces, así que no se puede iniciar.',
  quarantined: 'En cuarentena',
  theProvidersSayThatIt: 'Los proveedores dicen que no se pagó. Se puede volver a iniciar.',
  ordersAreQuarantinedAfterA: 'Hay órdenes en cuarentena tras una restauración',
  seeWhichAndClearThem: 'Ver cuáles y sacarlas de cuarentena',
  waitsFor: 'Espera la respuesta de',
}

export const sweep: Texts['sweep'] = {
  cancelAKeysOrders: 'Cancelar las órdenes de una clave',
  forALeakedKeyFreeze:
    'Para una clave filtrada: congele antes el comercio o revoque la clave, o podrá crear más.',
  cancelTheOrders: 'Cancelar las órdenes',
  thereAreMoreRunIt: 'Hay más: vuelva a ejecutarlo.',
  theKeyIsLiveAnd: (merchant) =>
    `La clave está vigente y ${merchant} no está congelado: puede crear más órdenes.`,
  ordersCancelledLeft: (cancelled, refused) => `Órdenes canceladas: ${cancelled}; sin cancelar: ${refused}`,
  ordersWouldBeCancelledLeft: (cancelled, refused) =>
    `Órdenes que se cancelarían: ${cancelled}; sin cancelar: ${refused}`,
  keyIsLive: 'La clave puede crear más',
  notFinished: 'Sin terminar',
  theKeyHasCreatedNo: 'La clave no ha creado órdenes que se puedan cancelar.',
  leftBecause: 'Sin cancelar porque',
}

export const erasure: Texts['erasure'] = {
  erasePersonalData: 'Borrar los datos personales',
  theJournalAndTheMoney:
    'Se borran para siempre el correo electrónico, el teléfono, los cuerpos de los webhooks y sus respuestas. El diario y el dinero se conservan.',
  eraseThem: 'Borrarlos',
  eraseAConsumersPersonalData: 'Borrar los datos personales de un consumidor',
  inAllOrdersThatHave:
    'Se borran para siempre el correo electrónico, el teléfono, los cuerpos de los webhooks y sus respuestas. En todas las órdenes terminadas, también las archivadas; las abiertas se muestran en una lista.',
  ofTheyHadBeenBefore: (erased, before) =>
    `Datos borrados de ${counted(erased, 'orden', 'órdenes')}; los de ${before.text} ya lo estaban`,
  theDataOfOrdersAre: (erased) => `Datos borrados de ${counted(erased, 'orden', 'órdenes')}`,
  ordersThatHaveNotEnded: 'Órdenes sin terminar',
  noOrderOfTheirsIs: 'Ninguna de sus órdenes está abierta.',
  eraseAgainOnceItHas: 'Borrar de nuevo cuando termine',
}

export const evidence: Texts['evidence'] = {
  it: 'Valor',
}

export const refund: Texts['refund'] = {
  refund: 'Reembolsar',
  makesAnUnsignedTransactionAnd:
    'Crea una transacción sin firmar y no envía nada: fírmela donde estén las claves de la tesorería, envíela y resuelva la excepción como reembolsada con su id.',
  makeTheTransaction: 'Crear la transacción',
  refundTransaction: 'Transacción de reembolso',
  theException: 'La excepción',
  asset: 'Activo',
  cameBy: 'Llegó con',
  canBeSignedUntil: 'Se puede firmar hasta',
  unsignedTransaction: 'Transacción sin firmar',
  onceItIsSentResolve:
    'Una vez enviada, resuelva la excepción como reembolsada, con el id de la transacción como evidencia.',
}

export const exceptions: Texts['exceptions'] = {
  openExceptions: 'Excepciones abiertas',
  resolvedExceptions: 'Excepciones resueltas',
  showResolvedOnes: 'Mostrar las resueltas',
  showOpenOnes: 'Mostrar las abiertas',
  noOpenExceptions: 'No hay excepciones abiertas.',
  noneResolvedYet: 'Todavía no hay ninguna resuelta.',
  resolve: (as) => `Resolver: ${as}`,
  resolveAs: (as) => `Resolver: ${as}`,
  exception: (id) => `Excepción ${id}`,
  sender: 'Remitente',
  resolved: 'Resuelta',
  resolvedAs: 'Resuelta como',
  with: 'Con',
  corrected: (day) => `Un reporte posterior del ${day} ya no lo dice.`,
  day: 'Día',
  itsClaim: 'Su reclamación',
  resolve2: 'Resolver',
}

export const webhooks: Texts['webhooks'] = {
  noAttempts: 'Todavía no hay intentos: el primero se hace en cuanto toca.',
  noMatchingWebhooks: 'No hay webhooks que coincidan.',
  webhook: 'Webhook',
  tells: 'Avisa',
  url: 'URL',
  attempts: 'Intentos',
  lastAnswer: 'Última respuesta',
  nextAttempt: 'Próximo intento',
  webhookOfOrder: (sequence, order) => `Webhook ${sequence} de la orden ${order}`,
  webhookTo: (sequence, merchant) => `Webhook ${sequence} a ${merchant}`,
  numberInItsOrder: 'Número en su orden',
  settled: 'Concluido',
  theMerchantHasReceivedIt: 'El comercio lo recibió, y lo recibirá de nuevo.',
  itIsSentAtOnce: 'Se envía de inmediato, y sus intentos se cuentan de nuevo.',
  resend: 'Reenviar',
  no: 'N.º',
  started: 'Iniciado',
  took: 'Duró',
  address: 'Dirección',
  answer: 'Respuesta',
  ms: (milliseconds) => `${milliseconds} ms`,
  signedWith: (key) => `firmado con ${key}`,
  removedAfterTheRetentionTime: 'Eliminado al cumplirse el plazo de conservación.',
  itNamesTheConsumerSo: 'Nombra al consumidor, por lo que los lectores no lo ven.',
  body: 'Cuerpo',
  exactlyAsItIsSent: 'exactamente como se envía',
}

export const evidenceFile: Texts['evidenceFile'] = {
  forOthers: 'Evidencia para terceros',
  allThatIsRecorded:
    'Un archivo ZIP con todo lo registrado de ella, sin su código, firmado con la clave del nodo. Él mismo dice cómo se verifica.',
  download: 'Descargar',
}

export const archived: Texts['archived'] = {
  title: (id) => `Orden archivada ${id}`,
  since: 'Archivada',
  file: 'Archivo',
  entries: 'Entradas de su diario',
  digest: 'Sello de su línea',
  erased: 'Datos personales borrados',
  whereItIs: (file) =>
    `Toda ella, con su diario, asientos y webhooks, es una línea de ${file} junto a la base de datos. Este comando la lee allí:`,
  command: 'Comando',
}
