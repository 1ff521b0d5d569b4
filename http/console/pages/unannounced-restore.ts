/** A database that was put back without `restore`: what was found, and the form that accepts it. */
import { nodeAcceptRestore, nodeShowRestore } from '../../../actors/anchors/restore-operations.ts'
import type { Block } from '../blocks.ts'
import { operationForm } from '../forms.ts'
import type { PageRequest } from '../page.ts'

export async function unannouncedRestoreForms(request: PageRequest): Promise<Block[]> {
  const { state, since, problem } = await request.ask(nodeShowRestore, {})
  if (state === 'none') return []
  return operationForm(request, nodeAcceptRestore, {
    title: (texts) => texts.unannouncedRestore.acceptTheRestore,
    lead: ({ unannouncedRestore: said }, view) =>
      said.foundAcceptingItOnlyEnds(
        since === null ? said.atTheStart : view.time(since),
        problem ?? said.olderThanItsAnchors,
      ),
    button: (texts) => texts.unannouncedRestore.acceptTheRestore,
    isDanger: true,
    fields: ['reason'],
  })
}
