/** Lo que el nodo dice en inglés de lo que encuentra, y por qué algo no se hizo; `{}` es lo que se sabe de ello. */
export const findings: Readonly<Record<string, string>> = {
  '{}, ordered': '{}, ordenado',
  '{}, sent': '{}, enviado',
  '{}, booked': '{}, contabilizado',
  '{}, returned': '{}, devuelto',
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
  '{} of {}, {} left': '{} de {}, quedan {}',
  '{} of {}, and {} beyond it, {} left': '{} de {}, y {} de más, quedan {}',
  'The order was cancelled while a provider held it; ask the provider whether the cash was handled.':
    'La orden se canceló mientras un proveedor la tenía tomada; pregúntele si se movió el efectivo.',
  'The network says {}, and the order {}.': 'La red dice {}, y la orden {}.',
  '{} wait to be delivered, {} are dead letters': '{} por entregar, {} fallidos',
  'The input is not right.': 'Los datos no son correctos.',
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
  'nobody has ever held the order, so say with whom its cash was handled.':
    'nadie tuvo nunca la orden, así que indique con quién se movió su efectivo.',
  'what was handled instead of the price, or what the false notes come to.':
    'lo que se movió en lugar del precio, o la suma de los billetes falsos.',
  'only a wrong amount and false notes have one.':
    'solo lo llevan un importe equivocado y los billetes falsos.',
  '{} is the price itself.': '{} es el precio mismo.',
  'false notes come to no more than the price, {}.': 'los billetes falsos no suman más que el precio, {}.',
  'Claim {} is denied, and cannot be accepted: the merchant denies it.':
    'La reclamación {} está denegada y no se puede aceptar: el comercio la niega.',
  'Claim {} is denied, and cannot be accepted: the provider denies it.':
    'La reclamación {} está denegada y no se puede aceptar: el proveedor la niega.',
  'Claim {} is agreed, and cannot be upheld: the merchant agrees.':
    'En la reclamación {} el comercio está de acuerdo: acéptela en lugar de confirmarla.',
  'Claim {} is agreed, and cannot be upheld: the provider agrees.':
    'En la reclamación {} el proveedor está de acuerdo: acéptela en lugar de confirmarla.',
  "By other claims {} of the order's cash are booked: claim {} would take back more.":
    'Por otras reclamaciones hay {} contabilizados del efectivo de la orden: la reclamación {} quitaría más.',
  'Claim {} was accepted: {}': 'La reclamación {} se aceptó: {}',
  'Claim {} was upheld: {}': 'La reclamación {} se confirmó: {}',
  'Claim {} was rejected: {}': 'La reclamación {} se rechazó: {}',
}
