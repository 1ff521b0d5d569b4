/** Lo que las operaciones con reclamaciones dicen de sí mismas. */
export const claimWording = {
  'The claim is open.': 'La reclamación está abierta.',
  'What is wrong': 'Qué está mal',
  'The cash was handled, and is not booked': 'El efectivo se movió, y no está contabilizado',
  'It is booked, and no cash was handled': 'Está contabilizado, y no se movió efectivo',
  'The cash was handled twice': 'El efectivo se movió dos veces',
  'Another amount was handled': 'Se movió otro importe',
  'There were false banknotes': 'Había billetes falsos',
  'What was handled instead, or what the false notes come to.':
    'Lo que se movió en su lugar, o lo que suman los billetes falsos.',
  'Unless it is who held the order last.': 'Si no es quien tuvo la orden por última vez.',
  id: 'id',
  code: 'código',
  status: 'estado',
  merchant: 'comercio',
  'merchant’s id': 'id del comercio',
  price: 'precio',
  fee: 'comisión',
  commission: 'comisión de la red',
  'refund of': 'reembolso de',
  'refunded of it': 'reembolsado de él',
  refunded: 'reembolsado',
  kind: 'tipo',
  description: 'descripción',
  created: 'creación',
  expiry: 'vencimiento',
  paid: 'pagada',
  'held by': 'tomada por',
  'last held by': 'tomada por última vez por',
  since: 'desde',
  'times locked': 'veces tomada',
  revision: 'revisión',
  refusals: 'rechazos',
  checkout: 'página de pago',
  'webhooks go to': 'los webhooks van a',
  'returns to': 'vuelve a',
  'consumer’s e-mail': 'correo del consumidor',
  'consumer’s telephone': 'teléfono del consumidor',
  'personal data erased': 'datos personales borrados',
  'network {}': 'red {}',
  'tax {}, by terms {}': 'impuesto {}, según las condiciones {}',
  '{} of {}, {} left': '{} de {}, quedan {}',
  '{} of {}, and {} beyond it, {} left': '{} de {}, y {} de más, quedan {}',
  'The cash was handed over: the money goes to the provider.':
    'El efectivo se entregó: el dinero pasa al proveedor.',
  'The cash was collected: the provider owes it, and it becomes available to the merchant.':
    'El efectivo se recibió: el proveedor lo debe, y queda disponible para el comercio.',
  'No cash was handed over: the money becomes available to the merchant again.':
    'No se entregó efectivo: el dinero vuelve a estar disponible para el comercio.',
  'No cash was collected: nothing moves.': 'No se recibió efectivo: no se mueve nada.',
  'No cash was handed over: what was sent on the blockchain has to be refunded, which opens another exception.':
    'No se entregó efectivo: hay que reembolsar lo enviado en la blockchain, lo que abre otra excepción.',
  'The cash was handed over after all: the provider is paid from the merchant’s available money; any shortfall becomes the merchant’s debt.':
    'El efectivo sí se entregó: se paga al proveedor con el dinero disponible del comercio; lo que falte pasa a ser deuda del comercio.',
  'The cash was collected after all: the provider owes it, and it becomes available to the merchant.':
    'El efectivo sí se recibió: el proveedor lo debe, y queda disponible para el comercio.',
  "The cash was handed over after all: the provider is paid from the operator's own money.":
    'El efectivo sí se entregó: se paga al proveedor con dinero del operador.',
  'The provider was wrong: the return stands.': 'El proveedor se equivocó: la devolución se mantiene.',
  'The webhook is sent again, and its attempts are counted anew.':
    'El webhook se envía de nuevo, y sus intentos se cuentan otra vez.',
  'The merchant has been told another way, or need not know.':
    'Se avisó al comercio por otra vía, o no hace falta que lo sepa.',
  'It is credited to the proposed order or the one you name, which must be waiting for money in this asset and not be past its expiry. Any excess opens another exception.':
    'Se acredita a la orden propuesta o a la que usted indique, que debe estar esperando dinero en este activo y no haber vencido. Lo que sobre abre otra excepción.',
  'It was refunded: give the transaction as evidence (--evidence). It is booked as leaving the treasury.':
    'Se reembolsó: indique la transacción como evidencia. Se contabiliza como salida de la tesorería.',
  "It belongs to the operator, for example its own transfer: it is booked as the operator's money.":
    'Es del operador, por ejemplo una transferencia propia: se contabiliza como dinero del operador.',
  "It is booked as the operator's loss.": 'Se contabiliza como pérdida del operador.',
  "It was the operator's own transfer or is its loss, and is booked as such. If it was a refund, resolve that refund instead, with this transaction as evidence.":
    'Fue una transferencia propia del operador o es una pérdida suya, y así se contabiliza. Si fue un reembolso, resuelva ese reembolso, con esta transacción como evidencia.',
  "The cause is known: the books are set to what is there, and the difference is booked as the operator's.":
    'Se conoce la causa: los libros se ajustan a lo que hay, y la diferencia se contabiliza a cargo del operador.',
  "It was sent from elsewhere, or never will be: what stays in the treasury is booked as the operator's. A later transfer for it is reported like any other.":
    'Se envió desde otro lugar, o nunca se enviará: lo que queda en la tesorería se contabiliza como del operador. Una transferencia posterior se reporta como cualquier otra.',
  "It will not be refunded: it is booked as the operator's money.":
    'No se reembolsará: se contabiliza como dinero del operador.',
  'Noted. If money came for it, another exception opens once the chain is read again.':
    'Anotado. Si llegó dinero para ella, se abre otra excepción cuando la cadena se vuelva a leer.',
  'The chain was read again from before the oldest of these orders was made.':
    'La cadena se volvió a leer desde antes de que se creara la más antigua de estas órdenes.',
  "It is the operator's: it is booked as the operator's fee. Where it is a party's, identify it instead: payment identify; where it was sent back, record that line: bank record --kind sent_back.":
    'Es del operador: se contabiliza como comisión suya. Si es de una parte, identifíquelo; si se envió de vuelta, registre ese movimiento.',
  'The bank has not paid it and will not: what it was for can be ordered again. Where the bank has paid it, order it as what it is instead, and book it: payment order --lost.':
    'El banco no lo pagó ni lo pagará: aquello para lo que era se puede ordenar de nuevo. Si el banco lo pagó, ordénelo como pago perdido y contabilícelo.',
  'Both sides agree by now, or what is booked here stands: nothing moves. Where the network sends a corrected report of the day, this is settled by that.':
    'Ambas partes ya coinciden, o vale lo contabilizado aquí: no se mueve nada. Si la red envía un reporte corregido del día, eso lo resuelve.',
  'Noted. The node keeps trying, and resolves this itself once it succeeds.':
    'Anotado. El nodo sigue intentándolo, y lo resuelve por sí mismo cuando lo logre.',
  'Noted. The node keeps trying, and resolves this itself once it can process the order.':
    'Anotado. El nodo sigue intentándolo, y lo resuelve por sí mismo cuando pueda procesar la orden.',
  'Noted. The webhooks resume by themselves once the merchant has a live key.':
    'Anotado. Los webhooks se reanudan solos cuando el comercio tenga una clave vigente.',
  'This code is not right now. Authenticators show another one every 30 seconds.':
    'Este código no es correcto ahora. Los autenticadores muestran otro cada 30 segundos.',
  'That took too long, or was answered before. Try again.':
    'Tardó demasiado, o ya se había respondido. Inténtelo de nuevo.',
  'The answer of the passkey does not hold. It must come from the address that operator.publicUrl names.':
    'La respuesta de la llave de acceso no es válida. Debe venir de la dirección que indica operator.publicUrl.',
  'There are ten passkeys already. Remove one first.': 'Ya hay diez llaves de acceso. Quite una primero.',
  'This passkey is here already.': 'Esta llave de acceso ya está aquí.',
  'There is no such factor any more.': 'Ese factor ya no existe.',
  'In production an administrator must have a second factor: add another one first.':
    'En producción un administrador debe tener un segundo factor: agregue otro primero.',
  'Its id, where it is resolved with the claim.': 'Su id, si se resuelve con la reclamación.',
  'What happened': 'Qué pasó',
  'Both parties read it.': 'Ambas partes lo leen.',
  'Kept with the claim.': 'Se guarda con la reclamación.',
  'The answer is kept.': 'La respuesta está guardada.',
  Answer: 'Respuesta',
  'It agrees': 'Está de acuerdo',
  'It denies': 'Lo niega',
  'The evidence is kept.': 'La evidencia está guardada.',
  'The claim is accepted.': 'La reclamación está aceptada.',
  'The claim is upheld.': 'La reclamación se mantiene.',
  'The claim is rejected.': 'La reclamación está rechazada.',
  'The claim is withdrawn.': 'La reclamación está retirada.',
}
