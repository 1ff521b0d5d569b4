/** What scripts add to what the node wrote; it may be done again at any time. */
import { addCopyButtons } from './copying.ts'
import { offerPasskeys } from './passkeys.ts'
import { tellAges } from './times.ts'
import { letZoom } from './zoom.ts'

export function enhance(main: HTMLElement): void {
  addCopyButtons(main)
  tellAges(main)
  letZoom(main)
  offerPasskeys(main)
}
