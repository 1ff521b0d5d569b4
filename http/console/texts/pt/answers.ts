/** O que se responde onde não há página ou nada foi feito, e os nomes das seções. */
import type { Texts } from '../en.ts'

export const rooms: Texts['rooms'] = {
  Overview: 'Resumo',
  Orders: 'Pedidos',
  Exceptions: 'Exceções',
  Approvals: 'Aprovações',
  Webhooks: 'Webhooks',
  Parties: 'Partes',
  Settlement: 'Liquidação',
  Payments: 'Pagamentos',
  Reconciliation: 'Conciliação',
  Rates: 'Câmbio',
  Sandbox: 'Sandbox',
  Health: 'Saúde',
  Notifications: 'Avisos',
  Audit: 'Auditoria',
  Operators: 'Operadores',
  Settings: 'Configurações',
  Inspector: 'Inspetor',
}

export const answers: Texts['answers'] = {
  failures: {
    asked: 'À espera de aprovação',
    unproved: 'Prove o seu segundo fator',
    invalid: 'Solicitação inválida',
    forbidden: 'Não permitido para a sua função',
    not_found: 'Não encontrado',
    conflict: 'Mudou',
    refused: 'Não é possível',
  },
  currentState: 'Nada foi alterado. Este é o status atual.',
  unfinished: 'Está sendo feito: esta página vai mostrar.',
  notFound: 'Não encontrado',
  nothingHere:
    'Não há nada neste endereço. As seções do menu levam a toda parte, e a busca acima encontra aquilo de que você tem o id.',
  fileNotTaken: 'O arquivo não foi aceito',
  invalidForm: 'Formulário inválido',
  nothingWasDone: 'Nada foi feito.',
  notDone: 'Não foi feito',
  notFromHere: 'Não é daqui',
  anotherSession: 'O formulário é de outra sessão ou de outro site. Nada foi alterado: volte e recarregue.',
  doIt: 'Fazer como mostrado',
  sentAlready: 'Já enviado',
  carriedOutOnce:
    'Este formulário já foi enviado, e é executado uma única vez. Veja o resultado; para repetir, abra a página de novo.',
  noSuchForm: 'Não existe esse formulário.',
}
