/** Reclamações: dinheiro que não foi entregue ou recebido como está contabilizado. */
import { countedIn } from '../counted.ts'
import type { Texts } from '../en.ts'

const counted = countedIn('pt')

export const claims: Texts['claims'] = {
  claims: 'Reclamações',
  waiting: 'pendentes',
  all: 'todas as reclamações',
  noneWait: 'Não há reclamações pendentes.',
  none: 'Não há reclamações.',
  claim: 'Reclamação',
  against: 'Contra',
  due: 'Vence',
  overdue: 'vencida',
  open: 'Abrir uma reclamação',
  nothingMoves:
    'O dinheiro de um pedido não foi entregue ou recebido como está contabilizado. Nada se move antes da decisão.',
  noneOfOrder: 'Não há reclamações sobre este pedido.',
  aboutException: 'O que a reclamação resolve',
  aboutExceptionLead: 'Preenchido conforme o relatório: mude o que for diferente.',
  openIt: 'Abrir',
}

export const claim: Texts['claim'] = {
  claim: (number) => `Reclamação ${number}`,
  neverHeld: 'nunca teve o pedido',
  price: 'Preço',
  amount: 'Valor de que se trata',
  openedBy: 'Aberta por',
  answered: 'Respondida',
  ended: 'Encerrada',
  reference: 'Referência de seus lançamentos',
  wouldBeBooked: 'O que se contabiliza ao aceitar ou confirmar',
  cannotBeBooked: 'Como está, não pode ser contabilizada',
  booked: 'O que contabilizou',
  bookedByException:
    'Foi contabilizada com a exceção que ela tinha: seus lançamentos estão na linha do tempo do pedido.',
  seeOrder: 'O pedido e sua linha do tempo',
  dueHint: 'Até lá a outra parte pode responder; você pode decidir a qualquer momento.',
  decide: 'Decidir',
  accept: 'Aceitar',
  acceptOrUphold:
    'Aceite-a se ninguém a nega; confirme-a se está certa mesmo que alguém ainda possa negá-la.',
  acceptLead: 'Ninguém a nega: contabiliza-se o que ela pede.',
  uphold: 'Confirmar',
  upholdLead: 'Está certa, diga-se o que se disser: contabiliza-se o que ela pede.',
  reject: 'Rejeitar',
  rejectLead: 'Não está certa: nada se move.',
  withdraw: 'Retirar',
  answer: 'O que diz a outra parte',
  answerLead: 'Se ela mesma não o diz.',
  keepAnswer: 'Guardar a resposta',
  evidence: 'Provas',
  noEvidence: 'Nada foi mostrado ainda.',
  addText: 'Adicionar um texto',
  addFile: 'Adicionar um arquivo',
  fileHint: 'PDF, PNG, JPEG, texto ou CSV, no máximo 5 MB.',
  add: 'Adicionar',
  download: 'Baixar',
  fileOf: (name, bytes) => `${name}, ${counted(bytes, 'byte', 'bytes')}`,
  downloadFile: (name) => `Baixar ${name}`,
  erased: 'apagada',
  theClaim: 'A reclamação',
  agrees: 'concorda',
  denies: 'nega',
}
