/** O que o nó diz em inglês do que encontra, e por que algo não foi feito; `{}` é o que se sabe disso. */
export const findings: Readonly<Record<string, string>> = {
  '{}, ordered': '{}, ordenado',
  '{}, sent': '{}, enviado',
  '{}, booked': '{}, contabilizado',
  '{}, returned': '{}, devolvido',
  id: 'id',
  code: 'código',
  status: 'status',
  merchant: 'lojista',
  'merchant’s id': 'id do lojista',
  price: 'preço',
  fee: 'tarifa',
  commission: 'comissão da rede',
  'refund of': 'reembolso de',
  'refunded of it': 'reembolsado dele',
  refunded: 'reembolsado',
  kind: 'tipo',
  description: 'descrição',
  created: 'criação',
  expiry: 'expiração',
  paid: 'pago',
  since: 'desde',
  'times locked': 'vezes iniciado',
  revision: 'revisão',
  refusals: 'recusas',
  checkout: 'página de pagamento',
  'webhooks go to': 'os webhooks vão para',
  'returns to': 'volta para',
  'consumer’s e-mail': 'e-mail do consumidor',
  'consumer’s telephone': 'telefone do consumidor',
  'personal data erased': 'dados pessoais apagados',
  '{} of {}, {} left': '{} de {}, restam {}',
  '{} of {}, and {} beyond it, {} left': '{} de {}, e {} além, restam {}',
  'The order was cancelled while a provider held it; ask the provider whether the cash was handled.':
    'O pedido foi cancelado enquanto um provedor o tinha em mãos; pergunte a ele se houve movimento de dinheiro vivo.',
  'The network says {}, and the order {}.': 'A rede diz {}, e o pedido {}.',
  '{} wait to be delivered, {} are dead letters': '{} a entregar, {} falharam',
  'The input is not right.': 'Os dados não estão corretos.',
  '"{}" is not clear as an amount: write it without separators of thousands, with a point or a comma before at most two decimals, such as 1000.50.':
    '«{}» não está claro como valor: escreva sem separador de milhar, com ponto ou vírgula antes de no máximo dois decimais, por exemplo 1000.50 ou 1000,50.',
  '"{}" is not clear as a number: write it without separators of thousands, with a point or a comma before its decimals, and a zero behind three of them, such as 1.2500.':
    '«{}» não está claro como número: escreva sem separador de milhar, com ponto ou vírgula antes dos decimais e, se forem três, com um zero depois, por exemplo 1.2500 ou 1,2500.',
  '{}: "{}" is not clear as an amount: write it without separators of thousands, with a point or a comma before at most two decimals, such as 1000.50.':
    '{}: «{}» não está claro como valor: escreva sem separador de milhar, com ponto ou vírgula antes de no máximo dois decimais, por exemplo 1000.50 ou 1000,50.',
  '{}: "{}" is not clear as a number: write it without separators of thousands, with a point or a comma before its decimals, and a zero behind three of them, such as 1.2500.':
    '{}: «{}» não está claro como número: escreva sem separador de milhar, com ponto ou vírgula antes dos decimais e, se forem três, com um zero depois, por exemplo 1.2500 ou 1,2500.',
  '{} came to the bank account {} ({}), and it is not known whose it is.':
    '{} chegou à conta bancária {} ({}), e não se sabe de quem é.',
  '{} left the bank account {} ({}), and it is not known whose it is.':
    '{} saiu da conta bancária {} ({}), e não se sabe de quem é.',
  'nobody has ever held the order, so say with whom its cash was handled.':
    'ninguém jamais teve o pedido, então diga com quem o dinheiro foi movimentado.',
  'what was handled instead of the price, or what the false notes come to.':
    'o que foi movimentado em vez do preço, ou a soma das notas falsas.',
  'only a wrong amount and false notes have one.': 'só o têm um valor errado e as notas falsas.',
  '{} is the price itself.': '{} é o próprio preço.',
  'false notes come to no more than the price, {}.': 'as notas falsas não somam mais que o preço, {}.',
  'Claim {} is denied, and cannot be accepted: the merchant denies it.':
    'A reclamação {} está negada e não pode ser aceita: o lojista a nega.',
  'Claim {} is denied, and cannot be accepted: the provider denies it.':
    'A reclamação {} está negada e não pode ser aceita: o provedor a nega.',
  'Claim {} is agreed, and cannot be upheld: the merchant agrees.':
    'Na reclamação {} o lojista está de acordo: aceite-a em vez de confirmá-la.',
  'Claim {} is agreed, and cannot be upheld: the provider agrees.':
    'Na reclamação {} o provedor está de acordo: aceite-a em vez de confirmá-la.',
  "By other claims {} of the order's cash are booked: claim {} would take back more.":
    'Por outras reclamações há {} contabilizados do dinheiro do pedido: a reclamação {} tiraria mais.',
  'Claim {} was accepted: {}': 'A reclamação {} foi aceita: {}',
  'Claim {} was upheld: {}': 'A reclamação {} foi confirmada: {}',
  'Claim {} was rejected: {}': 'A reclamação {} foi rejeitada: {}',
}
