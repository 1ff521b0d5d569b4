/** `ventanilla terms …` and `calendar …` */
import type { Command } from 'commander'
import {
  type TermsChanged,
  termsSetCommission,
  termsSetExposure,
  termsSetFee,
  termsSetNetwork,
  termsSetSettlement,
} from '../../actors/provisioning/terms-operations.ts'
import {
  calendarImport,
  calendarList,
  type ImportedCalendar,
} from '../../actors/terms/calendar-operations.ts'
import type { FeeDocument, NetworkDocument, TermsDocument } from '../../actors/terms/documents.ts'
import { termsShow } from '../../actors/terms/operations.ts'
import { counted } from '../../actors/terms/plan.ts'
import {
  addCommand,
  addGroup,
  addOperationCommand,
  addOptions,
  answer,
  type CommonOptions,
  withOperations,
  writtenInput,
} from '../command.ts'
import { readInputText } from '../input-file.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addTermsCommands(terminal: Terminal, program: Command): void {
  const terms = addGroup(program, 'terms', 'Look at what was agreed on with parties, and change it.')
  addOperationCommand(terminal, terms, {
    operation: termsShow,
    examples: ['terms show', 'terms show "Demo Shop"'],
    show: ({ parties }) => (parties.length === 0 ? 'No terms.\n' : parties.map(termsText).join('\n')),
  })
  const show = ({ changes }: TermsChanged) =>
    changes.length === 0 ? 'Nothing to change: it was so already.\n' : `${changes.join('\n')}\n`
  const reason = '--reason "contract 12"'
  addOperationCommand(terminal, terms, {
    operation: termsSetFee,
    examples: [
      `terms set-fee "Demo Shop" --country MX --currency MXN --direction PAY_IN --from 2026-12-01 --bps 250 ${reason}`,
    ],
    show,
  })
  addOperationCommand(terminal, terms, {
    operation: termsSetCommission,
    examples: [
      `terms set-commission "Demo Network" --network 0001 --direction PAY_IN --from 2026-12-01 --fixed 5.00 ${reason}`,
    ],
    show,
  })
  addOperationCommand(terminal, terms, {
    operation: termsSetSettlement,
    examples: [
      `terms set-settlement "Demo Shop" --kind merchant --currency MXN --time-zone America/Mexico_City --every day ${reason}`,
    ],
    show,
  })
  addOperationCommand(terminal, terms, {
    operation: termsSetExposure,
    examples: [`terms set-exposure "Demo Network" --currency MXN --limit 200000.00 ${reason}`],
    show,
  })
  addOperationCommand(terminal, terms, {
    operation: termsSetNetwork,
    examples: [`terms set-network "Demo Network" --network 0001 --name "Tiendas Demo" ${reason}`],
    show,
  })
}

export function addCalendarCommands(terminal: Terminal, program: Command): void {
  const calendar = addGroup(program, 'calendar', 'Look at the calendars of banks, and add closed days.')
  addOperationCommand(terminal, calendar, {
    operation: calendarList,
    examples: ['calendar list'],
    show: ({ calendars, banks }) => {
      const closed = table(
        calendars.flatMap(({ name, weekend, closed: days }) =>
          (days.length === 0 ? [null] : days).map((day) => ({ name, weekend, day })),
        ),
        [
          { title: 'CALENDAR', value: ({ name }) => name },
          { title: 'WEEKEND', value: ({ weekend }) => weekend.join(', ') || 'none' },
          { title: 'CLOSED', value: ({ day }) => day?.date ?? null },
          { title: 'NOTE', value: ({ day }) => day?.note ?? null },
        ],
      )
      const named = banks.map(({ name, currency }) => `${name} (${currency})\n`).join('')
      return (
        (calendars.length === 0 ? 'No calendars.\n' : closed) +
        section('Banks', banks.length === 0 ? '' : named)
      )
    },
  })
  const command = addCommand(calendar, 'import <file>', {
    summary: `${calendarImport.summary} - reads standard input.`,
    examples: [
      'calendar import holidays.csv --name mx-banks --dry-run',
      'calendar import holidays.csv --name mx-banks',
    ],
  })
  addOptions(command, calendarImport.fields)
  command.action(async () => {
    const options = command.opts<CommonOptions>()
    const [file = ''] = command.args
    const input = { ...writtenInput(calendarImport, command), text: await readInputText(terminal, file) }
    const imported = await withOperations(terminal, options, (operations) =>
      operations.perform(calendarImport, input),
    )
    answer(terminal, options, imported, importedText(imported))
  })
}

function importedText({
  calendar,
  dryRun,
  isNew,
  added,
  renoted,
  removed,
  unchanged,
}: ImportedCalendar): string {
  const lines = [
    ['added', added],
    ['with another note', renoted],
    ['taken out', removed],
  ] as const
  return [
    `${dryRun ? 'It would be' : 'It is'}: calendar ${calendar}${isNew ? ' (new)' : ''}, ${counted(unchanged, 'closed day')} as before.\n`,
    ...lines.map(([what, days]) => (days.length === 0 ? '' : `${what}: ${days.join(', ')}\n`)),
  ].join('')
}

function termsText(terms: TermsDocument): string {
  const exposure = table(terms.exposure, [
    { title: 'CURRENCY', value: (it) => it.currency },
    { title: 'LIMIT', value: (it) => it.limit, right: true },
    { title: 'WARN AT', value: (it) => `${it.warnAtPercent} %`, right: true },
  ])
  return [
    fields([[terms.kind, terms.name]]),
    ...terms.settles.map((it) => section(`Settlement of ${it.currency}`, settlesText(it))),
    section('Exposure', terms.exposure.length === 0 ? '' : exposure),
    section('Fees', feeText(terms.fees.map((fee) => ({ of: `${fee.country} ${fee.currency}`, fee })))),
    ...terms.networks.map((network) => section(`Network ${network.id}`, networkText(network))),
  ].join('')
}

function settlesText(it: TermsDocument['settles'][number]): string {
  return fields([
    ['days', `until ${it.cutOff} in ${it.timeZone}`],
    ['statements', typeof it.every === 'string' ? it.every : it.every.join(', ')],
    [
      'due',
      `${counted(it.afterBankingDays, 'banking day')} later${it.calendar === null ? '' : ` (${it.calendar})`}`,
    ],
    ['minimum', it.minimum],
    ['keep', it.keep],
    ['account', it.account && `${it.account}, since ${shortTime(it.accountSince)}`],
    ['next account', it.nextAccount && `${it.nextAccount}, from ${shortTime(it.nextAccountFrom)}`],
    ['next cut-offs', it.cutOffs.map(({ day, ends }) => `${day} at ${shortTime(ends)}`).join(', ')],
  ])
}

function feeText(lines: readonly { of: string; fee: FeeDocument }[]): string {
  if (lines.length === 0) return ''
  return table(lines, [
    { title: 'FOR', value: ({ of }) => of },
    { title: 'ORDERS', value: ({ fee }) => fee.direction },
    { title: 'FROM', value: ({ fee }) => fee.from },
    { title: 'STATE', value: ({ fee }) => fee.state },
    { title: 'FIXED', value: ({ fee }) => fee.fixed, right: true },
    { title: 'BPS', value: ({ fee }) => String(fee.bps), right: true },
    { title: 'MIN', value: ({ fee }) => fee.min, right: true },
    { title: 'MAX', value: ({ fee }) => fee.max, right: true },
    { title: 'TAX BPS', value: ({ fee }) => String(fee.taxBps), right: true },
  ])
}

function networkText(network: NetworkDocument): string {
  const { id, currency, commissions } = network
  const texts = Object.entries(network.text).map(([language, text]) => [`text (${language})`, text] as const)
  return (
    fields([
      ['name', network.name],
      ['country', network.country],
      ['currency', currency],
      ['from', network.min],
      ['to', network.max],
      ['counter fee', network.counterFee],
      ['hours', network.hours],
      ...texts,
    ]) + feeText(commissions.map((fee) => ({ of: id, fee })))
  )
}
