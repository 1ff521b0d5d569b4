/** Lo que rodea cada página, y lo que dicen los scripts. */
import { type Counted, countedIn } from '../counted.ts'
import type { Texts } from '../en.ts'

const counted = countedIn('es')

export const frame: Texts['frame'] = {
  name: 'Español',
  skip: 'Ir al contenido',
  console: 'Consola',
  trail: 'Está aquí',
  everything: 'Todo',
  searchEverything: 'Buscar en todo',
  searchHint: 'Id, últimos dígitos, código, correo, teléfono, referencia, nombre',
  search: 'Buscar',
  signOut: 'Cerrar sesión',
  zone: (zone) => `Los días y las horas son de la zona ${zone}.`,
  otherZone: 'Elegir otra zona u otro idioma',
  olderOnes: 'Anteriores',
  downloadCsv: 'Descargar como CSV',
  atMostLines: (lines) => `Como máximo ${lines} líneas`,
  thisList: 'Esta lista',
  optional: 'opcional',
  menu: 'Menú',
  sections: { daily: 'Día a día', money: 'Dinero', integration: 'Integración', node: 'Nodo' },
  weekdays: ['lun', 'mar', 'mié', 'jue', 'vie', 'sáb', 'dom'],
  days: (from, to) => `${from} a ${to}`,
  ages: {
    seconds: ({ text }: Counted) => `${text} s`,
    minutes: ({ text }: Counted) => `${text} min`,
    hours: ({ text }: Counted) => `${text} h`,
    days: (days) => counted(days, 'día', 'días'),
  },
  yes: 'sí',
  no: 'no',
  chartSize: 'Tamaño',
  wholeChart: 'Completo',
  percent: (number: string) => `${number} %`,
  clock: {
    ahead: (by: string) => `El reloj de este sandbox va ${by} adelantado respecto del real.`,
    moving: (to: string) => `Se está adelantando hasta ${to}.`,
  },
  scripts: {
    copy: 'Copiar',
    copied: 'Copiado',
    notCopied: 'No copiado',
    it: 'el valor',
    changed: 'Esta página ha cambiado. Deje el formulario o recárguela para verla.',
    offline: 'Sin conexión con el nodo: esta página puede no estar al día.',
    justNow: 'ahora mismo',
    inAMoment: 'en un momento',
    noPasskeys:
      'Este navegador no tiene llaves de acceso aquí. Funcionan en la dirección que indica operator.publicUrl.',
    passkeyFailed: 'La llave de acceso no se usó. Inténtelo de nuevo.',
    idle: 'Su sesión terminará en dos minutos.',
    stay: 'Seguir con la sesión',
  },
}
