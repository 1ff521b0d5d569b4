/** Quién puede iniciar sesión, y con qué prueba cada quien que lo es. */
import { countedIn } from '../counted.ts'
import type { Texts } from '../en.ts'

const counted = countedIn('es')

export const account: Texts['account'] = {
  sessions: 'Sus sesiones',
  began: 'Inicio',
  lastSeen: 'Última actividad',
  address: 'Dirección',
  browser: 'Navegador',
  thisOne: 'esta',
  noSessions: 'No hay ninguna.',
  endASession: 'Terminar una sesión',
  end: 'Terminar',
  session: 'Sesión',
  sessionOf: (browser, address, began) => `${browser}, ${address}, desde ${began}`,
  unknownBrowser: 'Navegador desconocido',
}

export const invitations: Texts['invitations'] = {
  invite: 'Invitar a un operador',
  inviteLead:
    'Un enlace crea una cuenta, una sola vez, dentro de 24 horas. Quien lo abre elige la contraseña.',
  makeALink: 'Crear un enlace',
  linkOf: (name) => `El enlace para ${name}`,
  passOn: 'Entréguelo por un canal seguro: la cuenta es de quien lo abra primero.',
  open: 'Invitaciones',
  invitedBy: 'Invita',
  until: 'Hasta',
  withdraw: 'Retirar una invitación',
  withdrawIt: 'Retirar',
  invitation: 'Invitación',
  secondFactor: 'Segundo factor',
  passkeys: (count) => counted({ count, text: `${count}` }, 'llave de acceso', 'llaves de acceso'),
  authenticator: 'autenticador',
  join: 'Le damos la bienvenida',
  joinLead: (name, role, by) => `Le invita ${by}. Su nombre aquí es ${name}, y su rol ${role}.`,
  choosePassword: 'Elija una contraseña',
  joinIt: 'Crear la cuenta e iniciar sesión',
  gone: 'Esta invitación ya no existe',
  goneWhy: 'Se usó, se retiró o tiene más de 24 horas. Pida otra.',
}
