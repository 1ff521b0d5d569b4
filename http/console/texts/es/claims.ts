/** Reclamaciones: efectivo que no se entregó o recibió como está contabilizado. */
import { countedIn } from '../counted.ts'
import type { Texts } from '../en.ts'

const counted = countedIn('es')

export const claims: Texts['claims'] = {
  claims: 'Reclamaciones',
  waiting: 'pendientes',
  all: 'todas las reclamaciones',
  noneWait: 'No hay reclamaciones pendientes.',
  none: 'No hay reclamaciones.',
  claim: 'Reclamación',
  against: 'Contra',
  due: 'Vence',
  overdue: 'vencida',
  open: 'Abrir una reclamación',
  nothingMoves:
    'El efectivo de una orden no se entregó o recibió como está contabilizado. Nada se mueve antes de que se decida.',
  noneOfOrder: 'No hay reclamaciones sobre esta orden.',
  aboutException: 'Lo que resuelve la reclamación',
  aboutExceptionLead: 'Llenado según el reporte: cambie lo que sea distinto.',
  openIt: 'Abrirla',
}

export const claim: Texts['claim'] = {
  claim: (number) => `Reclamación ${number}`,
  neverHeld: 'nunca tuvo la orden',
  price: 'Precio',
  amount: 'Importe del que se trata',
  openedBy: 'Abierta por',
  answered: 'Respondida',
  ended: 'Terminada',
  reference: 'Referencia de sus asientos',
  wouldBeBooked: 'Lo que se contabiliza si se acepta o se confirma',
  cannotBeBooked: 'Así como está no se puede contabilizar',
  booked: 'Lo que contabilizó',
  bookedByException:
    'Se contabilizó con la excepción que tenía: sus asientos están en la cronología de la orden.',
  seeOrder: 'La orden y su cronología',
  dueHint: 'Hasta entonces puede responder la otra parte; usted puede decidir en cualquier momento.',
  decide: 'Decidir',
  accept: 'Aceptarla',
  acceptOrUphold:
    'Acéptela si nadie la niega; confírmela si es correcta aunque alguien pueda negarla todavía.',
  acceptLead: 'Nadie la niega: se contabiliza lo que pide.',
  uphold: 'Confirmarla',
  upholdLead: 'Es correcta, se diga lo que se diga: se contabiliza lo que pide.',
  reject: 'Rechazarla',
  rejectLead: 'No es correcta: nada se mueve.',
  withdraw: 'Retirarla',
  answer: 'Lo que dice la otra parte',
  answerLead: 'Si no lo dice ella misma.',
  keepAnswer: 'Guardar la respuesta',
  evidence: 'Pruebas',
  noEvidence: 'Todavía no se mostró nada.',
  addText: 'Agregar un texto',
  addFile: 'Agregar un archivo',
  fileHint: 'PDF, PNG, JPEG, texto o CSV, como máximo 5 MB.',
  add: 'Agregar',
  download: 'Descargar',
  fileOf: (name, bytes) => `${name}, ${counted(bytes, 'byte', 'bytes')}`,
  downloadFile: (name) => `Descargar ${name}`,
  erased: 'borrada',
  theClaim: 'La reclamación',
  agrees: 'está de acuerdo',
  denies: 'la niega',
}
