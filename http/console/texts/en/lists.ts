/** What operators make of lists. */

export const lists = {
  columnsAndFilters: 'Columns and saved filters',
  chooseColumns: 'Choose columns',
  showThem: 'Show them',
  saveThisFilter: 'Save this filter',
  save: 'Save',
  removeAFilter: 'Remove a filter',
  remove: 'Remove',
  oldestFirst: 'the oldest first',
  fromSmallest: 'Sort from the smallest, or A to Z',
  fromLargest: 'Sort from the largest, or Z to A',
  newestFirst: 'the newest first',
  linesOf: (first: string, last: string, all: string) => `Lines ${first} to ${last} of ${all}`,
  linesBefore: 'Previous lines',
  linesAfter: 'Next lines',
}
