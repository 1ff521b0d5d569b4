/** A file of all that is recorded of an order, to be proved to others. */
import { orderEvidence } from '../../../actors/evidence/operations.ts'
import type { Block } from '../blocks.ts'
import { operationAction, operationForm } from '../forms.ts'
import type { Action, PageRequest } from '../page.ts'

export function evidenceForms(request: PageRequest, order: string): Block[] {
  return operationForm(request, orderEvidence, {
    title: (texts) => texts.evidenceFile.forOthers,
    lead: (texts) => texts.evidenceFile.allThatIsRecorded,
    button: (texts) => texts.evidenceFile.download,
    fields: ['contact'],
    hidden: { id: order },
  })
}

export const evidenceAction: Action = operationAction(orderEvidence, ({ name, zip }) => ({
  kind: 'file',
  name,
  type: 'application/zip',
  bytes: Buffer.from(zip, 'base64'),
}))
