/** Pedidos, o que há de errado com alguns, e o que se avisa deles aos lojistas. */
import { countedIn } from '../counted.ts'
import type { Texts } from '../en.ts'

const counted = countedIn('pt')

export const orders: Texts['orders'] = {
  noMatchingOrders: 'Nenhum pedido corresponde.',
  noOrderHasThisId: (it) => `Nenhum pedido tem este id, código ou id do lojista: ${it}`,
  noSearchWasMadeSee: 'Nada foi procurado: veja os erros acima.',
  idOrCode: 'Id ou código',
  expires: 'Expira',
}

export const order: Texts['order'] = {
  order: (id) => `Pedido ${id}`,
  chartOfItIs: (kind, status) => `Diagrama de ${kind}; seu status: ${status}`,
  resendItsWebhooks: 'Reenviar seus webhooks',
  simulate: 'Simular',
  simulateLead: 'Apenas no sandbox: com o mesmo código das operações reais, em nome de um provedor simulado.',
  allThatAreNotDelivered: 'Todos os não entregues; suas tentativas são contadas de novo.',
  actions: 'Ações',
  onItsBlockchain: 'Na sua blockchain',
  whatItWaitsForAnd: 'o que ele espera e o que foi enviado para ele',
  chainDeposits: 'Depósitos em blockchain',
  nothingSentYet: 'Nada foi enviado ainda.',
  credited: 'Creditado',
  sentAt: 'Enviado em',
}

export const orderCharges: Texts['orderCharges'] = {
  refunds: 'Reembolsos',
  payOutsThatGiveIt: 'saques que o devolvem',
}

export const timeLine: Texts['timeLine'] = {
  money: (kind) => `dinheiro: ${kind}`,
  exception: 'exceção',
  timeLine: 'Linha do tempo',
  whoOrWhere: 'Quem ou onde',
  details: 'Detalhes',
  olderLinesAreLeftOut: (left, id) =>
    `As ${left} linhas mais antigas foram omitidas; ventanilla order show ${id} mostra todas.`,
  refused: (outcome) => `recusado: ${outcome}`,
  signedWith: (key) => `assinado com ${key}`,
  webhook: (sequence) => `webhook ${sequence}`,
  tells: (status) => `avisa: ${status}`,
  toNotifyUrl: 'para notify_url',
  lastAnswer: (told, lastAnswer) => `${told}; última resposta: ${lastAnswer}`,
  toBeSent: 'a enviar',
  attempt: (attempts) => `tentativa ${attempts}`,
  dueThen: 'programado para então',
  ms: (milliseconds) => `${milliseconds} ms`,
  webhookAttempt: (sequence, attempt) => `webhook ${sequence}, tentativa ${attempt}`,
  chainDeposit: 'depósito em blockchain',
  creditedTransaction: (money, credited, transaction) =>
    `${money}, creditado: ${credited}; transação ${transaction}`,
  operator: (name) => `operador ${name}`,
  no: (sequence) => `n.º ${sequence}`,
}

export const quarantined: Texts['quarantined'] = {
  quarantinedOrders: 'Pedidos em quarentena',
  theyWereOpenInA:
    'Estavam abertos em um backup que foi restaurado. Um provedor pode tê-los pago desde então, por isso não podem ser iniciados até que os provedores digam que não foram pagos.',
  noQuarantinedOrders: 'Não há pedidos em quarentena.',
  quarantinedSince: 'Em quarentena desde',
  order: (code, id) => `${code}, pedido ${id}`,
  clearOne: 'Tirar um da quarentena',
  providersCanStartItAgain: 'Os provedores podem iniciá-lo de novo.',
  clearIt: 'Tirar da quarentena',
  clearAll: 'Tirar todos da quarentena',
  everyQuarantinedOrderIncludingThose:
    'Todos os pedidos em quarentena, inclusive os de outras páginas. Qualquer um que tenha sido pago desde o backup poderia ser pago duas vezes.',
  itWasOpenInA:
    'Estava aberto em um backup que foi restaurado e pode ter sido pago desde então, por isso não pode ser iniciado.',
  quarantined: 'Em quarentena',
  theProvidersSayThatIt: 'Os provedores dizem que não foi pago. Pode ser iniciado de novo.',
  ordersAreQuarantinedAfterA: 'Há pedidos em quarentena após uma restauração',
  seeWhichAndClearThem: 'Ver quais e tirá-los da quarentena',
  waitsFor: 'Aguarda a resposta de',
}

export const sweep: Texts['sweep'] = {
  cancelAKeysOrders: 'Cancelar os pedidos de uma chave',
  forALeakedKeyFreeze:
    'Para uma chave vazada: congele antes o lojista ou revogue a chave, ou ela poderá criar mais.',
  cancelTheOrders: 'Cancelar os pedidos',
  thereAreMoreRunIt: 'Há mais: execute de novo.',
  theKeyIsLiveAnd: (merchant) =>
    `A chave está ativa e ${merchant} não está congelado: ela pode criar mais pedidos.`,
  ordersCancelledLeft: (cancelled, refused) => `Pedidos cancelados: ${cancelled}; mantidos: ${refused}`,
  ordersWouldBeCancelledLeft: (cancelled, refused) =>
    `Pedidos que seriam cancelados: ${cancelled}; mantidos: ${refused}`,
  keyIsLive: 'A chave pode criar mais',
  notFinished: 'Não terminou',
  theKeyHasCreatedNo: 'A chave não criou pedidos que possam ser cancelados.',
  leftBecause: 'Mantido porque',
}

export const erasure: Texts['erasure'] = {
  erasePersonalData: 'Apagar os dados pessoais',
  theJournalAndTheMoney:
    'E-mail, telefone, os corpos dos webhooks e suas respostas são apagados para sempre. O diário e o dinheiro permanecem.',
  eraseThem: 'Apagar',
  eraseAConsumersPersonalData: 'Apagar os dados pessoais de um consumidor',
  inAllOrdersThatHave:
    'E-mail, telefone, os corpos dos webhooks e suas respostas são apagados para sempre. Em todos os pedidos terminados, inclusive os arquivados; os abertos são listados.',
  ofTheyHadBeenBefore: (erased, before) =>
    `Dados apagados de ${counted(erased, 'pedido', 'pedidos')}; os de ${before.text} já estavam`,
  theDataOfOrdersAre: (erased) => `Dados apagados de ${counted(erased, 'pedido', 'pedidos')}`,
  ordersThatHaveNotEnded: 'Pedidos não terminados',
  noOrderOfTheirsIs: 'Nenhum pedido dele está aberto.',
  eraseAgainOnceItHas: 'Apagar de novo quando terminar',
}

export const evidence: Texts['evidence'] = {
  it: 'Valor',
}

export const refund: Texts['refund'] = {
  refund: 'Reembolsar',
  makesAnUnsignedTransactionAnd:
    'Cria uma transação não assinada e não envia nada: assine onde estão as chaves da tesouraria, envie e resolva a exceção como reembolsada com o id dela.',
  makeTheTransaction: 'Criar a transação',
  refundTransaction: 'Transação de reembolso',
  theException: 'A exceção',
  asset: 'Ativo',
  cameBy: 'Veio por',
  canBeSignedUntil: 'Pode ser assinada até',
  unsignedTransaction: 'Transação não assinada',
  onceItIsSentResolve:
    'Depois de enviada, resolva a exceção como reembolsada, com o id da transação como evidência.',
}

export const exceptions: Texts['exceptions'] = {
  openExceptions: 'Exceções abertas',
  resolvedExceptions: 'Exceções resolvidas',
  showResolvedOnes: 'Mostrar as resolvidas',
  showOpenOnes: 'Mostrar as abertas',
  noOpenExceptions: 'Não há exceções abertas.',
  noneResolvedYet: 'Nenhuma foi resolvida ainda.',
  resolve: (as) => `Resolver: ${as}`,
  resolveAs: (as) => `Resolver: ${as}`,
  exception: (id) => `Exceção ${id}`,
  sender: 'Remetente',
  resolved: 'Resolvida',
  resolvedAs: 'Resolvida como',
  with: 'Com',
  corrected: (day) => `Um relatório posterior de ${day} já não o diz.`,
  day: 'Dia',
  itsClaim: 'Sua reclamação',
  resolve2: 'Resolver',
}

export const webhooks: Texts['webhooks'] = {
  noAttempts: 'Ainda não há tentativas: a primeira é feita assim que chega a hora.',
  noMatchingWebhooks: 'Nenhum webhook corresponde.',
  webhook: 'Webhook',
  tells: 'Avisa',
  url: 'URL',
  attempts: 'Tentativas',
  lastAnswer: 'Última resposta',
  nextAttempt: 'Próxima tentativa',
  webhookOfOrder: (sequence, order) => `Webhook ${sequence} do pedido ${order}`,
  webhookTo: (sequence, merchant) => `Webhook ${sequence} para ${merchant}`,
  numberInItsOrder: 'Número no seu pedido',
  settled: 'Concluído',
  theMerchantHasReceivedIt: 'O lojista o recebeu, e vai recebê-lo de novo.',
  itIsSentAtOnce: 'É enviado imediatamente, e suas tentativas são contadas de novo.',
  resend: 'Reenviar',
  no: 'N.º',
  started: 'Início',
  took: 'Durou',
  address: 'Endereço',
  answer: 'Resposta',
  ms: (milliseconds) => `${milliseconds} ms`,
  signedWith: (key) => `assinado com ${key}`,
  removedAfterTheRetentionTime: 'Removido após o prazo de retenção.',
  itNamesTheConsumerSo: 'Identifica o consumidor, por isso os leitores não o veem.',
  body: 'Corpo',
  exactlyAsItIsSent: 'exatamente como é enviado',
}

export const evidenceFile: Texts['evidenceFile'] = {
  forOthers: 'Evidência para terceiros',
  allThatIsRecorded:
    'Um arquivo ZIP com tudo o que está registrado dele, sem o código, assinado com a chave do nó. Ele mesmo diz como é verificado.',
  download: 'Baixar',
}

export const archived: Texts['archived'] = {
  title: (id) => `Pedido arquivado ${id}`,
  since: 'Arquivado',
  file: 'Arquivo',
  entries: 'Entradas do seu diário',
  digest: 'Selo da sua linha',
  erased: 'Dados pessoais apagados',
  whereItIs: (file) =>
    `Todo ele, com diário, lançamentos e webhooks, é uma linha de ${file} ao lado do banco de dados. Este comando a lê ali:`,
  command: 'Comando',
}
