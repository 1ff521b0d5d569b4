/** Quem pode entrar, e com que cada um prova quem é. */
import { countedIn } from '../counted.ts'
import type { Texts } from '../en.ts'

const counted = countedIn('pt')

export const account: Texts['account'] = {
  sessions: 'Suas sessões',
  began: 'Início',
  lastSeen: 'Última atividade',
  address: 'Endereço',
  browser: 'Navegador',
  thisOne: 'esta',
  noSessions: 'Não há nenhuma.',
  endASession: 'Encerrar uma sessão',
  end: 'Encerrar',
  session: 'Sessão',
  sessionOf: (browser, address, began) => `${browser}, ${address}, desde ${began}`,
  unknownBrowser: 'Navegador desconhecido',
}

export const invitations: Texts['invitations'] = {
  invite: 'Convidar um operador',
  inviteLead: 'Um link cria uma conta, uma única vez, em até 24 horas. Quem o abre escolhe a senha.',
  makeALink: 'Criar um link',
  linkOf: (name) => `O link para ${name}`,
  passOn: 'Entregue por um canal seguro: a conta é de quem o abrir primeiro.',
  open: 'Convites',
  invitedBy: 'Convidado por',
  until: 'Até',
  withdraw: 'Retirar um convite',
  withdrawIt: 'Retirar',
  invitation: 'Convite',
  secondFactor: 'Segundo fator',
  passkeys: (count) => counted({ count, text: `${count}` }, 'chave de acesso', 'chaves de acesso'),
  authenticator: 'autenticador',
  join: 'Boas-vindas',
  joinLead: (name, role, by) => `${by} convidou você. Seu nome aqui é ${name}, e sua função ${role}.`,
  choosePassword: 'Escolha uma senha',
  joinIt: 'Criar a conta e entrar',
  gone: 'Este convite não existe mais',
  goneWhy: 'Foi usado, retirado, ou tem mais de 24 horas. Peça outro.',
}
