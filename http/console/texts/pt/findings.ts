/** O que o nó diz em inglês do que encontra, e por que algo não foi feito; `{}` é o que se sabe disso. */
export const findings: Readonly<Record<string, string>> = {
  id: 'id',
  code: 'código',
  status: 'estado',
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
  'held by': 'em mãos de',
  'last held by': 'por último em mãos de',
  since: 'desde',
  'times locked': 'vezes retido',
  revision: 'revisão',
  refusals: 'recusas',
  checkout: 'página de pagamento',
  'webhooks go to': 'os webhooks vão para',
  'returns to': 'volta para',
  'consumer’s e-mail': 'e-mail do consumidor',
  'consumer’s telephone': 'telefone do consumidor',
  'personal data erased': 'dados pessoais apagados',
  'network {}': 'rede {}',
  'tax {}, by terms {}': 'imposto {}, pelas condições {}',
  '{} of {}, {} left': '{} de {}, restam {}',
  '{} of {}, and {} beyond it, {} left': '{} de {}, e {} além, restam {}',
  'The cash was handed over: the money goes to the provider.':
    'O dinheiro vivo foi entregue: o valor vai para o provedor.',
  'The cash was collected: the provider owes it, and it becomes available to the merchant.':
    'O dinheiro vivo foi recebido: o provedor o deve, e ele fica disponível para o lojista.',
  'No cash was handed over: the money becomes available to the merchant again.':
    'Nenhum dinheiro vivo foi entregue: o valor volta a ficar disponível para o lojista.',
  'No cash was collected: nothing moves.': 'Nenhum dinheiro vivo foi recebido: nada se move.',
  'No cash was handed over: what was sent on the blockchain has to be refunded, which opens another exception.':
    'Nenhum dinheiro vivo foi entregue: o que foi enviado na blockchain precisa ser reembolsado, o que abre outra exceção.',
  'The cash was handed over after all: the provider is paid from the merchant’s available money; any shortfall becomes the merchant’s debt.':
    'O dinheiro vivo foi entregue afinal: o provedor é pago com o dinheiro disponível do lojista; o que faltar vira dívida do lojista.',
  'The cash was collected after all: the provider owes it, and it becomes available to the merchant.':
    'O dinheiro vivo foi recebido afinal: o provedor o deve, e ele fica disponível para o lojista.',
  "The cash was handed over after all: the provider is paid from the operator's own money.":
    'O dinheiro vivo foi entregue afinal: o provedor é pago com dinheiro do operador.',
  'The provider was wrong: the return stands.': 'O provedor estava errado: a devolução permanece.',
  'The webhook is sent again, and its attempts are counted anew.':
    'O webhook é enviado de novo, e suas tentativas são contadas outra vez.',
  'The merchant has been told another way, or need not know.':
    'O lojista foi avisado de outra forma, ou não precisa saber.',
  'It is credited to the proposed order or the one you name, which must be waiting for money in this asset and not be past its expiry. Any excess opens another exception.':
    'É creditado ao pedido proposto ou ao que você indicar, que precisa estar aguardando dinheiro neste ativo e não ter expirado. O excedente abre outra exceção.',
  'It was refunded: give the transaction as evidence (--evidence). It is booked as leaving the treasury.':
    'Foi reembolsado: informe a transação como evidência. É contabilizado como saída da tesouraria.',
  "It belongs to the operator, for example its own transfer: it is booked as the operator's money.":
    'É do operador, por exemplo uma transferência própria: é contabilizado como dinheiro do operador.',
  "It is booked as the operator's loss.": 'É contabilizado como perda do operador.',
  "It was the operator's own transfer or is its loss, and is booked as such. If it was a refund, resolve that refund instead, with this transaction as evidence.":
    'Foi uma transferência do próprio operador ou é perda dele, e assim é contabilizado. Se foi um reembolso, resolva aquele reembolso, com esta transação como evidência.',
  "The cause is known: the books are set to what is there, and the difference is booked as the operator's.":
    'A causa é conhecida: os livros são ajustados ao que há, e a diferença é contabilizada como do operador.',
  "It was sent from elsewhere, or never will be: what stays in the treasury is booked as the operator's. A later transfer for it is reported like any other.":
    'Foi enviado de outro lugar, ou nunca será: o que fica na tesouraria é contabilizado como do operador. Uma transferência posterior é informada como qualquer outra.',
  "It will not be refunded: it is booked as the operator's money.":
    'Não será reembolsado: é contabilizado como dinheiro do operador.',
  'Noted. If money came for it, another exception opens once the chain is read again.':
    'Anotado. Se veio dinheiro para ele, outra exceção é aberta quando a blockchain for lida de novo.',
  'The chain was read again from before the oldest of these orders was made.':
    'A blockchain foi lida de novo desde antes da criação do mais antigo destes pedidos.',
  "It is the operator's: it is booked as the operator's fee. Where it is a party's, identify it instead: payment identify; where it was sent back, record that line: bank record --kind sent_back.":
    'É do operador: é contabilizado como tarifa dele. Se for de uma parte, identifique-o; se foi enviado de volta, registre esse lançamento.',
  'The bank has not paid it and will not: what it was for can be ordered again. Where the bank has paid it, order it as what it is instead, and book it: payment order --lost.':
    'O banco não o pagou nem vai pagar: aquilo para que era pode ser ordenado de novo. Se o banco o pagou, ordene-o como pagamento perdido e contabilize-o.',
  'Noted. What is not here was opened anew (claim open), under another number; what was decided was decided again: claim accept, uphold or reject. Where the order is not here any more, what it comes to is a correction: adjustment record.':
    'Anotado. O que não está aqui foi aberto de novo, com outro número; o que estava decidido foi decidido outra vez. Se a ordem não está mais aqui, o que resultar é uma correção.',
  'Both sides agree by now, or what is booked here stands: nothing moves. Where the network sends a corrected report of the day, this is settled by that.':
    'Os dois lados já concordam, ou vale o que está contabilizado aqui: nada se move. Se a rede enviar um relatório corrigido do dia, isso resolve.',
  'Noted. The node keeps trying, and resolves this itself once it succeeds.':
    'Anotado. O nó continua tentando, e resolve isto sozinho quando conseguir.',
  'Noted. The node keeps trying, and resolves this itself once it can process the order.':
    'Anotado. O nó continua tentando, e resolve isto sozinho quando puder processar o pedido.',
  'Noted. The webhooks resume by themselves once the merchant has a live key.':
    'Anotado. Os webhooks são retomados sozinhos quando o lojista tiver uma chave ativa.',
  'The order expired while a provider held it; ask the provider whether the cash was handled.':
    'O pedido expirou enquanto um provedor o tinha em mãos; pergunte a ele se houve movimento de dinheiro vivo.',
  'The order was cancelled while a provider held it; ask the provider whether the cash was handled.':
    'O pedido foi cancelado enquanto um provedor o tinha em mãos; pergunte a ele se houve movimento de dinheiro vivo.',
  'The webhook {} was not delivered: its receiver answered {}. Tell {}; once its receiver works: webhook retry {}':
    'O webhook {} não foi entregue: seu receptor respondeu {}. Avise {}; quando o receptor funcionar: webhook retry {}',
  'The network says {}, and the order {}.': 'A rede diz {}, e o pedido {}.',
  'No order of this provider has this name or reference.':
    'Nenhum pedido deste provedor tem este nome ou referência.',
  'A report that comes later may tell of it.': 'Um relatório posterior pode mencioná-lo.',
  'No report tells of it.': 'Nenhum relatório o menciona.',
  'has no account in its terms': 'não tem conta em suas condições',
  '{} has held order {} since {}: ask whether its till works.':
    '{} tem o pedido {} em mãos desde {}: pergunte se o caixa funciona.',
  '{} holds more than {} orders: its tills may be starting orders without finishing them.':
    '{} tem mais de {} pedidos em mãos: seus caixas podem estar iniciando pedidos sem concluí-los.',
  'The rate of {} is in doubt, so quotes do not use it: {}.':
    'A taxa de {} está em dúvida, por isso as cotações não a usam: {}.',
  'nothing degrades it': 'nada o degrada',
  'it is {}': 'é {}',
  '{} MiB are free where {} lies, and a write is safe after {} ms':
    'há {} MiB livres onde está {}, e uma gravação fica segura após {} ms',
  'the database is on a server of its own': 'o banco de dados está em um servidor próprio',
  'Make room: new orders are refused on a full disk.':
    'Libere espaço: com o disco cheio novos pedidos são recusados.',
  'key, token, database and backups are closed to other users':
    'a chave, o token, o banco de dados e os backups estão fechados a outros usuários',
  'other users may read or write {}': 'outros usuários podem ler ou gravar {}',
  'operators are answered on {}, no public address':
    'os operadores são atendidos em {}, que não é um endereço público',
  'operators are answered on a public address: {}': 'os operadores são atendidos em um endereço público: {}',
  'none is expected before the node': 'nenhum é esperado na frente do nó',
  '{} are believed': 'confia-se em {}',
  'none is needed': 'nenhum é necessário',
  '{} can be resolved': 'resolvem-se {}',
  'not resolved: {}': 'não se resolvem: {}',
  'none is read: each is off, or no node runs':
    'nenhuma é lida: estão desligadas, ou nenhum nó está em execução',
  'every one that open orders name is in the settings':
    'todas as que pedidos abertos nomeiam estão nas configurações',
  'none is set up': 'nenhuma está configurada',
  '{} can be used': '{} podem ser usadas',
  '{} wait to be delivered, {} are dead letters': '{} a entregar, {} falharam',
  'See `ventanilla webhook list --state dead`, and tell the merchants.':
    'Veja os webhooks que falharam, e avise os lojistas.',
  'Resume them: `ventanilla webhook resume MERCHANT`.': 'Retome-os: `ventanilla webhook resume MERCHANT`.',
  '{} are live, none of them left over': '{} ativas, nenhuma de sobra',
  "the database's server has tools of its own": 'o servidor do banco de dados tem ferramentas próprias',
  'none are made of this sandbox': 'nenhum é feito deste sandbox',
  'the settings name no place, so none are made':
    'as configurações não indicam onde, por isso nenhum é feito',
  'the newest is of {}': 'o mais recente é de {}',
  'no order is quarantined since a restoration': 'nenhum pedido está em quarentena por uma restauração',
  '{} orders are quarantined: no payment of them is started':
    '{} pedidos estão em quarentena: nenhum pagamento deles é iniciado',
  'Have the providers’ reports, then `ventanilla order quarantined` and `ventanilla order clear`.':
    'Obtenha os relatórios dos provedores, e depois tire-os da quarentena.',
  'nothing is overdue': 'nada está vencido',
  'See `ventanilla payment due`.': 'Veja o que vence em Pagamentos.',
  'none is open': 'nenhuma está aberta',
  'one is open': 'há uma aberta',
  '{} are open': 'há {} abertas',
  'See `ventanilla exception list`.': 'Veja em Exceções.',
  'none is old, and no order is given back again and again':
    'nenhum é antigo, e nenhum pedido é liberado repetidamente',
  'See `ventanilla alarm list`.': 'Veja os alarmes no Resumo.',
  'Set the clock right, then `ventanilla clock accept`.': 'Acerte o relógio, e depois aceite-o.',
  'Mend what is named; /readyz says the same.': 'Corrija o que é indicado; /readyz diz o mesmo.',
  'There is no order {}.': 'Não existe o pedido {}.',
  'There is no {} {}.': 'Não existe {} {}.',
  'There is no operator {}.': 'Não existe o operador {}.',
  '"{}" is no day such as 2026-03-01.': '"{}" não é um dia como 2026-03-01.',
  'The present password is another one.': 'A senha atual é outra.',
  'The password is little more than the name.': 'A senha é pouco mais que o nome.',
  'The input is not right.': 'Os dados não estão corretos.',
  'There is no time zone {}.': 'Não existe o fuso horário {}.',
  'An amount is not clear; nothing was done.': 'Um valor não está claro; nada foi feito.',
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
}
