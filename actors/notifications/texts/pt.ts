/** Portuguese. */
import type { Texts } from './texts.ts'

const exceptionKinds: Texts['exceptionKinds'] = {
  expired_while_locked: 'o pedido expirou enquanto um provedor o tinha em mãos',
  cancelled_while_locked: 'o pedido foi cancelado enquanto um provedor o tinha em mãos',
  confirmed_after_return: 'o pedido foi confirmado depois da devolução do dinheiro',
  refund_due: 'reembolso devido a um usuário final',
  chain_outage: 'o pedido expirou enquanto sua blockchain não podia ser lida',
  webhook_dead: 'webhook não entregue',
  webhook_unsigned: 'webhooks à espera de uma chave',
  deposit_unmatched: 'depósito na blockchain que não corresponde a nenhum pedido',
  deposit_clawed_back: 'depósito na blockchain retirado pelo emissor',
  treasury_outflow: 'saída sem explicação da tesouraria',
  treasury_differs: 'a tesouraria difere dos livros',
  refund_unseen: 'reembolso não visto na blockchain',
  chain_place_lost: 'perdeu-se o ponto de leitura de uma blockchain',
  bank_unidentified: 'lançamento bancário não identificado',
  payment_lost: 'pagamento desconhecido desde uma restauração',
  claim_lost: 'reclamação desconhecida desde uma restauração',
  report_difference: 'diferença em relação ao relatório de uma rede',
  transaction_blocked: 'a transação não pode ser montada',
  order_stuck: 'o pedido não pode ser processado',
}

const alarmKinds: Texts['alarmKinds'] = {
  often_released: 'um pedido é iniciado e liberado repetidamente',
  long_held: 'um provedor tem um pedido em mãos há muito tempo',
  many_held: 'um provedor tem pedidos demais em mãos',
  quarantined_past_expiry: 'há pedidos em quarentena já expirados',
  rate_in_doubt: 'uma taxa de câmbio está em dúvida',
  chain_stalled: 'uma blockchain não está sendo lida',
  order_stuck: 'um pedido não pode ser processado',
  treasury_differs: 'uma tesouraria difere dos livros',
  chain_place_lost: 'perdeu-se o ponto de leitura de uma blockchain',
  exposure_high: 'um provedor deve quase tudo o que pode dever',
  claim_overdue: 'uma reclamação não foi decidida a tempo',
}

export const pt: Texts = {
  exceptionKinds,
  alarmKinds,
  events: {
    'exception.opened': {
      title: ({ kind }) => `Exceção: ${exceptionKinds[kind]}`,
      detail: ({ order, amount, asset, chain }) => [
        ...(amount === null ? [] : [`Valor: ${amount} ${asset ?? ''}`.trim()]),
        ...(chain === null ? [] : [`Blockchain: ${chain}`]),
        ...(order === null ? [] : [`Pedido: ${order}`]),
      ],
      action: ({ exception }) => [`Consulte: ventanilla exception show ${exception}`],
      over: ({ kind }) => `Resolvido: não há mais exceções abertas deste tipo (${exceptionKinds[kind]})`,
    },
    'webhook.dead': {
      title: ({ merchant }) => `Um webhook para ${merchant} não foi entregue`,
      detail: ({ order }) => [...(order === null ? [] : [`Pedido: ${order}`])],
      action: ({ exception }) => [`Consulte: ventanilla exception show ${exception}`],
      over: () => 'Resolvido: não há mais webhooks sem entrega',
    },
    alarm: {
      title: ({ kind }) => `Alarme: ${alarmKinds[kind]}`,
      detail: ({ about, count }) => [
        ...(about === null ? [] : [`Sobre: ${about}`]),
        ...(count === null ? [] : [`Quantidade: ${count}`]),
      ],
      action: () => ['Consulte: ventanilla alarm list'],
      over: ({ kind }) => `Terminou: ${alarmKinds[kind]}`,
    },
    'node.degraded': {
      title: ({ part }) => `O nó está degradado: ${part}`,
      detail: () => [],
      action: () => ['Consulte: ventanilla doctor'],
      over: ({ part }) => `Terminou: o nó não está mais degradado por ${part}`,
    },
    'clock.doubt': {
      title: () => 'O relógio está em dúvida: nada expira até ser aceito',
      detail: () => [],
      action: () => ['Consulte: ventanilla clock show'],
      over: () => 'Terminou: o relógio é confiável de novo',
    },
    'chain.doubt': {
      title: ({ chain }) => `Blockchain em dúvida: ${chain}`,
      detail: () => ['Os depósitos nela podem ser creditados com atraso.'],
      action: () => ['Consulte: ventanilla chain lag'],
      over: ({ chain }) => `Terminou: ${chain} é lida de novo`,
    },
    'rate.doubt': {
      title: ({ rate }) =>
        rate === null ? 'As taxas de câmbio não podem ser usadas' : `Taxa de câmbio em dúvida: ${rate}`,
      detail: () => ['Enquanto isso, o que depende dela é recusado.'],
      action: () => ['Consulte: ventanilla rate list'],
      over: ({ rate }) =>
        rate === null
          ? 'Terminou: as taxas de câmbio podem ser usadas de novo'
          : `Terminou: a taxa de câmbio ${rate} pode ser usada de novo`,
    },
    'backup.missed': {
      title: () => 'Um backup não foi feito',
      detail: ({ newest }) => [newest === null ? 'Ainda não há nenhum.' : `O mais recente é de ${newest}.`],
      action: () => ['Veja o registro e o disco, e depois: ventanilla backup'],
      over: () => 'Terminou: os backups são feitos de novo',
    },
    'disk.low': {
      title: () => 'O disco está quase cheio ou não pode ser gravado',
      detail: ({ freeMebibytes }) => [
        ...(freeMebibytes === null ? [] : [`Livre: ${freeMebibytes} MiB`]),
        'Com o disco cheio, pedidos novos são recusados: libere espaço.',
      ],
      action: () => [],
      over: () => 'Terminou: o disco tem espaço de novo',
    },
    'exposure.high': {
      title: ({ provider }) => `${provider} deve quase tudo o que pode dever`,
      detail: ({ used, limit, currency, warnAtPercent }) => [
        `Usado: ${used} de ${limit} ${currency}; o aviso vale a partir de ${warnAtPercent} %.`,
        'No limite, os recebimentos dele são recusados: cobre o que ele deve ou aumente o limite.',
      ],
      action: () => [],
      over: ({ provider, currency }) => `Terminou: ${provider} está abaixo do aviso em ${currency} de novo`,
    },
    'balance.low': {
      title: ({ merchant, currency }) => `Saldo baixo de ${merchant} em ${currency}`,
      detail: ({ balance, below, currency }) => [
        `Disponível: ${balance} ${currency}, abaixo de ${below} ${currency}.`,
        'Saques acima disso esperam até a chegada de um depósito.',
      ],
      action: () => [],
      over: ({ merchant, currency }) =>
        `Terminou: o saldo de ${merchant} em ${currency} é suficiente de novo`,
    },
    'statement.closed': {
      title: ({ number, party, currency }) => `Extrato ${number} de ${party} em ${currency}`,
      detail: ({ from, to, closing, due, dueOn, currency }) => [
        `De ${from} a ${to}`,
        `Saldo final: ${closing} ${currency}`,
        `A liquidar: ${due} ${currency}${dueOn === null ? '' : ` em ${dueOn}`}`,
        'Acima de zero, o operador deve; abaixo de zero, a outra parte.',
      ],
      action: () => [],
    },
    'sign_in.new': {
      title: ({ operator }) => `Novo acesso ao console: ${operator}`,
      detail: ({ address }) => [`De: ${address}`],
      action: () => ['Se não foi essa pessoa, desative a conta: ventanilla operator disable NOME'],
    },
    'key.added': {
      title: ({ party }) => `Nova chave de ${party}`,
      detail: ({ key }) => [`Chave: ${key}`],
      action: () => ['As anteriores continuam válidas até serem revogadas: ventanilla key revoke CHAVE'],
    },
    'account.changed': {
      title: ({ party, currency, from }) =>
        from === null
          ? `A conta em que ${party} recebe em ${currency} continua a mesma`
          : `${party} vai receber em ${currency} em outra conta`,
      detail: ({ from }) => [
        from === null
          ? 'A mudança foi desfeita.'
          : `Os pagamentos ordenados a partir de ${from} vão para lá.`,
      ],
      action: ({ from }) =>
        from === null
          ? []
          : ['Se ninguém pediu, avise o operador antes disso: a conta anterior, definida de novo, fica.'],
    },
    'approval.asked': {
      title: ({ approval, operation }) => `A aprovação ${approval} espera uma segunda pessoa: ${operation}`,
      detail: ({ moves, askedBy }) => [
        ...(moves.length === 0 ? [] : [`Movimenta: ${moves.join(', ')}`]),
        askedBy === null ? 'Não foi pedida por ninguém com sessão aberta.' : `Pedida por: ${askedBy}`,
      ],
      action: ({ approval }) => [`Outra pessoa aprova ou recusa no console: /approvals/${approval}`],
      over: () => 'Encerrado: nada mais espera uma segunda pessoa',
    },
  },
  digest: {
    subject: (lines) => (lines === 1 ? 'Resumo: 1 assunto' : `Resumo: ${lines} assuntos`),
    intro: 'O que aconteceu desde o último resumo:',
    more: 'Há mais: ventanilla notification list, alarm list e exception list mostram tudo.',
  },
  test: {
    subject: 'Aviso de teste',
    detail: 'Este canal funciona. Nada aconteceu.',
  },
  invitation: {
    subject: 'Seu convite para o console de operadores',
    roles: { viewer: 'leitor', operator: 'operador', administrator: 'administrador' },
    lead: (name, role, invitedBy) =>
      `${invitedBy} convidou você para o console de operadores. Seu nome nele é ${name}, e seu papel, ${role}.`,
    open: 'Abra este endereço e escolha uma senha:',
    until: (time) => `Ele cria uma conta, uma única vez, e vale até ${time}.`,
    unexpected: 'Se você não esperava esta mensagem, não faça nada: sem você nenhuma conta é criada.',
    hidden: '(O endereço está apenas no e-mail.)',
  },
  repeated: (count) =>
    count === 1
      ? 'Aconteceu mais uma vez nesse meio tempo.'
      : `Aconteceu mais ${count} vezes nesse meio tempo.`,
  times: (count) => (count === 1 ? 'uma vez' : `${count} vezes`),
  at: (time) => `Em ${time}`,
  since: (time) => `Desde ${time}`,
  between: (first, last) => `De ${first} a ${last}`,
  footer: (channel) =>
    `Enviado pelo Ventanilla ao canal ${channel}. O que se repete é contado e avisado no resumo.`,
  partyFooter: 'Mensagem automática do seu operador, enviada pelo Ventanilla.',
  sandbox: 'Ambiente de testes: não há dinheiro real.',
}
