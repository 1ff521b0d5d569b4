/** Lo que se responde donde no hay página o no se hizo nada, y los nombres de las secciones. */
import type { Texts } from '../en.ts'

export const rooms: Texts['rooms'] = {
  Overview: 'Resumen',
  Orders: 'Órdenes',
  Exceptions: 'Excepciones',
  Approvals: 'Aprobaciones',
  Webhooks: 'Webhooks',
  Parties: 'Partes',
  Settlement: 'Liquidación',
  Payments: 'Pagos',
  Reconciliation: 'Conciliación',
  Rates: 'Tipos de cambio',
  Sandbox: 'Sandbox',
  Health: 'Estado',
  Notifications: 'Avisos',
  Audit: 'Auditoría',
  Operators: 'Operadores',
  Settings: 'Ajustes',
  Inspector: 'Inspector',
}

export const answers: Texts['answers'] = {
  failures: {
    asked: 'A la espera de aprobación',
    unproved: 'Pruebe su segundo factor',
    invalid: 'Solicitud no válida',
    forbidden: 'No permitido para su rol',
    not_found: 'No encontrado',
    conflict: 'Ha cambiado',
    refused: 'No es posible',
  },
  currentState: 'No se modificó nada. Este es su estado actual.',
  unfinished: 'Se está haciendo: esta página lo mostrará.',
  notFound: 'No encontrado',
  nothingHere:
    'No hay nada en esta dirección. Las secciones del menú llevan a todas partes, y el buscador de arriba encuentra aquello cuyo id usted tenga.',
  fileNotTaken: 'No se aceptó el archivo',
  invalidForm: 'Formulario no válido',
  nothingWasDone: 'No se hizo nada.',
  notDone: 'No se hizo',
  notFromHere: 'No es de aquí',
  anotherSession:
    'El formulario pertenece a otra sesión o a otro sitio. No se modificó nada: vuelva atrás y recargue.',
  doIt: 'Hacerlo como se muestra',
  sentAlready: 'Ya enviado',
  carriedOutOnce:
    'Este formulario ya se envió y se ejecuta una sola vez. Vea qué resultó; para repetirlo, abra de nuevo su página.',
  noSuchForm: 'No existe ese formulario.',
}
