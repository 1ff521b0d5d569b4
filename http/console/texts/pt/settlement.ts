/** O que vence e o que se paga, a quem e de quem. */

import { type Counted, countedIn } from '../counted.ts'
import type { Texts } from '../en.ts'

const counted = countedIn('pt')

export const settlement: Texts['settlement'] = {
  today: 'Hoje',
  utc: (day) => `${day}, UTC`,
  upToTodayToWhom: 'até hoje, a quem e de quem',
  settlementIsStoppedSinceA: 'A liquidação está parada desde que um backup foi restaurado',
  noDayIsClosedAnd:
    'Nenhum dia é fechado e nenhum pagamento é ordenado até que seja contabilizado o que bancos e redes informam desde o backup.',
  resumeSettlement: 'Retomar a liquidação',
  onlyOnceEveryEntryOf:
    'Só quando todo lançamento dos bancos desde o backup estiver contabilizado: o que faltar seria pago de novo.',
  settlementToday: 'Liquidação de hoje',
  statementsOverdue: 'extratos vencidos',
  fallDueToday: 'vencem hoje',
  paymentsOnTheirWay: 'pagamentos a caminho',
  providersNearTheirLimit: 'provedores perto do limite',
  statementsNotSealedYet: 'extratos ainda não selados',
  open: 'Pendente',
  whatIsLeftOfAll: 'o que resta de todos os extratos',
  nothingIsOpen: 'Não há nada pendente.',
  toDo: 'A fazer',
  overdue: 'Vencido',
  later: 'Mais tarde',
  carried: 'Transportado',
  since: (first) => `desde ${first}`,
  from: (first) => `a partir de ${first}`,
  onTheirWay: 'A caminho',
  paymentsThatNoBankHas: 'pagamentos que nenhum banco contabilizou ainda',
  noPaymentIsOnIts: 'Não há pagamentos a caminho.',
  firstOrdered: 'Primeiro ordenado',
  whatProvidersOweHoldOr:
    'o que os provedores devem, têm em mãos ou podem dever; no limite seus recebimentos são recusados',
  noProviderHasALimit: 'Nenhum provedor tem limite.',
  ofIt: 'Utilizado',
  allOfIt: 'tudo',
  warnsFromOn: (percent) => `avisa a partir de ${percent} %`,
  closingNext: 'Próximos fechamentos',
  byThemselvesAsTheTerms: 'automáticos, conforme as condições',
  nothingClosesByItselfNo: 'Nada fecha sozinho: nenhuma parte tem condições de liquidação.',
  closeTheDayOfAnAccount: 'Fechar o dia de uma conta',
  todaysDayEndsWithIt: 'Com isso o dia de hoje termina: o que vier agora é do próximo.',
  closeTheDay: 'Fechar o dia',
  forExampleMxn: 'Por exemplo MXN',
  hasNoLineInSince: (party, currency, day) =>
    `${party} não tem linhas em ${currency} desde o último extrato: não há nenhuma até ${day}.`,
  noStatement: 'Sem extrato',
  statementAsItWouldBe: (number) => `O extrato ${number}, como ficaria`,
  nothingWasClosedGoBack: 'Nada foi fechado. O botão abaixo fecha a conta como mostrado.',
}

export const statement: Texts['statement'] = {
  statementOf: (number, party) => `Extrato ${number} de ${party}`,
  statementsOf: (party) => `Extratos de ${party}`,
  itIsNotSealedYet: 'Ainda não está selado',
  itsAmountsAreFixedIts:
    'Seus valores são definitivos. Suas linhas são guardadas, e a parte é avisada, assim que o seu número estiver registrado fora do banco de dados.',
  itFallsDueOn: (day) => `Vence em ${day}`,
  banksTurnedOutToBe: (day) => `Os bancos não abrem em ${day}.`,
  printIt: 'Imprimir',
  tableCsv: 'Tabela (CSV)',
  withItsDigestJson: 'Com o resumo criptográfico (JSON)',
  in: (number, currency) => `${number} em ${currency}`,
  withALaterStatement: 'com um extrato posterior',
  postponedTo: 'Adiado para',
  digest: 'Resumo criptográfico',
  digestBeforeIt: 'O do anterior',
  itIsTheFirst: 'é o primeiro',
  nothingIsDue: 'nada a liquidar',
  thePartyPays: 'a parte paga',
  theOperatorPays: 'o operador paga',
  itHasNoLinesNothing: 'Não tem linhas: nada veio desde o anterior.',
  itsLinesAreNotStored: 'Suas linhas ainda não estão guardadas.',
  whatItAddsUp: 'Resumo',
  balance: 'Saldo',
  whatSettledIt: 'Liquidado com',
  payment: 'pagamento',
  statement: (number) => `extrato ${number}`,
  setOff: 'compensado',
  reversal: 'reversão',
  noMoreLines: 'Não há mais linhas.',
  about: (day) => `de ${day}`,
  network: (network) => `rede ${network}`,
  nextLines: 'Próximas linhas',
}

export const statements: Texts['statements'] = {
  numbersThatARestoreHas: 'Números perdidos em uma restauração',
  theyWereGivenAndAre: (numbers) => `${numbers}: foram atribuídos, e nunca são atribuídos de novo.`,
  lastDayFrom: 'Último dia de',
  lastDayTo: 'Último dia até',
  noMatchingStatements: 'Nenhum extrato corresponde.',
  was: (day) => `era ${day}`,
}

export const payments: Texts['payments'] = {
  noPayments:
    'Não há pagamentos para mostrar. Os pagamentos são ordenados a partir do que vence, ou contabilizados quando entra dinheiro.',
  paymentsOfTheRun: 'Pagamentos da remessa',
  upTo: (day) => `até ${day}`,
  theRunWasCutOff: (id) => `A remessa ${id} foi interrompida`,
  goOnWithTheRun: (id) => `Continuar a remessa ${id}`,
  itPaysNothingTwice: 'Nem todos os seus pagamentos estão ordenados. Ao continuar, nada é pago duas vezes.',
  makeTheFileForThe: 'Criar o arquivo para o banco',
  theSameFileEachTime:
    'Sempre o mesmo arquivo. Depois de criado, um pagamento nele não pode mais ser retirado sem envio.',
  makeTheFile: 'Criar o arquivo',
  orderAllThatIsDue: 'Ordenar tudo o que vence',
  everythingThatThisBankAccount: 'Tudo o que esta conta bancária pode pagar, em uma remessa com um arquivo.',
  order: 'Ordenar',
  orderOnePayment: 'Ordenar um pagamento',
  bookMoneyThatCameIn: 'Contabilizar dinheiro recebido',
  ofAProviderItSettles: 'De um provedor liquida o que ele deve; de um lojista é um depósito.',
  itFitsNothingItWould: 'Não corresponde a nada: ficaria em suspenso.',
  theFileForTheBank: 'O arquivo para o banco',
  theRun: 'A remessa',
  total: 'Total',
  sha256: 'SHA-256',
  downloadIt: 'Baixar',
}

export const payment: Texts['payment'] = {
  payment: (id) => `Pagamento ${id}`,
  returned: 'Devolvido',
  whatItSettles: 'O que liquida',
  nothing: 'Nada.',
  whatItWasTold: 'O que lhe foi comunicado',
  theBankHasIt: 'O banco o recebeu',
  theBankHasBookedIt: 'O banco o contabilizou',
  itCameBackOrWas: 'Voltou, ou não foi enviado',
  theBankTookItBack: 'O banco o retirou',
  whatItSettledIsDue: 'O que ele liquidava volta a ficar a liquidar.',
  returnIt: 'Devolver',
  thePayment: 'O pagamento',
}

export const run: Texts['run'] = {
  whatWouldBeOrdered: 'O que seria ordenado',
  nothingWasOrderedGoBack: 'Nada foi ordenado. O botão abaixo ordena como mostrado.',
  theRunAndItsFile: 'A remessa e seu arquivo',
  leftOut: 'Excluídos',
  dueAndNotOrdered: 'vencem, e não são ordenados',
  bankAccount: 'Conta bancária',
  dueUpTo: 'Vence até',
  together: 'No total',
  nobodyIsPaid: 'Ninguém é pago.',
}

export const due: Texts['due'] = {
  nothingIsDue: 'Não há nada a liquidar.',
  pay: 'Pagar',
  collect: 'Receber',
}

export const posted: Texts['posted'] = {
  accountOf: (kind, party) => `${kind} de ${party}`,
  nothingMoves: 'Nada se move.',
  debit: 'Débito',
  credit: 'Crédito',
  wouldBook: 'Seria contabilizado:',
  cannotBeUndone: 'Não pode ser desfeito: uma correção é um lançamento à parte.',
  whatWouldBeBooked: 'O que seria contabilizado',
  nothingWasBookedGoBack: 'Nada foi contabilizado ainda. O botão abaixo contabiliza como mostrado.',
}

export const withdrawal: Texts['withdrawal'] = {
  withdrawForAMerchant: 'Solicitar repasse para um lojista',
  ofOneThatIsSettled:
    'De um que é liquidado a pedido. Sua conta é fechada até agora, e o repasse vence com o seu extrato.',
  withdraw: 'Solicitar',
  nobodyCanWithdrawOfThe:
    'Ninguém pode solicitar repasse: entre os lojistas não congelados, nenhum tem condições que o liquidem a pedido e indiquem uma conta.',
  withdrawalAsItWouldBe: 'O repasse, como ficaria',
  nothingWasWithdrawnGoBack: 'Nada foi solicitado. O botão abaixo faz isso como mostrado.',
}

export const bank: Texts['bank'] = {
  nothingIsBooked: 'Não há nada contabilizado.',
  whatItIs: 'Histórico',
  valueDay: 'Data-valor',
  about: 'Sobre',
  aConversion: 'uma conversão',
  bankStatement: 'Extrato bancário',
  holdABanksStatementAgainst: 'Extrato bancário: comparar com os pagamentos',
  entryNumber: 'Lançamento',
  textOfTheBank: 'Texto do banco',
  eachEntryIsBookedOnce:
    'Cada lançamento é contabilizado uma vez. Um pagamento que se identifica é contabilizado; se só o valor coincide, é proposto a você.',
  camt053: 'camt.053',
  camt053OrCsv: 'camt.053 ou CSV',
  atMost32Mb: 'No máximo 32 MB, no formato indicado ao lado do nome do banco.',
  noColumnsAreSet: 'CSV não é lido: não há colunas definidas (apply, banks[].statement)',
  whatTheStatementComesTo: 'O que resulta do extrato bancário',
  theStatementIsBooked: 'O extrato bancário está contabilizado',
  theStatementIsWorkedOn: 'O extrato está sendo comparado com os pagamentos',
  entriesAreRead: (read: Counted) => `${counted(read, 'lançamento lido', 'lançamentos lidos')} até agora.`,
  ofEntriesAreDone: (judged: string, read: string) => `${judged} de ${read} lançamentos estão prontos.`,
  sendItAgainToBook: 'Nada foi contabilizado ainda: o botão abaixo contabiliza como mostrado.',
  paymentsHaveThisAmount: (payments) =>
    `${counted(payments, 'pagamento tem', 'pagamentos têm')} este valor. Só você pode dizer se é o dele: lance-o na página dele.`,
  nothingIsBookedYet: 'Ainda não se lançou nada',
  bookedAndWaiting: (open) =>
    `Contabilizado; ${counted(open, 'lançamento espera', 'lançamentos esperam')} uma decisão`,
  allEntriesAreDone: 'Todos os lançamentos estão prontos',
  itCouldNotBeWorkedOn: 'Não foi possível trabalhar com o extrato',
  entries: 'Lançamentos',
  thereIsNoEntryIn: 'Não contém lançamentos.',
  bookALineThatIs: 'Contabilizar um lançamento que não é de nenhuma parte',
  sayWhoseItIs: 'Dizer de quem é',
  itWasSentBack: 'Contabilizar a devolução',
  itIsBookedAsA: 'É contabilizado como pagamento dessa parte.',
}

export const adjustments: Texts['adjustments'] = {
  nothingWasCorrected: 'Não há ajustes.',
  becauseOf: 'Causa',
  corrects: 'Corrige',
  whatWasWrong: 'O que estava errado',
  correctALine: 'Corrigir uma linha',
  itIsALineOf: 'É uma linha própria no próximo extrato da parte. O que está fechado fica como está.',
  statementLine: (statement, line) => `extrato ${statement}, linha ${line}`,
}

export const conversions: Texts['conversions'] = {
  nothingWasConverted: 'Não há conversões.',
  whereItWent: 'Destino',
  sold: 'Vendido',
  proceeds: 'Produto da venda',
  bookedAt: 'Valor contábil',
  recordWhatLeftATreasury: 'Registrar o que saiu de uma tesouraria',
  itWasSeenLeavingAnd: 'Foi visto saindo, e é uma exceção até que alguém diga o que é.',
  bookWhatBrought: (money) => `Contabilizar o produto de ${money}`,
  ofTheTransaction: (transaction) => `Da transação ${transaction}.`,
}
