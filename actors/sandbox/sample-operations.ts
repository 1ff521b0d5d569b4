/** Files to try reconciliation out with, for operators of a sandbox. */
import { text } from '../foundation/fields.ts'
import { defineOperation } from '../foundation/operation.ts'
import type { SandboxContext } from './operations.ts'
import { partsOf } from './receiver-operations.ts'
import type { SampleFile } from './sample-file.ts'
import { sampleReport } from './sample-report.ts'
import { sampleStatement } from './sample-statement.ts'

export const sandboxSampleReport = defineOperation({
  name: 'sandbox.sampleReport',
  summary:
    "Make a network's report of a day with every kind of difference, of the orders there are (sandbox only).",
  examples: ['sandbox sample-report 0001 --day 2026-12-01 --out report.csv'],
  fields: {
    network: text({ description: "A network's id.", form: { label: 'Network' } }),
    day: text({
      description: 'The day that it is about, such as 2026-12-01.',
      option: ['--day <day>', 'the day that it is about'],
      form: { label: 'Day' },
    }),
  },
  arguments: ['network'],
  isRead: true,
  async run(context: SandboxContext, { network, day }): Promise<SampleFile> {
    partsOf(context)
    return sampleReport(context.store, { network, day })
  },
})

export const sandboxSampleStatement = defineOperation({
  name: 'sandbox.sampleStatement',
  summary:
    "Make a bank's statement (camt.053) with every kind of entry, of the payments there are (sandbox only).",
  examples: ['sandbox sample-statement main --out statement.xml'],
  fields: { bank: text({ description: "A bank's name.", form: { label: 'Bank' } }) },
  arguments: ['bank'],
  isRead: true,
  async run(context: SandboxContext, { bank }): Promise<SampleFile> {
    partsOf(context)
    return sampleStatement(context.store, bank, context.clock.now())
  },
})
