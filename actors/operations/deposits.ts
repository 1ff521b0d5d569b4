/** Money that a merchant has brought to its account, booked by hand, and taken out again after a mistake. */
import { formatPrice, maxMinorUnits } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import {
  accountsOfOwner,
  depositByReference,
  pairsOfMerchant,
} from '../../persistence/queries/provisioning.ts'
import { allBanks } from '../../persistence/queries/terms.ts'
import { accountId, type Decision, type Row, row, rows, type Store } from '../../persistence/store.ts'
import { auditReason, dryRun, text } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { move } from '../orders/postings.ts'
import type { ShownPosting } from '../orders/postings-shown.ts'
import { takeableRows, takeBack } from '../orders/taking-back.ts'
import { wouldBook } from '../orders/would-book.ts'
import {
  type DepositSummary,
  depositSummary,
  type MerchantBalance,
  merchantBalances,
} from '../parties/merchants.ts'
import { findParty } from '../parties/operations.ts'
import { bookedAsLine, hintOfLine, lineKeys } from '../provisioning/deposit-lines.ts'
import { depositAccounts, depositBank, findSpelling } from '../provisioning/known.ts'
import { readAmount, readReference } from '../settlement/written.ts'

export interface DepositDocument extends DepositSummary {
  merchant: string
  /** What the merchant has after it, in that currency; of what is only shown, what it has now. */
  balance: MerchantBalance
  dryRun: boolean
  /** What would be booked, where it is only shown. */
  postings: ShownPosting[]
}

const depositFields = {
  merchant: text({ description: "The merchant's name." }),
  reference: text({
    description: 'Applied once for each.',
    minLength: 1,
    maxLength: 200,
    pattern: '\\S',
    form: { label: 'Reference', hint: 'The bank’s; each is booked once.' },
  }),
  reason: auditReason,
  dryRun,
}

export const depositAdd = defineOperation({
  name: 'deposit.add',
  summary: "Book a merchant's deposit: it first repays the merchant's debt, and the rest becomes available.",
  done: 'The deposit is booked.',
  fields: {
    ...depositFields,
    amount: text({
      description: 'A decimal text such as 1000.00.',
      option: ['--amount <amount>', 'for example 1000.00'],
      form: {
        label: 'Amount',
        control: 'amount',
        hint: 'Without separators of thousands, such as 1000.00 or 1000,00',
      },
    }),
    currency: text({
      pattern: '^[A-Z]{3}$',
      option: ['--currency <currency>', 'for example MXN'],
      form: { label: 'Currency' },
    }),
  },
  arguments: ['merchant', 'reference'],
  isRead: false,
  run: (context: OperationContext, { dryRun: isShown, ...deposit }) =>
    shownOrBooked(context, deposit.merchant, isShown, (store) => book({ ...context, store }, deposit)),
})

interface NewDeposit {
  merchant: string
  reference: string
  amount: string
  currency: string
}

async function book(
  context: OperationContext,
  { merchant: name, reference: written, amount, currency }: NewDeposit,
): Promise<Row<'account_deposits'>> {
  const { store } = context
  const merchant = await findParty(store, name, 'merchant')
  const amountMinor = readAmount('amount', amount, currency)
  await assertEnabled(context, merchant, currency)
  const reference = readReference(written)
  const key = { merchant_id: merchant.id, reference }
  const banks = await store.query(allBanks, {})
  const places = banks.map((one) => [one.name, one.currency] as const)
  const bank = depositBank(places, currency)
  const { debit, credit } = depositAccounts(merchant.id, { currency, bank })
  const result = await store.step({
    rows: {
      // A payment of its own, which looks at deposits by hand, waits meanwhile.
      merchant: row('parties', { id: merchant.id }),
      lines: rows('bank_entries', lineKeys(places, { currency, reference })),
      before: row('account_deposits', key),
      // Older versions kept a reference as it was written.
      asWritten: written === reference ? undefined : row('account_deposits', { ...key, reference: written }),
      atBank: row('accounts', { id: accountId(debit) }),
      available: row('accounts', { id: accountId(credit) }),
    },
    decide: ({ lines, before, asWritten, atBank, available }, at): Decision<Row<'account_deposits'>> => {
      const earlier = before ?? asWritten ?? null
      if (earlier !== null) throw bookedBefore(earlier, name)
      const line = lines.find((one) => one !== null)
      if (line) {
        const problem = `The deposit ${reference} ${bookedAsLine(line)}.`
        throw new OperationError('conflict', problem, { hint: hintOfLine(line) })
      }
      const largest = [available?.balance_minor ?? 0n, -(atBank?.balance_minor ?? 0n)]
      if (largest.some((balance) => balance + amountMinor > maxMinorUnits)) {
        throw new OperationError(
          'refused',
          'It is more than the ledger can hold, with what is in it already.',
        )
      }
      const values = {
        ...key,
        currency,
        amount_minor: amountMinor,
        deposited_at: at,
        reversed_at: null,
        bank,
      }
      const deposit = move({ kind: 'deposit', debit, credit, amountMinor, orderId: null, reference })
      const writes = [{ insert: 'account_deposits', values } as const, ...deposit.writes]
      return { answer: values, writes, wake: [...deposit.wake, 'provisioning'] }
    },
  })
  // Somebody else was faster by a moment.
  if (result.outcome === 'violated') throw await bookedNow(context, merchant, reference)
  return result.answer
}

/** What was spent already cannot be taken back: it becomes a debt, and what arrives later repays it. */
export const depositReverse = defineOperation({
  name: 'deposit.reverse',
  summary: 'Reverse a deposit; whatever the merchant no longer has available becomes its debt.',
  done: 'The deposit is reversed.',
  fields: depositFields,
  arguments: ['merchant', 'reference'],
  isRead: false,
  concluded: ({ amount, currency, balance }: DepositDocument) =>
    `${amount} ${currency} taken back; ${balance.available} are available, ${balance.debt} are owed`,
  run: (context: OperationContext, { dryRun: isShown, ...deposit }) =>
    shownOrBooked(context, deposit.merchant, isShown, (store) => reverse(store, deposit)),
})

async function reverse(
  store: Store,
  { merchant: name, reference: written }: Pick<NewDeposit, 'merchant' | 'reference'>,
): Promise<Row<'account_deposits'>> {
  const merchant = await findParty(store, name, 'merchant')
  const found = await findSpelling(written, async (reference) => {
    const [deposit] = await store.query(depositByReference, { merchantId: merchant.id, reference })
    return deposit
  })
  if (found === undefined) {
    throw new OperationError('not_found', `${name} has no deposit ${written}.`, {
      hint: `merchant show "${name}" lists its deposits.`,
    })
  }
  const { reference } = found
  const key = { merchant_id: merchant.id, reference }
  const { debit: bank, credit: available } = depositAccounts(merchant.id, found)
  const result = await store.step({
    rows: {
      deposit: row('account_deposits', key),
      ...(await takeableRows(store, available)),
    },
    decide: ({ deposit, ...held }, at): Decision<Row<'account_deposits'>> => {
      if (deposit === null) throw new Error(`Deposit ${reference} is gone.`)
      if (deposit.reversed_at !== null) {
        const when = formatInstant(deposit.reversed_at)
        throw new OperationError('conflict', `The deposit ${reference} was reversed already, at ${when}.`)
      }
      const { amount_minor: amountMinor } = deposit
      const posting = {
        kind: 'reverse',
        debit: available,
        credit: bank,
        amountMinor,
        orderId: null,
        reference,
      }
      return {
        answer: { ...deposit, reversed_at: at },
        writes: [
          ...takeBack(posting, held, at),
          { update: 'account_deposits', key, set: { reversed_at: at } },
        ],
        wake: ['provisioning'],
      }
    },
  })
  if (result.outcome === 'violated')
    throw new Error(`Deposit ${reference}: ${result.constraint} was violated.`)
  return result.answer
}

/** @param change is made in one step, which answers the deposit as it is then */
async function shownOrBooked(
  context: OperationContext,
  name: string,
  isShown = false,
  change: (store: Store) => Promise<Row<'account_deposits'>>,
): Promise<DepositDocument> {
  const { store } = context
  const looked = isShown ? await wouldBook(store, change) : null
  const merchant = await findParty(store, name, 'merchant')
  if (looked !== null && 'postings' in looked) {
    const { postings, answer } = looked
    // It is what the one step of the change answers.
    const shown = await depositDocument(context, merchant, answer as Row<'account_deposits'>)
    return { ...shown, dryRun: true, postings }
  }
  const booked = await depositDocument(context, merchant, looked?.instead ?? (await change(store)))
  return { ...booked, dryRun: false, postings: [] }
}

async function depositDocument(
  { store }: OperationContext,
  merchant: Row<'parties'>,
  deposit: Row<'account_deposits'>,
): Promise<Omit<DepositDocument, 'dryRun' | 'postings'>> {
  const { currency } = deposit
  const accounts = await store.query(accountsOfOwner, { ownerId: merchant.id })
  const known = accounts.filter((account) => account.currency === currency)
  // Before the first deposit is booked there is no account.
  const none = { kind: 'available', currency, balance_minor: 0n } as const
  const [balance] = merchantBalances(known.length === 0 ? [none] : known)
  if (balance === undefined) throw new Error(`${merchant.name} has a deposit and no account in ${currency}.`)
  return {
    merchant: merchant.name,
    ...depositSummary(deposit),
    balance,
  }
}

/** A mistyped currency would be an account that no order can ever use. */
async function assertEnabled({ store }: OperationContext, merchant: Row<'parties'>, currency: string) {
  const pairs = await store.query(pairsOfMerchant, { merchantId: merchant.id })
  const enabled = [...new Set(pairs.map((pair) => pair.currency))]
  if (enabled.includes(currency)) return
  const instead = enabled.length === 0 ? 'for no currency' : `only for ${enabled.join(', ')}`
  throw new OperationError('refused', `${merchant.name} is not enabled for ${currency}, ${instead}.`, {
    hint: 'Pairs of country and currency are enabled with apply.',
  })
}

function bookedBefore(before: Row<'account_deposits'>, name: string): OperationError {
  const { reference, amount_minor, currency, deposited_at, reversed_at } = before
  const what = `${formatPrice(amount_minor, currency)} ${currency} at ${formatInstant(deposited_at)}`
  const end = reversed_at === null ? '' : `, and reversed at ${formatInstant(reversed_at)}`
  return new OperationError('conflict', `The deposit ${reference} was booked already: ${what}${end}.`, {
    hint: `Another deposit needs another reference; merchant show "${name}" lists them.`,
  })
}

async function bookedNow(
  { store }: OperationContext,
  { id, name }: Row<'parties'>,
  reference: string,
): Promise<Error> {
  const [before] = await store.query(depositByReference, { merchantId: id, reference })
  return before === undefined ? new Error(`Deposit ${reference} was not booked.`) : bookedBefore(before, name)
}
