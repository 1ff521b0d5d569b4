/** Lo que el nodo dice en inglés de lo que encuentra, y por qué algo no se hizo; `{}` es lo que se sabe de ello. */
export const findings: Readonly<Record<string, string>> = {
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
  'Noted. What is not here was opened anew (claim open), under another number; what was decided was decided again: claim accept, uphold or reject. Where the order is not here any more, what it comes to is a correction: adjustment record.':
    'Anotado. Lo que no está aquí se abrió de nuevo, con otro número; lo que estaba decidido se decidió otra vez. Si la orden ya no está aquí, lo que resulte es una corrección.',
  'Both sides agree by now, or what is booked here stands: nothing moves. Where the network sends a corrected report of the day, this is settled by that.':
    'Ambas partes ya coinciden, o vale lo contabilizado aquí: no se mueve nada. Si la red envía un reporte corregido del día, eso lo resuelve.',
  'Noted. The node keeps trying, and resolves this itself once it succeeds.':
    'Anotado. El nodo sigue intentándolo, y lo resuelve por sí mismo cuando lo logre.',
  'Noted. The node keeps trying, and resolves this itself once it can process the order.':
    'Anotado. El nodo sigue intentándolo, y lo resuelve por sí mismo cuando pueda procesar la orden.',
  'Noted. The webhooks resume by themselves once the merchant has a live key.':
    'Anotado. Los webhooks se reanudan solos cuando el comercio tenga una clave vigente.',
  'The order expired while a provider held it; ask the provider whether the cash was handled.':
    'La orden venció mientras un proveedor la tenía tomada; pregúntele si se movió el efectivo.',
  'The order was cancelled while a provider held it; ask the provider whether the cash was handled.':
    'La orden se canceló mientras un proveedor la tenía tomada; pregúntele si se movió el efectivo.',
  'The webhook {} was not delivered: its receiver answered {}. Tell {}; once its receiver works: webhook retry {}':
    'El webhook {} no se entregó: su receptor respondió {}. Avise a {}; cuando su receptor funcione: webhook retry {}',
  'The network says {}, and the order {}.': 'La red dice {}, y la orden {}.',
  'No order of this provider has this name or reference.':
    'Ninguna orden de este proveedor tiene este nombre o referencia.',
  'A report that comes later may tell of it.': 'Un reporte posterior puede mencionarlo.',
  'No report tells of it.': 'Ningún reporte lo menciona.',
  'has no account in its terms': 'no tiene cuenta en sus condiciones',
  '{} has held order {} since {}: ask whether its till works.':
    '{} tiene tomada la orden {} desde {}: pregunte si su caja funciona.',
  '{} holds more than {} orders: its tills may be starting orders without finishing them.':
    '{} tiene tomadas más de {} órdenes: sus cajas pueden estar iniciando órdenes sin terminarlas.',
  'The rate of {} is in doubt, so quotes do not use it: {}.':
    'El tipo de cambio de {} está en duda, así que las cotizaciones no lo usan: {}.',
  'nothing degrades it': 'nada lo degrada',
  'it is {}': 'es {}',
  '{} MiB are free where {} lies, and a write is safe after {} ms':
    'hay {} MiB libres donde está {}, y una escritura está a salvo tras {} ms',
  'the database is on a server of its own': 'la base de datos está en un servidor propio',
  'Make room: new orders are refused on a full disk.':
    'Libere espacio: con el disco lleno se rechazan las órdenes nuevas.',
  'key, token, database and backups are closed to other users':
    'la clave, el token, la base de datos y las copias están cerrados a otros usuarios',
  'other users may read or write {}': 'otros usuarios pueden leer o escribir {}',
  'operators are answered on {}, no public address':
    'se atiende a los operadores en {}, que no es una dirección pública',
  'operators are answered on a public address: {}':
    'se atiende a los operadores en una dirección pública: {}',
  'none is expected before the node': 'no se espera ninguno delante del nodo',
  '{} are believed': 'se confía en {}',
  'none is needed': 'no hace falta ninguno',
  '{} can be resolved': 'se resuelven {}',
  'not resolved: {}': 'no se resuelven: {}',
  'none is read: each is off, or no node runs':
    'no se lee ninguna: están apagadas, o no hay un nodo en marcha',
  'every one that open orders name is in the settings':
    'todas las que nombran órdenes abiertas están en los ajustes',
  'none is set up': 'no hay ninguno configurado',
  '{} can be used': 'se pueden usar {}',
  '{} wait to be delivered, {} are dead letters': '{} por entregar, {} fallidos',
  'See `ventanilla webhook list --state dead`, and tell the merchants.':
    'Vea los webhooks fallidos, y avise a los comercios.',
  'Resume them: `ventanilla webhook resume MERCHANT`.': 'Reanúdelos: `ventanilla webhook resume MERCHANT`.',
  '{} are live, none of them left over': '{} vigentes, ninguna de sobra',
  "the database's server has tools of its own": 'el servidor de la base de datos tiene herramientas propias',
  'none are made of this sandbox': 'no se crean de este sandbox',
  'the settings name no place, so none are made': 'los ajustes no indican dónde, así que no se crean',
  'the newest is of {}': 'la más reciente es del {}',
  'no order is quarantined since a restoration': 'ninguna orden está en cuarentena por una restauración',
  '{} orders are quarantined: no payment of them is started':
    '{} órdenes están en cuarentena: no se inicia ningún pago de ellas',
  'Have the providers’ reports, then `ventanilla order quarantined` and `ventanilla order clear`.':
    'Consiga los reportes de los proveedores, y luego sáquelas de cuarentena.',
  'nothing is overdue': 'no hay nada vencido',
  'See `ventanilla payment due`.': 'Vea lo que vence en Pagos.',
  'none is open': 'no hay ninguna abierta',
  'one is open': 'hay una abierta',
  '{} are open': 'hay {} abiertas',
  'See `ventanilla exception list`.': 'Véalas en Excepciones.',
  'none is old, and no order is given back again and again':
    'ninguna es antigua, y ninguna orden se libera una y otra vez',
  'See `ventanilla alarm list`.': 'Vea las alarmas en el Resumen.',
  'Set the clock right, then `ventanilla clock accept`.': 'Ponga el reloj en hora, y luego acéptelo.',
  'Mend what is named; /readyz says the same.': 'Arregle lo que se indica; /readyz dice lo mismo.',
  'There is no order {}.': 'No hay ninguna orden {}.',
  'There is no {} {}.': 'No existe {} {}.',
  'There is no operator {}.': 'No existe el operador {}.',
  '"{}" is no day such as 2026-03-01.': '"{}" no es un día como 2026-03-01.',
  'The present password is another one.': 'La contraseña actual es otra.',
  'The password is little more than the name.': 'La contraseña es poco más que el nombre.',
  'The input is not right.': 'Los datos no son correctos.',
  'There is no time zone {}.': 'No existe la zona horaria {}.',
  'An amount is not clear; nothing was done.': 'Un importe no es claro; no se hizo nada.',
  '"{}" is not clear as an amount: write it without separators of thousands, with a point or a comma before at most two decimals, such as 1000.50.':
    '«{}» no es claro como importe: escríbalo sin separador de miles, con punto o coma ante dos decimales como máximo, por ejemplo 1000.50 o 1000,50.',
  '"{}" is not clear as a number: write it without separators of thousands, with a point or a comma before its decimals, and a zero behind three of them, such as 1.2500.':
    '«{}» no es claro como número: escríbalo sin separador de miles, con punto o coma ante los decimales y, si son tres, con un cero detrás, por ejemplo 1.2500 o 1,2500.',
  '{}: "{}" is not clear as an amount: write it without separators of thousands, with a point or a comma before at most two decimals, such as 1000.50.':
    '{}: «{}» no es claro como importe: escríbalo sin separador de miles, con punto o coma ante dos decimales como máximo, por ejemplo 1000.50 o 1000,50.',
  '{}: "{}" is not clear as a number: write it without separators of thousands, with a point or a comma before its decimals, and a zero behind three of them, such as 1.2500.':
    '{}: «{}» no es claro como número: escríbalo sin separador de miles, con punto o coma ante los decimales y, si son tres, con un cero detrás, por ejemplo 1.2500 o 1,2500.',
  '{} came to the bank account {} ({}), and it is not known whose it is.':
    '{} llegó a la cuenta bancaria {} ({}), y no se sabe de quién es.',
  '{} left the bank account {} ({}), and it is not known whose it is.':
    '{} salió de la cuenta bancaria {} ({}), y no se sabe de quién es.',
}
