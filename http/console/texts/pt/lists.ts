/** O que os operadores fazem das listas. */
import type { Texts } from '../en.ts'

export const lists: Texts['lists'] = {
  columnsAndFilters: 'Colunas e filtros salvos',
  chooseColumns: 'Escolher colunas',
  showThem: 'Mostrar',
  saveThisFilter: 'Salvar este filtro',
  save: 'Salvar',
  removeAFilter: 'Remover um filtro',
  remove: 'Remover',
  oldestFirst: 'do mais antigo ao mais recente',
  fromSmallest: 'Ordenar do menor para o maior, ou de A a Z',
  fromLargest: 'Ordenar do maior para o menor, ou de Z a A',
  newestFirst: 'do mais recente ao mais antigo',
  linesOf: (first, last, all) => `Linhas ${first} a ${last} de ${all}`,
  linesBefore: 'Linhas anteriores',
  linesAfter: 'Próximas linhas',
}
