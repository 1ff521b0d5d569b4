/** `ventanilla rate …` */
import type { Command } from 'commander'
import { rateAccept } from '../../actors/rates/accept-operation.ts'
import { type RateDetails, type RateDocument, rateList, rateShow } from '../../actors/rates/operations.ts'
import { sourceName } from '../../actors/rates/source.ts'
import { addGroup, addOperationCommand } from '../command.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addRateCommands(terminal: Terminal, program: Command): void {
  const rate = addGroup(
    program,
    'rate',
    'Look at exchange rates, and accept one in doubt. They are set by `apply`.',
  )
  addOperationCommand(terminal, rate, {
    operation: rateList,
    examples: ['rate list'],
    show: ({ rates }) => listText(rates),
  })
  addOperationCommand(terminal, rate, {
    operation: rateShow,
    examples: ['rate show SOLANA USDC MX MXN'],
    show: rateText,
  })
  addOperationCommand(terminal, rate, {
    operation: rateAccept,
    examples: ['rate accept SOLANA USDC MX MXN --rate 20.15 --reason "the peso fell, Banxico says the same"'],
    show: ({ rate: accepted, before }) => `${accepted} is accepted, after ${before ?? 'none'}.\n`,
  })
}

function listText(rates: readonly RateDocument[]): string {
  if (rates.length === 0) return 'No rates.\n'
  const lines = table(rates, [
    { title: 'CHAIN', value: (it) => it.blockchain },
    { title: 'SEND', value: (it) => it.send },
    { title: 'FOR', value: (it) => `${it.country} ${it.target}` },
    { title: 'RATE', value: (it) => it.rate, right: true },
    { title: 'FEE', value: feeOf, right: true },
    { title: 'MAX AGE', value: ageOf },
    { title: 'SOURCE', value: sourceOf },
    { title: 'UPDATED', value: (it) => shortTime(it.updated) },
    { title: 'USED', value: (it) => (it.acceptable ? 'yes' : 'NO') },
  ])
  const problems = rates.flatMap(({ blockchain, send, country, target, problem }) =>
    problem === null ? [] : [`- ${send} to ${country} ${target} on ${blockchain}: ${problem}\n`],
  )
  return problems.length === 0 ? lines : `${lines}\nNot used:\n${problems.join('')}`
}

function rateText(rate: RateDetails): string {
  const readings = table(rate.readings, [
    { title: 'SOURCE', value: (it) => it.source },
    { title: 'TOLD', value: (it) => it.told, right: true },
    { title: 'RATE', value: (it) => it.rate, right: true },
    { title: 'AT', value: (it) => shortTime(it.at) },
    { title: 'AGAIN AT', value: (it) => shortTime(it.nextAt) },
    { title: 'FAILED', value: (it) => it.failures, right: true },
    { title: 'PROBLEM', value: (it) => it.problem },
  ])
  return (
    fields([
      ['Rate', `${rate.send} to ${rate.country} ${rate.target} on ${rate.blockchain}`],
      ['Value', rate.rate ?? 'none yet'],
      ['Fee', feeOf(rate)],
      ['Max age', ageOf(rate)],
      ['Source', sourceOf(rate)],
      ['Expected', rate.expected],
      ['In doubt', rate.doubt === null ? null : `${rate.doubt.rate}, since ${shortTime(rate.doubt.since)}`],
      ['May move', rate.source === null ? null : `${rate.maxJumpPercent} %`],
      ['Updated', shortTime(rate.updated)],
      ['Used', rate.acceptable ? 'yes' : `NO: ${rate.problem}`],
    ]) + section('Sources', rate.readings.length === 0 ? '' : readings)
  )
}

function feeOf({ feeFixed, feeBps, send }: RateDocument): string {
  return `${feeFixed} ${send} + ${feeBps} bps`
}

function ageOf({ maxAgeSeconds }: RateDocument): string | null {
  return maxAgeSeconds === null ? null : `${maxAgeSeconds} s`
}

function sourceOf({ source }: RateDocument): string {
  return source === null ? 'fixed' : source.map(sourceName).join(', ')
}
