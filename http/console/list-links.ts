/** Where the list of a page is had as a file. */
export const listFilePath = '/list.csv'

/** As many as spreadsheets hold, but for some. */
export const maxLines = 1_000_000

/** @param page its address, with what narrows it */
export function listFileHref(page: string, list: string): string {
  return `${listFilePath}?${new URLSearchParams({ page, list })}`
}
