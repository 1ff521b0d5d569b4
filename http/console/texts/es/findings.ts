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
  'The order is {}: its provider may still say that the cash was handled.':
    'La orden está en {}: su proveedor aún puede decir que se movió el efectivo.',
  'nobody has ever held the order, so say with whom its cash was handled.':
    'nadie tuvo nunca la orden, así que indique con quién se movió su efectivo.',
  'what was handled instead of the price, or what the false notes come to.':
    'lo que se movió en lugar del precio, o la suma de los billetes falsos.',
  'only a wrong amount and false notes have one.':
    'solo lo llevan un importe equivocado y los billetes falsos.',
  '{} is the price itself.': '{} es el precio mismo.',
  'false notes come to no more than the price, {}.': 'los billetes falsos no suman más que el precio, {}.',
  'There is a claim of this kind about the order with this provider already.':
    'Ya hay una reclamación de este tipo sobre la orden con este proveedor.',
  'The exception is not there, or is resolved.': 'La excepción no existe, o está resuelta.',
  'The exception is about another order.': 'La excepción es de otra orden.',
  'A claim resolves a difference of a report, or, where the cash was handled and is not booked, what the order waits for.':
    'Una reclamación resuelve una diferencia de un reporte o, si el efectivo se movió y no está contabilizado, lo que la orden espera.',
  'Another claim holds the exception.': 'Otra reclamación ya tiene la excepción.',
  'The order {} is in the archive now.': 'La orden {} ya está en el archivo.',
  'Claim {} is denied, and cannot be accepted: the merchant denies it.':
    'La reclamación {} está denegada y no se puede aceptar: el comercio la niega.',
  'Claim {} is denied, and cannot be accepted: the provider denies it.':
    'La reclamación {} está denegada y no se puede aceptar: el proveedor la niega.',
  'Claim {} is agreed, and cannot be upheld: the merchant agrees.':
    'En la reclamación {} el comercio está de acuerdo: acéptela en lugar de confirmarla.',
  'Claim {} is agreed, and cannot be upheld: the provider agrees.':
    'En la reclamación {} el proveedor está de acuerdo: acéptela en lugar de confirmarla.',
  'The money of the order waits for the exception {} ({}), which claim {} does not hold.':
    'El dinero de la orden espera la excepción {} ({}), que la reclamación {} no tiene.',
  'The provider has never held the order: nothing is taken from its merchant by claim {}.':
    'El proveedor nunca tuvo la orden: con la reclamación {} no se le toma nada a su comercio.',
  'Another claim of this kind ({}) has moved the money of the order: claim {} would move it again.':
    'Otra reclamación de este tipo ({}) ya movió el dinero de la orden: la reclamación {} lo movería otra vez.',
  'The cash of the order is booked with another provider: claim {} has nothing to correct.':
    'El efectivo de la orden está contabilizado con otro proveedor: la reclamación {} no tiene nada que corregir.',
  "By other claims {} of the order's cash are booked: claim {} would take back more.":
    'Por otras reclamaciones hay {} contabilizados del efectivo de la orden: la reclamación {} quitaría más.',
  'Claim {} has changed since you looked (revision {} now).':
    'La reclamación {} cambió desde que la vio (ahora es la revisión {}).',
  'There is no claim {}.': 'No existe la reclamación {}.',
  'Evidence is a text or a file, one of both.': 'Una prueba es un texto o un archivo, uno de los dos.',
  'The file is empty.': 'El archivo está vacío.',
  'The file is a text, and not in UTF-8.': 'El archivo es un texto, y no está en UTF-8.',
  'The file is no PDF, PNG or JPEG, and no plain text.':
    'El archivo no es PDF, PNG ni JPEG, ni texto simple.',
  'Whatever it is called: what is in it counts. Print it to PDF, or take a picture of it.':
    'Se llame como se llame, cuenta lo que contiene. Imprímalo en PDF, o tómele una foto.',
  'The file is larger than {} MB.': 'El archivo es mayor de {} MB.',
  'Claim {} was accepted: {}': 'La reclamación {} se aceptó: {}',
  'Claim {} was upheld: {}': 'La reclamación {} se confirmó: {}',
  'Claim {} was rejected: {}': 'La reclamación {} se rechazó: {}',
  'The file is not there any more: send it again.': 'El archivo ya no está: envíelo de nuevo.',
  '{} lines differ: it is hardly this network’s report of {}.':
    'Difieren {} líneas: difícilmente es el reporte de esta red del {}.',
  'No payment names itself in it.': 'Ningún pago se nombra en él.',
}
