/** Por que uma linha do relatório de uma rede não coincide: um texto por código. */
import type { ReasonTexts } from '../en/reasons.ts'

const called = { paid: 'pago', reversed: 'estornado' }

export const reasons: ReasonTexts = {
  several_orders: (it) => `A rede o dá por ${called[it.called]}; sua referência é a de vários pedidos.`,
  archived: (it) => `A rede o dá por ${called[it.called]}; o pedido está no arquivo desde ${it.since}.`,
  unknown_order: (it) => `A rede o dá por ${called[it.called]}; aqui não existe esse pedido.`,
  unknown_reference: (it) => `A rede o dá por ${called[it.called]}; aqui não existe essa referência.`,
  reported_before: ({ line, day }) =>
    `Seu pagamento foi relatado duas vezes: a linha ${line}${day === null ? '' : ` de ${day}`} também fala dele.`,
  other_network: ({ network }) => `Aqui foi pago pela rede ${network}.`,
  other_amount: ({ theirs, ours }) => `A rede diz ${theirs}, e o pedido ${ours}.`,
  other_day: ({ day }) => `Aqui foi pago em ${day}.`,
  claimed_back: ({ claim }) => `Aqui a reclamação ${claim} o estornou como não pago.`,
  other_provider: () => 'Aqui outro provedor o pagou.',
  unpaid: ({ status }) => `Aqui seu status é: ${status}.`,
  held_by_others: ({ status }) => `Aqui seu status é: ${status}, e este provedor não foi o último a tê-lo.`,
  other_price: ({ status, theirs, price }) =>
    `Aqui seu status é: ${status}; a rede diz ${theirs}, e seu preço é ${price}.`,
  undecided: ({ status }) => `Aqui seu status é: ${status}; diga o que houve com o dinheiro.`,
  given_back: ({ status }) => `Aqui seu status é: ${status}, e seu dinheiro foi devolvido.`,
  denied: ({ status }) => `Aqui seu status é: ${status}, e foi dito que não foi pago.`,
  never_held: () => 'A rede o dá por estornado; este provedor nunca teve o pedido.',
  taken_back: () => 'A rede estornou o pagamento; aqui ele continua contabilizado.',
  not_paid_there: () => 'A rede diz que não foi pago; aqui está pago.',
  under_way: () => 'Aqui seu pagamento está em andamento.',
  quarantined_currency: ({ ours, currency }) => `Está em quarentena, e em ${ours}, não em ${currency}.`,
  quarantined_price: ({ price }) => `Está em quarentena, e seu preço é ${price}.`,
  quarantined_problem: ({ problem }) => `Está em quarentena, e não pode ser contabilizado: ${problem}.`,
  pending: () => 'Um relatório posterior pode falar dele.',
  unreported: () => 'Nenhum relatório fala dele; aqui está pago.',
}
