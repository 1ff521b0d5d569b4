/** Spanish. */
import type { Texts } from './texts.ts'

const exceptionKinds: Texts['exceptionKinds'] = {
  expired_while_locked: 'la orden venció mientras un proveedor la tenía tomada',
  cancelled_while_locked: 'la orden se canceló mientras un proveedor la tenía tomada',
  confirmed_after_return: 'la orden se confirmó después de devolver su dinero',
  refund_due: 'reembolso pendiente a un usuario final',
  chain_outage: 'la orden venció mientras no se podía leer su blockchain',
  webhook_dead: 'webhook sin entregar',
  webhook_unsigned: 'webhooks en espera de una clave',
  deposit_unmatched: 'depósito en cadena que no corresponde a ninguna orden',
  deposit_clawed_back: 'depósito en cadena retirado por su emisor',
  treasury_outflow: 'salida sin explicación de la tesorería',
  treasury_differs: 'la tesorería no coincide con sus libros',
  refund_unseen: 'reembolso que no se vio en su blockchain',
  chain_place_lost: 'se perdió el punto de lectura de una blockchain',
  bank_unidentified: 'movimiento bancario sin identificar',
  payment_lost: 'pago desconocido desde una restauración',
  claim_lost: 'reclamación desconocida desde una restauración',
  report_difference: 'diferencia con el reporte de una red',
  transaction_blocked: 'no se puede construir la transacción',
  order_stuck: 'no se puede procesar la orden',
}

const alarmKinds: Texts['alarmKinds'] = {
  often_released: 'una orden se toma y se libera una y otra vez',
  long_held: 'un proveedor tiene tomada una orden desde hace mucho',
  many_held: 'un proveedor tiene tomadas demasiadas órdenes',
  quarantined_past_expiry: 'hay órdenes en cuarentena ya vencidas',
  rate_in_doubt: 'un tipo de cambio está en duda',
  chain_stalled: 'no se está leyendo una blockchain',
  order_stuck: 'no se puede procesar una orden',
  treasury_differs: 'una tesorería no coincide con sus libros',
  chain_place_lost: 'se perdió el punto de lectura de una blockchain',
  exposure_high: 'un proveedor debe casi todo lo que puede deber',
  claim_overdue: 'una reclamación no se decidió a tiempo',
}

export const es: Texts = {
  exceptionKinds,
  alarmKinds,
  events: {
    'exception.opened': {
      title: ({ kind }) => `Excepción: ${exceptionKinds[kind]}`,
      detail: ({ order, amount, asset, chain }) => [
        ...(amount === null ? [] : [`Importe: ${amount} ${asset ?? ''}`.trim()]),
        ...(chain === null ? [] : [`Blockchain: ${chain}`]),
        ...(order === null ? [] : [`Orden: ${order}`]),
      ],
      action: ({ exception }) => [`Consulte: ventanilla exception show ${exception}`],
      over: ({ kind }) => `Resuelto: ya no hay excepciones abiertas de este tipo (${exceptionKinds[kind]})`,
    },
    'webhook.dead': {
      title: ({ merchant }) => `Un webhook para ${merchant} no se entregó`,
      detail: ({ order }) => [...(order === null ? [] : [`Orden: ${order}`])],
      action: ({ exception }) => [`Consulte: ventanilla exception show ${exception}`],
      over: () => 'Resuelto: ya no queda ningún webhook sin entregar',
    },
    alarm: {
      title: ({ kind }) => `Alarma: ${alarmKinds[kind]}`,
      detail: ({ about, count }) => [
        ...(about === null ? [] : [`Sobre: ${about}`]),
        ...(count === null ? [] : [`Cantidad: ${count}`]),
      ],
      action: () => ['Consulte: ventanilla alarm list'],
      over: ({ kind }) => `Terminó: ${alarmKinds[kind]}`,
    },
    'node.degraded': {
      title: ({ part }) => `El nodo está degradado: ${part}`,
      detail: () => [],
      action: () => ['Consulte: ventanilla doctor'],
      over: ({ part }) => `Terminó: el nodo ya no está degradado por ${part}`,
    },
    'clock.doubt': {
      title: () => 'El reloj está en duda: nada vence hasta que se acepte',
      detail: () => [],
      action: () => ['Consulte: ventanilla clock show'],
      over: () => 'Terminó: el reloj vuelve a ser confiable',
    },
    'chain.doubt': {
      title: ({ chain }) => `Blockchain en duda: ${chain}`,
      detail: () => ['Sus depósitos pueden acreditarse tarde.'],
      action: () => ['Consulte: ventanilla chain lag'],
      over: ({ chain }) => `Terminó: ${chain} se lee de nuevo`,
    },
    'rate.doubt': {
      title: ({ rate }) =>
        rate === null ? 'Los tipos de cambio no se pueden usar' : `Tipo de cambio en duda: ${rate}`,
      detail: () => ['Mientras tanto se rechazan las órdenes que lo necesitan.'],
      action: () => ['Consulte: ventanilla rate list'],
      over: ({ rate }) =>
        rate === null
          ? 'Terminó: los tipos de cambio se pueden usar de nuevo'
          : `Terminó: el tipo de cambio ${rate} se puede usar de nuevo`,
    },
    'backup.missed': {
      title: () => 'Faltó una copia de seguridad',
      detail: ({ newest }) => [
        newest === null ? 'Todavía no hay ninguna.' : `La más reciente es del ${newest}.`,
      ],
      action: () => ['Revise el registro y el disco, y después: ventanilla backup'],
      over: () => 'Terminó: se hacen copias de seguridad de nuevo',
    },
    'disk.low': {
      title: () => 'El disco está casi lleno o no se puede escribir en él',
      detail: ({ freeMebibytes }) => [
        ...(freeMebibytes === null ? [] : [`Libre: ${freeMebibytes} MiB`]),
        'Con el disco lleno se rechazan las órdenes nuevas: libere espacio.',
      ],
      action: () => [],
      over: () => 'Terminó: el disco tiene espacio de nuevo',
    },
    'exposure.high': {
      title: ({ provider }) => `${provider} debe casi todo lo que puede deber`,
      detail: ({ used, limit, currency, warnAtPercent }) => [
        `Usado: ${used} de ${limit} ${currency}; el aviso es a partir del ${warnAtPercent} %.`,
        'En el límite se rechazan sus cobros: cobre lo que debe o suba su límite.',
      ],
      action: () => [],
      over: ({ provider, currency }) =>
        `Terminó: ${provider} está de nuevo por debajo del aviso en ${currency}`,
    },
    'balance.low': {
      title: ({ merchant, currency }) => `Saldo bajo de ${merchant} en ${currency}`,
      detail: ({ balance, below, currency }) => [
        `Disponible: ${balance} ${currency}, por debajo de ${below} ${currency}.`,
        'Los retiros que lo superen esperan hasta que llegue un depósito.',
      ],
      action: () => [],
      over: ({ merchant, currency }) => `Terminó: el saldo de ${merchant} en ${currency} vuelve a alcanzar`,
    },
    'statement.closed': {
      title: ({ number, party, currency }) => `Estado de cuenta ${number} de ${party} en ${currency}`,
      detail: ({ from, to, closing, due, dueOn, currency }) => [
        `Del ${from} al ${to}`,
        `Saldo final: ${closing} ${currency}`,
        `A liquidar: ${due} ${currency}${dueOn === null ? '' : ` el ${dueOn}`}`,
        'Por encima de cero lo debe el operador; por debajo de cero, la otra parte.',
      ],
      action: () => [],
    },
    'sign_in.new': {
      title: ({ operator }) => `Nuevo inicio de sesión en la consola: ${operator}`,
      detail: ({ address }) => [`Desde: ${address}`],
      action: () => ['Si no fue esa persona, inhabilite la cuenta: ventanilla operator disable NOMBRE'],
    },
    'key.added': {
      title: ({ party }) => `Nueva clave de ${party}`,
      detail: ({ key }) => [`Clave: ${key}`],
      action: () => [
        'Las anteriores siguen siendo válidas hasta que se revoquen: ventanilla key revoke CLAVE',
      ],
    },
    'account.changed': {
      title: ({ party, currency, from }) =>
        from === null
          ? `La cuenta a la que se paga a ${party} en ${currency} sigue siendo la misma`
          : `A ${party} se le pagará en ${currency} a otra cuenta`,
      detail: ({ from }) => [
        from === null ? 'El cambio se anuló.' : `Irán allí los pagos que se ordenen a partir de ${from}.`,
      ],
      action: ({ from }) =>
        from === null
          ? []
          : ['Si nadie lo pidió, avise al operador antes: la cuenta anterior, fijada de nuevo, se queda.'],
    },
    'approval.asked': {
      title: ({ approval, operation }) =>
        `La aprobación ${approval} espera a una segunda persona: ${operation}`,
      detail: ({ moves, askedBy }) => [
        ...(moves.length === 0 ? [] : [`Mueve: ${moves.join(', ')}`]),
        askedBy === null ? 'No la pidió nadie con sesión iniciada.' : `La pidió: ${askedBy}`,
      ],
      action: ({ approval }) => [
        `Otra persona la aprueba o la rechaza en la consola: /approvals/${approval}`,
      ],
      over: () => 'Terminó: ya nada espera a una segunda persona',
    },
  },
  digest: {
    subject: (lines) => (lines === 1 ? 'Resumen: 1 asunto' : `Resumen: ${lines} asuntos`),
    intro: 'Lo que pasó desde el último resumen:',
    more: 'Hay más: ventanilla notification list, alarm list y exception list lo muestran todo.',
  },
  test: {
    subject: 'Aviso de prueba',
    detail: 'Este canal funciona. No ha pasado nada.',
  },
  invitation: {
    subject: 'Su invitación a la consola de operadores',
    roles: { viewer: 'lector', operator: 'operador', administrator: 'administrador' },
    lead: (name, role, invitedBy) =>
      `${invitedBy} le invita a la consola de operadores. Su nombre en ella es ${name}, y su rol ${role}.`,
    open: 'Abra esta dirección y elija una contraseña:',
    until: (time) => `Crea una cuenta, una sola vez, y vale hasta el ${time}.`,
    unexpected: 'Si no esperaba este mensaje, no haga nada: sin usted no se crea ninguna cuenta.',
    hidden: '(La dirección solo está en el correo.)',
  },
  repeated: (count) =>
    count === 1 ? 'Mientras tanto pasó una vez más.' : `Mientras tanto pasó ${count} veces más.`,
  times: (count) => (count === 1 ? 'una vez' : `${count} veces`),
  at: (time) => `El ${time}`,
  since: (time) => `Desde ${time}`,
  between: (first, last) => `Del ${first} al ${last}`,
  footer: (channel) =>
    `Enviado por Ventanilla al canal ${channel}. Lo que se repite se cuenta y se avisa en el resumen.`,
  partyFooter: 'Mensaje automático de su operador, enviado por Ventanilla.',
  sandbox: 'Entorno de pruebas: no hay dinero real.',
}
