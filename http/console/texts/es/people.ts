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
  inviteNow: 'Invitar',
  linkOf: (name) => `El enlace para ${name}`,
  invitationOf: (name) => `La invitación para ${name}`,
  onItsWay: (address) =>
    `El enlace va en camino a ${address}. Vale 24 horas; qué pasa con el correo se ve en Avisos.`,
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

export const factors: Texts['factors'] = {
  second: 'Segundo factor',
  enterCode: 'Escriba el código de su autenticador, o un código de recuperación.',
  code: 'Código',
  goOn: 'Continuar',
  usePasskey: 'Usar una llave de acceso',
  confirm: 'Confirme que es usted',
  confirmLead:
    'Lo que pidió mueve dinero, claves o personas. Todavía no se cambió nada: se hace en cuanto esto sea correcto.',
  notProved: 'No confirmado',
  problems: {
    wrong: 'Este código no es correcto ahora. Los autenticadores muestran otro cada 30 segundos.',
    used: 'Este código ya se usó. Espere el siguiente.',
    locked:
      'Demasiados códigos incorrectos: el autenticador está bloqueado. Lo desbloquea un código de recuperación o una llave de acceso.',
    expired: 'Tardó demasiado, o ya se había respondido. Inténtelo de nuevo.',
    invalid:
      'La respuesta de la llave de acceso no es válida. Debe venir de la dirección que indica operator.publicUrl.',
    cloned:
      'Dos autenticadores tienen esta llave de acceso: ya no vale. Use un código de recuperación y agregue otra llave.',
  },
  must: 'Agregue un segundo factor',
  mustLead:
    'En producción ningún administrador entra solo con contraseña. Agregue una llave de acceso o un autenticador; hasta entonces no se llega a nada más.',
  yours: 'Sus segundos factores',
  changeEnds: 'un cambio cierra sus demás sesiones',
  needsScripts:
    'Una llave de acceso necesita los scripts de esta página, que este navegador no ejecuta. Un autenticador y los códigos de recuperación no los necesitan.',
  none: 'No hay ninguno: solo su contraseña le permite entrar.',
  kind: 'Tipo',
  name: 'Nombre',
  added: 'Agregado',
  lastUsed: 'Último uso',
  passkey: 'Llave de acceso',
  authenticator: 'Autenticador',
  cloned: 'copiada: ya no vale',
  locked: 'bloqueado',
  recoveryCodes: 'Códigos de recuperación',
  codesLeft: (left) => (left === 1 ? 'queda uno' : `quedan ${left}`),
  addPasskey: 'Agregar una llave de acceso',
  addPasskeyLead: (address) =>
    `Una llave, un teléfono o esta computadora prueba que es usted. Las llaves de acceso solo funcionan en ${address}.`,
  passkeyName: 'Cómo la llama',
  passkeyHint: 'Por ejemplo: llave azul',
  addAuthenticator: 'Agregar un autenticador',
  authenticatorLead:
    'Escanee el código con su autenticador, o escriba el secreto. Después escriba el código que muestra.',
  secret: 'Secreto',
  codeToScan: 'El secreto como código QR',
  removePasskey: 'Quitar una llave de acceso',
  removeAuthenticator: 'Quitar el autenticador',
  remove: 'Quitar',
  renewCodes: 'Crear códigos de recuperación nuevos',
  renewLead: 'Los anteriores dejan de valer.',
  make: 'Crear',
  yourCodes: 'Sus códigos de recuperación',
  codesLead:
    'Cada uno permite entrar una vez, si se perdieron llave y autenticador. Se muestran solo ahora: imprímalos, o guárdelos donde guarda contraseñas.',
  ready: 'Continuar',
}
