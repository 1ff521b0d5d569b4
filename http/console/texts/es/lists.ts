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
  newestFirst: 'lo más reciente primero',
}
