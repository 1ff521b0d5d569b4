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
  inviteNow: 'Convidar',
  linkOf: (name) => `O link para ${name}`,
  invitationOf: (name) => `O convite para ${name}`,
  onItsWay: (address) =>
    `O link está a caminho de ${address}. Vale 24 horas; o que acontece com o e-mail aparece em Avisos.`,
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

export const factors: Texts['factors'] = {
  second: 'Segundo fator',
  enterCode: 'Digite o código do seu autenticador, ou um código de recuperação.',
  code: 'Código',
  goOn: 'Continuar',
  usePasskey: 'Usar uma chave de acesso',
  confirm: 'Confirme que é você',
  confirmLead:
    'O que você pediu movimenta dinheiro, chaves ou pessoas. Nada foi alterado ainda: será feito assim que isto estiver certo.',
  notProved: 'Não confirmado',
  problems: {
    wrong: 'Este código não está certo agora. Os autenticadores mostram outro a cada 30 segundos.',
    used: 'Este código já foi usado. Espere o próximo.',
    locked:
      'Códigos errados demais: o autenticador está bloqueado. Um código de recuperação ou uma chave de acesso o desbloqueia.',
    expired: 'Demorou demais, ou já havia sido respondido. Tente de novo.',
    invalid:
      'A resposta da chave de acesso não é válida. Ela precisa vir do endereço indicado em operator.publicUrl.',
    cloned:
      'Dois autenticadores têm esta chave de acesso: ela não vale mais. Use um código de recuperação e adicione outra chave.',
  },
  must: 'Adicione um segundo fator',
  mustLead:
    'Em produção nenhum administrador entra só com senha. Adicione uma chave de acesso ou um autenticador; até lá não se chega a mais nada.',
  yours: 'Seus segundos fatores',
  changeEnds: 'uma mudança encerra suas outras sessões',
  needsScripts:
    'Uma chave de acesso precisa dos scripts desta página, que este navegador não executa. Um autenticador e os códigos de recuperação não precisam deles.',
  none: 'Não há nenhum: só a sua senha permite entrar.',
  kind: 'Tipo',
  name: 'Nome',
  added: 'Adicionado',
  lastUsed: 'Último uso',
  passkey: 'Chave de acesso',
  authenticator: 'Autenticador',
  cloned: 'copiada: não vale mais',
  locked: 'bloqueado',
  recoveryCodes: 'Códigos de recuperação',
  codesLeft: (left) => (left === 1 ? 'resta um' : `restam ${left}`),
  addPasskey: 'Adicionar uma chave de acesso',
  addPasskeyLead: (address) =>
    `Uma chave, um telefone ou este computador prova que é você. As chaves de acesso só funcionam em ${address}.`,
  passkeyName: 'Como você a chama',
  passkeyHint: 'Por exemplo: chave azul',
  addAuthenticator: 'Adicionar um autenticador',
  authenticatorLead:
    'Escaneie o código com seu autenticador, ou digite o segredo. Depois digite o código que ele mostra.',
  secret: 'Segredo',
  codeToScan: 'O segredo como código QR',
  removePasskey: 'Remover uma chave de acesso',
  removeAuthenticator: 'Remover o autenticador',
  remove: 'Remover',
  renewCodes: 'Criar novos códigos de recuperação',
  renewLead: 'Os anteriores deixam de valer.',
  make: 'Criar',
  yourCodes: 'Seus códigos de recuperação',
  codesLead:
    'Cada um permite entrar uma vez, se chave e autenticador se perderam. Aparecem só agora: imprima-os, ou guarde-os onde guarda senhas.',
  ready: 'Continuar',
}
