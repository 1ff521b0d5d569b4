/** A database that was put back without `restore`: what was found, and the form that accepts it. */
import { nodeAcceptRestore, nodeShowRestore } from '../../../actors/anchors/restore-operations.ts'
import type { Block } from '../blocks.ts'
import { operationForm } from '../forms.ts'
import type { PageRequest } from '../page.ts'

export async function unannouncedRestoreForms(request: PageRequest): Promise<Block[]> {
  const { state, since, problem } = await request.ask(nodeShowRestore, {})
  if (state === 'none') return []
  return operationForm(request, nodeAcceptRestore, {
    title: 'Accept the restore',
    lead:
      `Found ${since ?? 'at the start'}: ${problem ?? 'the database is older than its anchors'}. Accepting ` +
      'it only ends the warning: quarantined orders and paused webhooks stay so until cleared.',
    button: 'Accept the restore',
    isDanger: true,
    fields: ['reason'],
  })
}
