import type { Texts } from './texts.ts'

export const es: Texts = {
  language: 'Español',
  languages: 'Idioma',
  titles: { PAY_OUT: 'Retiro de efectivo', PAY_IN: 'Pago en efectivo' },
  statuses: {
    PAY_OUT: {
      CREATED: {
        heading: 'Estamos preparando su retiro',
        lead: () => 'Su código aparecerá aquí en cuanto el dinero esté disponible. Aún no vaya a la caja.',
      },
      READY: { heading: 'Listo para retirar', lead: () => 'Muestre este código en la caja.' },
      PAYMENT_STARTED: {
        heading: 'La caja está procesando su retiro',
        lead: () => 'Espere en la caja y cuente el dinero antes de irse.',
      },
      COMPLETED: {
        heading: 'Retiro completado',
        lead: () => 'La caja confirmó que entregó el efectivo. El código ya no sirve.',
      },
      CANCELLED: {
        heading: 'Retiro cancelado',
        lead: ({ merchant }) =>
          `Ya no se puede entregar efectivo con esta orden. Si tiene preguntas, comuníquese con ${merchant}.`,
      },
      EXPIRED: {
        heading: 'Retiro vencido',
        lead: ({ merchant }) =>
          `Ya no se puede entregar efectivo con esta orden. Para retirar, pida una nueva a ${merchant}.`,
      },
    },
    PAY_IN: {
      CREATED: {
        heading: 'Estamos preparando su pago',
        lead: () => 'Su código aparecerá aquí en cuanto esté listo. Aún no vaya a la caja.',
      },
      READY: {
        heading: 'Listo para pagar',
        lead: () => 'Muestre este código en la caja y pague en efectivo.',
      },
      PAYMENT_STARTED: {
        heading: 'La caja está procesando su pago',
        lead: ({ amount }) => `Entregue ${amount} en la caja y espere la confirmación aquí.`,
      },
      COMPLETED: {
        heading: 'Pago recibido',
        lead: ({ merchant }) => `La caja confirmó su pago a ${merchant}. No pague otra vez.`,
      },
      CANCELLED: {
        heading: 'Pago cancelado',
        lead: ({ merchant }) =>
          `No entregue dinero: la caja ya no puede aceptarlo. Si tiene preguntas, comuníquese con ${merchant}.`,
      },
      EXPIRED: {
        heading: 'Pago vencido',
        lead: ({ merchant }) =>
          `No entregue dinero: la caja ya no puede aceptarlo. Para pagar, pida una nueva orden a ${merchant}.`,
      },
    },
  },
  funding: {
    building: {
      heading: 'Estamos preparando su transferencia',
      lead: ({ missing, network }) => `Se le pedirá enviar ${missing} en ${network}. No envíe nada a mano.`,
    },
    waiting: {
      heading: 'En espera de su transferencia',
      lead: ({ missing, network, merchant }) =>
        `Envíe ${missing} en ${network} firmando la transacción, aquí o en ${merchant}. ` +
        'Su código aparecerá aquí cuando haya llegado.',
    },
    partial: {
      heading: 'Falta una parte de su transferencia',
      lead: ({ missing, received, network, merchant }) =>
        `Llegaron ${received}. Envíe los ${missing} que faltan en ${network} firmando la transacción, aquí o ` +
        `en ${merchant}.`,
    },
    seen: {
      heading: 'Su transferencia está en camino',
      lead: ({ network }) =>
        `${network} ya la tiene y pronto la confirmará. No la envíe otra vez; su código aparecerá aquí solo.`,
    },
    closed: {
      heading: 'El tiempo para su transferencia terminó',
      lead: ({ merchant }) => `Ya no envíe nada. Si envió algo, comuníquese con ${merchant}.`,
    },
  },
  payment: {
    heading: 'Pague con su billetera',
    to: 'A',
    noScript:
      'Para firmar aquí, su navegador tiene que ejecutar scripts. También puede pagar con una billetera en otro dispositivo.',
    here: {
      open: 'Abrir su billetera',
      opens:
        'Le mostrará el mismo pago para firmar. Si no se abre nada, copie la dirección de esta página y ábrala en el navegador de su billetera.',
      visit:
        'Su billetera es una aplicación de este teléfono: copie la dirección de esta página y ábrala en el navegador de la aplicación.',
      copy: 'Copiar la dirección de esta página',
    },
    elsewhere: {
      summary: 'Pagar con una billetera en otro dispositivo',
      scan: 'Escanéelo con la billetera que tiene la dirección de arriba. Le mostrará el mismo pago para firmar.',
      visit:
        'Escanéelo con el teléfono que tiene la billetera con la dirección de arriba y abra la página en el navegador de esa billetera.',
      qr: 'Código QR para una billetera en otro dispositivo',
      open: 'Abrir en una billetera de este dispositivo',
    },
    said: {
      looking: 'Buscando billeteras en este navegador…',
      none: 'No hay una billetera para {network} en este navegador. Instale una, o use la de otro dispositivo.',
      connect: 'Conectar {wallet}',
      connecting: 'Acepte la solicitud de conexión en {wallet}.',
      sign: 'Firmar y enviar {amount}',
      connected: '{wallet} está conectada. Compare lo que muestra con el pago de arriba.',
      signing: 'Revise lo que le muestra {wallet} y confírmelo allí.',
      sent: 'Enviado. Su código aparecerá aquí cuando {network} lo haya confirmado. No lo envíe otra vez.',
      again: 'Intentar de nuevo',
      other: 'Usar otra billetera',
      problems: {
        wrong_network: 'Su billetera está en otra red. Elija {networkName} en ella e intente de nuevo.',
        other_account:
          'Esta orden debe pagarse desde {address}. Elija esa cuenta en su billetera e intente de nuevo.',
        refused: 'Lo rechazó en su billetera y no se envió nada. Puede intentar de nuevo.',
        insufficient:
          'No hay suficiente en su billetera: necesita {amount} y un poco para la comisión de {network}. Agregue saldo e intente de nuevo.',
        expired: 'Tardó demasiado y su firma ya no es válida. No se envió nada; firme de nuevo.',
        paid: 'Esta orden ya está pagada. No pague otra vez; su código aparecerá aquí.',
        closed: 'El tiempo para pagar esta orden terminó. Ya no envíe nada.',
        building: 'El pago todavía no está listo. Intente de nuevo en unos segundos.',
        unavailable:
          'Ahora no podemos comunicarnos con {network}. No se envió nada; intente de nuevo en un minuto.',
        failed: 'No funcionó: {detail} No se perdió nada; intente de nuevo o use otra billetera.',
      },
    },
  },
  places: {
    heading: 'Dónde ir',
    limits: (min, max) => {
      if (min !== null && max !== null) return `De ${min} a ${max}`
      if (min !== null) return `Desde ${min}`
      return max === null ? null : `Hasta ${max}`
    },
    counterFee: (amount) => `Cargo en caja: ${amount}`,
    hours: (hours) => `Horario: ${hours}`,
    more: (count) => (count === 1 ? 'y 1 red más' : `y ${count} redes más`),
    bringHeading: 'Qué llevar',
    bringCode: 'Este código, en el teléfono o impreso.',
    bringCash: (amount) => `${amount} en efectivo.`,
    bringFee: 'El cargo en caja, donde lo haya: no es parte del importe.',
  },
  send: 'Transferencia',
  network: 'Red',
  received: 'Recibido',
  wallet: 'Su billetera',
  sendBefore: 'Envíe antes de',
  receive: 'Usted recibirá',
  amount: 'Importe',
  code: 'Su código',
  qr: 'Código QR con el mismo código',
  barcode: 'Código de barras con el mismo código',
  copy: 'Copiar código',
  copied: 'Copiado',
  print: 'Imprimir',
  sandbox: 'Esto es un sandbox: es una prueba y no se paga dinero.',
  offline: 'Sin conexión. Esta página puede no estar actualizada.',
  aheadClock: (by) => `Este es un sandbox: su reloj va ${by} adelantado respecto del real.`,
  keepSecret: 'No comparta este código: quien lo tenga puede cobrar el dinero.',
  stepsHeading: { PAY_OUT: 'Cómo retirar', PAY_IN: 'Cómo pagar' },
  steps: {
    PAY_OUT: ({ amount }) => [
      'Vaya a un punto de la red y diga en la caja que quiere retirar efectivo.',
      `Muestre el código o el QR. Le entregarán ${amount}.`,
      'Cuente el dinero antes de irse. El comprobante aparecerá aquí.',
    ],
    PAY_IN: ({ amount }) => [
      'Vaya a un punto de la red y diga en la caja que quiere hacer un pago.',
      `Muestre el código o el QR y entregue ${amount}.`,
      'Espere a que el comprobante aparezca aquí.',
    ],
  },
  timeLeft: 'Tiempo restante',
  lessThanAMinute: 'Menos de un minuto',
  validUntil: 'Válido hasta',
  expired: 'Venció',
  paid: { PAY_OUT: 'Entregado', PAY_IN: 'Pagado' },
  refund: {
    label: 'Devolución de',
    purchase: ({ what, amount, merchant, time }) => `${what}: ${amount}, pagado a ${merchant} el ${time}`,
  },
  description: 'Concepto',
  merchant: 'Comercio',
  contact: 'Preguntas al comercio',
  reference: 'Referencia',
  refreshes: 'Esta página se actualiza sola.',
  refreshNow: 'Actualizar ahora',
  pause: 'Pausar',
  isPaused: 'La actualización está en pausa.',
  resume: 'Reanudar',
  backTo: (merchant) => `Volver a ${merchant}`,
  form: {
    heading: 'Consultar una orden',
    lead: 'Escriba el identificador de la orden, o pegue el enlace que recibió.',
    label: 'Identificador de la orden',
    hint: 'Tiene 36 letras, números y guiones.',
    button: 'Ver la orden',
  },
  notFound: {
    heading: 'No encontramos esta orden',
    lead: 'Abra de nuevo el enlace que recibió, o escriba el identificador de la orden.',
  },
  unavailable: {
    heading: 'Ahora no podemos mostrar esta orden',
    lead: 'Esto no afecta a su orden. Esta página lo intentará de nuevo en unos segundos.',
  },
}
