import type { Texts } from './texts.ts'

export const pt: Texts = {
  language: 'Português',
  languages: 'Idioma',
  titles: { PAY_OUT: 'Saque em dinheiro', PAY_IN: 'Pagamento em dinheiro' },
  statuses: {
    PAY_OUT: {
      CREATED: {
        heading: 'Estamos preparando o seu saque',
        lead: () => 'O código aparecerá aqui assim que o dinheiro estiver disponível. Ainda não vá ao caixa.',
      },
      READY: { heading: 'Pronto para sacar', lead: () => 'Mostre este código no caixa.' },
      PAYMENT_STARTED: {
        heading: 'O caixa está processando o seu saque',
        lead: () => 'Espere no caixa e conte o dinheiro antes de sair.',
      },
      COMPLETED: {
        heading: 'Saque concluído',
        lead: () => 'O caixa confirmou que entregou o dinheiro. O código não vale mais.',
      },
      CANCELLED: {
        heading: 'Saque cancelado',
        lead: ({ merchant }) =>
          `Não é mais possível entregar dinheiro com este pedido. Se tiver dúvidas, fale com ${merchant}.`,
      },
      EXPIRED: {
        heading: 'Saque expirado',
        lead: ({ merchant }) =>
          `Não é mais possível entregar dinheiro com este pedido. Para sacar, solicite um novo a ${merchant}.`,
      },
    },
    PAY_IN: {
      CREATED: {
        heading: 'Estamos preparando o seu pagamento',
        lead: () => 'O código aparecerá aqui assim que estiver pronto. Ainda não vá ao caixa.',
      },
      READY: {
        heading: 'Pronto para pagar',
        lead: () => 'Mostre este código no caixa e pague em dinheiro.',
      },
      PAYMENT_STARTED: {
        heading: 'O caixa está processando o seu pagamento',
        lead: ({ amount }) => `Entregue ${amount} no caixa e espere a confirmação aqui.`,
      },
      COMPLETED: {
        heading: 'Pagamento recebido',
        lead: ({ merchant }) => `O caixa confirmou o seu pagamento a ${merchant}. Não pague de novo.`,
      },
      CANCELLED: {
        heading: 'Pagamento cancelado',
        lead: ({ merchant }) =>
          `Não entregue dinheiro: o caixa não pode mais aceitá-lo. Se tiver dúvidas, fale com ${merchant}.`,
      },
      EXPIRED: {
        heading: 'Pagamento expirado',
        lead: ({ merchant }) =>
          `Não entregue dinheiro: o caixa não pode mais aceitá-lo. Para pagar, solicite um novo pedido a ${merchant}.`,
      },
    },
  },
  funding: {
    building: {
      heading: 'Estamos preparando a sua transferência',
      lead: ({ missing, network }) => `Você deverá enviar ${missing} na ${network}. Não envie nada à mão.`,
    },
    waiting: {
      heading: 'Aguardando a sua transferência',
      lead: ({ missing, network, merchant }) =>
        `Envie ${missing} na ${network} assinando a transação, aqui ou em ${merchant}. ` +
        'O código aparecerá aqui quando ela chegar.',
    },
    partial: {
      heading: 'Falta uma parte da sua transferência',
      lead: ({ missing, received, network, merchant }) =>
        `Chegaram ${received}. Envie os ${missing} que faltam na ${network} assinando a transação, aqui ou em ` +
        `${merchant}.`,
    },
    seen: {
      heading: 'A sua transferência está a caminho',
      lead: ({ network }) =>
        `A ${network} já a tem e logo a confirmará. Não a envie de novo; o código aparecerá aqui sozinho.`,
    },
    closed: {
      heading: 'O prazo da sua transferência terminou',
      lead: ({ merchant }) => `Não envie mais nada. Se você enviou algo, fale com ${merchant}.`,
    },
  },
  payment: {
    heading: 'Pague com a sua carteira',
    to: 'Para',
    noScript:
      'Para assinar aqui, o navegador precisa executar scripts. Você também pode pagar com uma carteira em outro aparelho.',
    here: {
      open: 'Abrir a sua carteira',
      opens:
        'Ela mostrará o mesmo pagamento para assinar. Se nada abrir, copie o endereço desta página e abra-o no navegador da sua carteira.',
      visit:
        'A sua carteira é um aplicativo deste celular: copie o endereço desta página e abra-o no navegador do aplicativo.',
      copy: 'Copiar o endereço desta página',
    },
    elsewhere: {
      summary: 'Pagar com uma carteira em outro aparelho',
      scan: 'Escaneie com a carteira que tem o endereço acima. Ela mostrará o mesmo pagamento para assinar.',
      visit:
        'Escaneie com o celular que tem a carteira com o endereço acima e abra a página no navegador dessa carteira.',
      qr: 'Código QR para uma carteira em outro aparelho',
      open: 'Abrir em uma carteira deste aparelho',
    },
    said: {
      looking: 'Procurando carteiras neste navegador…',
      none: 'Não há carteira para {network} neste navegador. Instale uma, ou use a de outro aparelho.',
      connect: 'Conectar {wallet}',
      connecting: 'Aceite a solicitação de conexão na {wallet}.',
      sign: 'Assinar e enviar {amount}',
      connected: '{wallet} está conectada. Compare o que ela mostra com o pagamento acima.',
      signing: 'Confira o que {wallet} mostra e confirme lá.',
      sent: 'Enviado. O código aparecerá aqui quando a {network} confirmar. Não envie de novo.',
      again: 'Tentar de novo',
      other: 'Usar outra carteira',
      problems: {
        wrong_network: 'A sua carteira está em outra rede. Escolha {networkName} nela e tente de novo.',
        other_account:
          'Este pedido deve ser pago de {address}. Escolha essa conta na carteira e tente de novo.',
        refused: 'Você recusou na carteira e nada foi enviado. Pode tentar de novo.',
        insufficient:
          'Não há o suficiente na carteira: ela precisa de {amount} e de um pouco para a taxa da {network}. Adicione saldo e tente de novo.',
        expired: 'Demorou demais e a sua assinatura não vale mais. Nada foi enviado; assine de novo.',
        paid: 'Este pedido já foi pago. Não pague de novo; o código aparecerá aqui.',
        closed: 'O prazo para pagar este pedido terminou. Não envie mais nada.',
        building: 'O pagamento ainda não está pronto. Tente de novo em alguns segundos.',
        unavailable:
          'Não conseguimos falar com a {network} agora. Nada foi enviado; tente de novo em um minuto.',
        failed: 'Não funcionou: {detail} Nada se perdeu; tente de novo ou use outra carteira.',
      },
    },
  },
  places: {
    heading: 'Aonde ir',
    limits: (min, max) => {
      if (min !== null && max !== null) return `De ${min} a ${max}`
      if (min !== null) return `A partir de ${min}`
      return max === null ? null : `Até ${max}`
    },
    counterFee: (amount) => `Taxa no caixa: ${amount}`,
    hours: (hours) => `Horário: ${hours}`,
    more: (count) => (count === 1 ? 'e mais 1 rede' : `e mais ${count} redes`),
    bringHeading: 'O que levar',
    bringCode: 'Este código, no celular ou impresso.',
    bringCash: (amount) => `${amount} em dinheiro.`,
    bringFee: 'A taxa no caixa, onde houver: ela não faz parte do valor.',
  },
  send: 'Transferência',
  network: 'Rede',
  received: 'Recebido',
  wallet: 'Sua carteira',
  sendBefore: 'Envie antes de',
  receive: 'Você receberá',
  amount: 'Valor',
  code: 'Seu código',
  qr: 'Código QR com o mesmo código',
  barcode: 'Código de barras com o mesmo código',
  copy: 'Copiar código',
  copied: 'Copiado',
  print: 'Imprimir',
  sandbox: 'Isto é um sandbox: é um teste e nenhum dinheiro é pago.',
  offline: 'Sem conexão. O que você vê pode estar desatualizado.',
  aheadClock: (by) => `Este é um sandbox: seu relógio está ${by} adiantado em relação ao real.`,
  keepSecret: 'Não compartilhe este código: quem o tiver pode sacar o dinheiro.',
  stepsHeading: { PAY_OUT: 'Como sacar', PAY_IN: 'Como pagar' },
  steps: {
    PAY_OUT: ({ amount }) => [
      'Vá a um ponto da rede e diga no caixa que quer sacar dinheiro.',
      `Mostre o código ou o QR. Você receberá ${amount}.`,
      'Conte o dinheiro antes de sair. O comprovante aparecerá aqui.',
    ],
    PAY_IN: ({ amount }) => [
      'Vá a um ponto da rede e diga no caixa que quer fazer um pagamento.',
      `Mostre o código ou o QR e entregue ${amount}.`,
      'Espere o comprovante aparecer aqui.',
    ],
  },
  timeLeft: 'Tempo restante',
  lessThanAMinute: 'Menos de um minuto',
  validUntil: 'Válido até',
  expired: 'Venceu',
  paid: { PAY_OUT: 'Entregue', PAY_IN: 'Pago' },
  refund: {
    label: 'Reembolso de',
    purchase: ({ what, amount, merchant, time }) => `${what}: ${amount}, pago a ${merchant} em ${time}`,
  },
  description: 'Descrição',
  merchant: 'Empresa',
  contact: 'Perguntas à empresa',
  reference: 'Referência',
  refreshes: 'Esta página se atualiza sozinha.',
  refreshNow: 'Atualizar agora',
  pause: 'Pausar',
  isPaused: 'A atualização está em pausa.',
  resume: 'Retomar',
  backTo: (merchant) => `Voltar a ${merchant}`,
  form: {
    heading: 'Consultar um pedido',
    lead: 'Digite o identificador do pedido, ou cole o link que recebeu.',
    label: 'Identificador do pedido',
    hint: 'Tem 36 letras, números e hifens.',
    button: 'Ver o pedido',
  },
  notFound: {
    heading: 'Não encontramos este pedido',
    lead: 'Abra de novo o link que recebeu, ou digite o identificador do pedido.',
  },
  unavailable: {
    heading: 'Agora não conseguimos mostrar este pedido',
    lead: 'Isso não afeta o seu pedido. Esta página tentará de novo em alguns segundos.',
  },
}
