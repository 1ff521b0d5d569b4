/** What an operator may ask of networks' files: look at one, apply it, and see how far that is. */
import { choice, optional, text } from '../foundation/fields.ts'
import { defineOperation, type OperationContext } from '../foundation/operation.ts'
import type { Uploads } from '../foundation/uploads.ts'
import { findReportedDay } from './report-day.ts'
import type { ReportRuns } from './report-runs.ts'
import { differingLines, type RunDocument } from './run-document.ts'

export interface ReconciliationContext extends OperationContext {
  uploads: Uploads
  reports: ReportRuns
  /** How long an answer waits for a file that is being worked on. */
  patienceMs: number
}

const provider = optional(
  text({
    description: 'The provider’s name; unless its network is said.',
    option: ['--provider <name>', 'whose report it is'],
    form: { label: 'Provider' },
  }),
)

const network = optional(
  text({
    description: 'The network, where the provider has several.',
    option: ['--network <id>', 'the network, where the provider has several'],
    form: { label: 'Network', maxLength: 64 },
  }),
)

const day = text({
  description: 'The day it reports, such as 2026-12-01.',
  option: ['--day <day>', 'the day it reports, such as 2026-12-01'],
  form: { label: 'Day', hint: 'Such as 2026-12-01.', maxLength: 10 },
})

const run = text({ description: 'From `reconciliation.read`.', maxLength: 40 })

export const reconciliationRead = defineOperation({
  name: 'reconciliation.read',
  summary: 'Look at a network’s report of a day: what each line comes to, without changing anything.',
  fields: {
    file: text({ description: 'Of the file that was sent before.', maxLength: 40 }),
    provider,
    network,
    day,
  },
  isRead: false,
  concluded: ({ network: of, day: when }: RunDocument) => `${of} of ${when}`,
  async run(context: ReconciliationContext, { file, ...said }): Promise<RunDocument> {
    const found = await findReportedDay(context.store, said)
    const { run: id } = await context.reports.begin(found, file, context.operator)
    await settledSoon(context, context.reports.settled(id))
    return context.reports.show(id)
  },
})

export const reconciliationApply = defineOperation({
  name: 'reconciliation.apply',
  summary: 'Apply a report that was looked at: it counts for its day, and differences become exceptions.',
  done: 'The report is applied.',
  fields: { run },
  isRead: false,
  concluded: (document: RunDocument) =>
    `${document.network} of ${document.day}, ${differingLines(document)} differences`,
  async run(context: ReconciliationContext, { run: id }): Promise<RunDocument> {
    await context.reports.apply(id, context.operator)
    await settledSoon(context, context.reports.settled(id))
    return context.reports.show(id)
  },
})

export const reconciliationProgress = defineOperation({
  name: 'reconciliation.progress',
  summary: 'Show how far a report is, and what its lines come to.',
  fields: {
    run,
    wait: optional(
      choice(['no', 'yes'], { description: 'Answer only once it is at rest, or after two seconds.' }),
    ),
  },
  isRead: true,
  async run(context: ReconciliationContext, { run: id, wait }): Promise<RunDocument> {
    if (wait === 'yes') await settledSoon(context, context.reports.settled(id))
    return context.reports.show(id)
  },
})

/** Or when somebody who asks has waited long enough. */
export async function settledSoon(
  { patienceMs }: Pick<ReconciliationContext, 'patienceMs'>,
  settled: Promise<void>,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, patienceMs)
  await Promise.race([settled, promise])
  clearTimeout(timer)
}
