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
  newestFirst: 'the newest first',
}
