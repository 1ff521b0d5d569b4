/** O nó, suas taxas de câmbio, backups e blockchains, e o inspetor. */
import type { Texts } from '../en.ts'

export const node: Texts['node'] = {
  exchangeRatesByChainAnd: 'Taxas de câmbio por rede blockchain e par.',
  notUsed: 'não usada',
  auditLog: 'Registro de auditoria',
  operation: 'Operação',
  noChangesYet: 'Ainda não há alterações.',
  noMatchingChanges: 'Nenhuma alteração corresponde.',
  askedWith: 'Dados',
  acceptTheClock: 'Aceitar o relógio',
  itShowsWhatFellDue: (now) => `Ele marca ${now}. O que venceu enquanto isso expira imediatamente.`,
  sandboxClock: 'O relógio do sandbox',
  sandboxClockLead: 'Tudo o que vence até lá acontece, na sua ordem. O relógio só anda para a frente.',
  sandboxClockLast: (from: string, to: string) => `Último adiantamento: de ${from} a ${to}`,
  advanceClock: 'Adiantar',
  resetClock: 'Parar ou voltar',
  resetClockLead:
    'Um relógio que está sendo adiantado para onde está. Um parado volta à hora real, enquanto nada tiver sido gravado com a hora dele.',
  cameAbout: {
    ordersExpired: 'Pedidos expirados',
    simulations: 'Simulações realizadas',
    webhookAttempts: 'Tentativas de webhook',
    statementsClosed: 'Extratos fechados',
    approvalsExpired: 'Aprovações expiradas',
    notifications: 'Notificações',
    exceptionsOpened: 'Exceções abertas',
    ordersArchived: 'Pedidos arquivados',
  },
  verifyTheDatabase: 'Verificar o banco de dados',
  recomputesEveryBalanceJournalAnd:
    'Recalcula cada saldo, diário e âncora sem interromper o serviço. Um milhão de pedidos leva alguns minutos.',
  verifyNow: 'Verificar agora',
  statusOk: 'Status: OK',
  statusSomethingNeedsToBe: 'Status: há algo a fazer',
  checks: 'Verificações',
  endTheDrain: 'Encerrar a drenagem',
  theNodeIsDrainedIt:
    'O nó está drenado: não aceita novos pedidos, cotações nem inícios. O que começou pode ser concluído.',
  drainForMaintenance: 'Drenar para manutenção',
  noNodeOverThisDatabase:
    'Nenhum nó sobre este banco de dados aceita novos pedidos, cotações ou inícios até que você encerre a drenagem aqui; reiniciar não a encerra. Confirmações, liberações, webhooks e a leitura de blockchains continuam.',
  drain: 'Drenar',
  settingsInForce: 'Configurações em vigor',
  asReadWhenTheNode: 'Como lidas quando o nó iniciou. Primeiro as que diferem do padrão.',
  settings: 'Configurações',
  setting: 'Configuração',
  meaning: 'Significado',
  notSet: 'não definido',
  default: 'padrão',
  consistent: 'Consistente',
  inconsistent: 'Inconsistente',
  holds: 'Confere',
}

export const backups: Texts['backups'] = {
  aBackupHasBeenRunning: (since, told) => `Há um backup em andamento desde ${since}: ${told}.`,
  noBackupFolderIsConfigured:
    'Nenhuma pasta de backup está configurada: defina backups.folder, de preferência em outro disco.',
  theNodeMakesThemIn: (folder) => `O nó os cria em ${folder}.`,
  backups: 'Backups',
  backup: 'Backup',
  size: 'Tamanho',
  verified: 'Verificado',
  mib: (size) => `${size} MiB`,
  makeABackupNow: 'Fazer um backup agora',
  aVerifiedCopyOfThe: 'Uma cópia verificada do banco de dados como está agora, sem interromper o serviço.',
  backUpNow: 'Fazer agora',
}

export const chains: Texts['chains'] = {
  blockchains: 'Blockchains',
  read: 'Lida',
  completeTo: 'Completa até',
  behind: 'Atraso',
  theDatabaseIsBeingVerified: (percent) => `O banco de dados está sendo verificado: ${percent} % até agora.`,
}

export const rescan: Texts['rescan'] = {
  readABlockchainAgain: 'Ler uma blockchain de novo',
  forWhatWasMissedWhat:
    'Para o que foi perdido. Primeiro se mostra o que seria registrado, e com isso nada é registrado.',
  look: 'Examinar',
  ordersThatWereCredited: 'Pedidos creditados',
  noOrderWasCredited: 'Nenhum pedido foi creditado.',
  whatWouldBeRecorded: (chain, from) => `O que seria registrado de ${chain} a partir de ${from}`,
  whatWasRecorded: (chain, from) => `O que foi registrado de ${chain} a partir de ${from}`,
  itWasReadToThe: 'Foi lida até o último bloco final.',
  itWasReadToRead: (next) => `Foi lida até ${next}: continue dali para ler o resto.`,
  notKnown: 'Não registrado',
  everythingThatWasReadIs: 'Tudo o que foi lido está registrado.',
  inOrOut: 'Entrada ou saída',
  wallet: 'Carteira',
  block: 'Bloco',
  recordIt: 'Registrar',
  eachAsAnyChainDeposit:
    'Cada um como qualquer depósito ou saída em blockchain: pedidos são creditados, e o que não corresponde a nenhum é uma exceção.',
  record: 'Registrar',
}

export const unannouncedRestore: Texts['unannouncedRestore'] = {
  acceptTheRestore: 'Aceitar a restauração',
  atTheStart: 'na inicialização',
  olderThanItsAnchors: 'o banco de dados é mais antigo que suas âncoras',
  foundAcceptingItOnlyEnds: (since, problem) =>
    `Detectado: ${since}: ${problem}. Aceitá-la só encerra o aviso: pedidos em quarentena e webhooks em pausa continuam assim até serem liberados.`,
}

export const rate: Texts['rate'] = {
  to: (send, target, country) => `${send} para ${target} (${country})`,
  used: 'Usada',
  whyNot: 'Por que não',
  inDoubt: 'Em dúvida',
  inDoubtSince: 'Em dúvida desde',
  mayMoveBy: 'Pode variar',
  expected: 'Esperada',
  oldestThatIsUsed: 'Idade máxima',
  sources: 'Fontes',
  told: 'Informou',
  askedAgain: 'Próxima consulta',
  acceptTheRateInDoubt: 'Aceitar a taxa em dúvida',
  itsSourceMovedItFrom: (before, inDoubt) =>
    `Sua fonte a mudou de ${before} para ${inDoubt}, e nenhuma segunda fonte concorda. As cotações vão usá-la: compare antes com outras publicações.`,
  acceptIt: 'Aceitar',
}

export const inspector: Texts['inspector'] = {
  guard: 'Condição',
  guards: 'Condições neste passo',
  wouldBecome: 'Levaria a',
  says: 'Diz',
  inspector: 'Inspetor',
  events: 'Eventos',
  became: 'Passou a',
  refused: (outcome) => `recusado: ${outcome}`,
  workers: 'Processos',
  liveActorsNeverStored: 'atores vivos, nunca guardados',
  noneRuns: 'Nenhum em execução.',
  worker: 'Processo',
  charts: 'Diagramas',
  version: 'Versão',
  anotherInspector: 'Outro inspetor',
  theSameAsMessagesOf:
    'O mesmo, como mensagens de @statelyai/inspect, vem por um WebSocket deste endereço em /inspect/ws, com o cookie desta sessão ou com o token do nó: ws://any:TOKEN@HOST:PORT/inspect/ws.',
  chart: (machine) => `Diagrama ${machine}`,
  neverStored: 'nunca guardado',
  orderStepOf: (id, sequence, steps) => `Pedido ${id}, passo ${sequence} de ${steps}`,
  theStepBefore: '← o passo anterior',
  theNextStep: 'o próximo passo →',
  itsPage: 'sua página',
  itIs: (chart, to) => `${chart}: seu status é ${to}`,
  context: 'Contexto',
  whoSaidWhat: 'Quem disse o quê',
  steps: 'Passos',
  step: 'Passo',
  effects: 'Efeitos',
  todaysChartDecidesDifferentlyFrom: 'O diagrama de hoje decide diferente do diário',
  possibleNext: 'Possível a seguir',
}

export const queue = {
  queue: 'Fila de efeitos',
  task: 'Tarefa',
  whose: 'Para',
  about: 'Sobre',
  due: 'Vence',
  leasedUntil: 'Reservado até',
  theFirstAreShown: 'São mostradas e contadas as primeiras de cada tipo: há mais.',
  nothingLeftToDo: 'Não resta nada a fazer, e nada foi abandonado.',
}
