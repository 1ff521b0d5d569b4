/** Lo que los operadores hacen de las listas. */
import type { Texts } from '../en.ts'

export const lists: Texts['lists'] = {
  columnsAndFilters: 'Columnas y filtros guardados',
  chooseColumns: 'Elegir columnas',
  showThem: 'Mostrarlas',
  saveThisFilter: 'Guardar este filtro',
  save: 'Guardar',
  removeAFilter: 'Quitar un filtro',
  remove: 'Quitar',
  oldestFirst: 'lo más antiguo primero',
  fromSmallest: 'Ordenar de menor a mayor, o de la A a la Z',
  fromLargest: 'Ordenar de mayor a menor, o de la Z a la A',
  newestFirst: 'lo más reciente primero',
  linesOf: (first, last, all) => `Líneas ${first} a ${last} de ${all}`,
  linesBefore: 'Líneas anteriores',
  linesAfter: 'Líneas siguientes',
}
