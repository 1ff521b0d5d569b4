/** What an operator may ask of banks' statements: hold one against the payments, and see how far that is. */
import { choice, flag, optional, text } from '../foundation/fields.ts'
import { defineOperation } from '../foundation/operation.ts'
import { findBank } from '../settlement/bank-lines.ts'
import type { BankFileDocument, BankRuns } from './bank-runs.ts'
import { type ReconciliationContext, settledSoon } from './operations.ts'

export interface BankContext extends ReconciliationContext {
  statements: BankRuns
}

export const reconciliationBank = defineOperation({
  name: 'reconciliation.bank',
  summary: 'Hold a bank’s statement (camt.053 or CSV) against the payments, and book its entries.',
  fields: {
    file: text({ description: 'Of the file that was sent before.', maxLength: 40 }),
    bank: text({
      description: 'The bank account, as `apply` has it.',
      maxLength: 100,
      option: ['--bank <name>', 'one of the operator’s bank accounts'],
      form: { label: 'Bank account' },
    }),
    dryRun: optional(
      flag({
        description: 'Show what it comes to, and change nothing.',
        option: ['--dry-run', 'show what it comes to, and change nothing'],
      }),
    ),
  },
  isRead: false,
  concluded: ({ bank, judged, state, dryRun }: BankFileDocument) =>
    `${bank}, ${judged} entries so far, ${state}${dryRun ? ', only shown' : ''}`,
  async run(context: BankContext, { file, bank: name, dryRun = false }) {
    const { store, statements, operator } = context
    const bank = await findBank(store, name)
    const run = statements.begin(bank, file, { operator, dryRun })
    await settledSoon(context, statements.settled(run))
    return statements.show(run)
  },
})

export const reconciliationBook = defineOperation({
  name: 'reconciliation.book',
  summary: 'Book a bank’s statement that was looked at.',
  fields: { run: text({ description: 'From `reconciliation.bank`, of a dry run.', maxLength: 40 }) },
  isRead: false,
  concluded: ({ bank, judged, state }: BankFileDocument) => `${bank}, ${judged} entries so far, ${state}`,
  async run(context: BankContext, { run: looked }): Promise<BankFileDocument> {
    const { statements, operator } = context
    const run = statements.book(looked, operator)
    await settledSoon(context, statements.settled(run))
    return statements.show(run)
  },
})

export const reconciliationBankProgress = defineOperation({
  name: 'bank.progress',
  summary: 'Show how far a bank’s statement is, and what its entries come to.',
  fields: {
    run: text({ description: 'From `reconciliation.bank`.', maxLength: 40 }),
    wait: optional(
      choice(['no', 'yes'], { description: 'Answer only once it is at rest, or after two seconds.' }),
    ),
  },
  isRead: true,
  async run(context: BankContext, { run, wait }): Promise<BankFileDocument> {
    const { statements } = context
    if (wait === 'yes') await settledSoon(context, statements.settled(run))
    return statements.show(run)
  },
})
