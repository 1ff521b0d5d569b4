/** `ventanilla webhook retry|pause|resume|switch-key|rotate-secret|drop-secret|listen` */
import { type Command, InvalidArgumentError } from 'commander'
import {
  type RotatedWebhookSecret,
  webhookDropSecret,
  webhookRotateSecret,
} from '../../actors/operations/webhook-secrets.ts'
import {
  type DeliveryDocument,
  type Resent,
  webhookPause,
  webhookResume,
  webhookRetry,
  webhookSwitchKey,
} from '../../actors/webhooks/delivery-operations.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import { addCommand, addOperationCommand, type CommonOptions } from '../command.ts'
import { readInputText } from '../input-file.ts'
import { printableJson, printableLine } from '../printable.ts'
import { fields, shortTime } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { type HeardWebhook, startWebhookListener } from '../webhook-listener.ts'
import { webhookTable } from './webhook-table.ts'

export function addWebhookDeliveryCommands(terminal: Terminal, webhook: Command): void {
  addOperationCommand(terminal, webhook, {
    operation: webhookRetry,
    examples: [
      'webhook retry 0b6d1c7a-…',
      'webhook retry --order 5f0c2a9e-…',
      'webhook retry --merchant "Demo Shop" --since 2026-03-01T12:00:00Z',
    ],
    show: resentText,
  })
  for (const [verb, operation] of [
    ['pause', webhookPause],
    ['resume', webhookResume],
  ] as const) {
    addOperationCommand(terminal, webhook, {
      operation,
      examples: [`webhook ${verb} "Demo Shop"`],
      show: deliveryText,
    })
  }
  addOperationCommand(terminal, webhook, {
    operation: webhookSwitchKey,
    examples: ['webhook switch-key "Demo Shop" mk_demo_2'],
    show: deliveryText,
  })
  addOperationCommand(terminal, webhook, {
    operation: webhookRotateSecret,
    examples: ['webhook rotate-secret "Demo Shop"', 'webhook rotate-secret "Demo Shop" --overlap-hours 0'],
    show: rotatedText,
  })
  addOperationCommand(terminal, webhook, {
    operation: webhookDropSecret,
    examples: ['webhook drop-secret "Demo Shop" --reason "they verify Message-Hash"'],
    show: ({ merchant }) => `Webhooks to ${merchant} carry no Webhook-Signature any more.\n`,
  })
  addListenCommand(terminal, webhook)
}

function resentText({ resent, webhooks, left }: Resent): string {
  const rest = resent - webhooks.length
  return [
    resent === 0 ? 'Nothing was sent again.\n' : webhookTable(webhooks),
    rest > 0 ? `and ${rest} more\n` : '',
    ...left.map((id) => `${id}: left as it is; an attempt is under way, or its body is gone.\n`),
  ].join('')
}

function deliveryText({ merchant, contact, paused, chosenKey }: DeliveryDocument): string {
  return fields([
    ['merchant', contact === '' ? merchant : `${merchant}, ${contact}`],
    ['webhooks', paused === null ? 'are sent' : `wait since ${shortTime(paused)}`],
    ['key chosen', chosenKey],
  ])
}

function rotatedText({ merchant, secret, formerUntil }: RotatedWebhookSecret): string {
  return [
    `Webhooks to ${merchant} are signed by Standard Webhooks, too. The secret is shown only once:\n\n`,
    fields([['secret', secret]]),
    formerUntil === null ? '' : `\nUntil ${shortTime(formerUntil)} the former secret signs beside it.\n`,
  ].join('')
}

interface ListenOptions extends CommonOptions {
  key: string
  secretFile: string
  host: string
  port: number
  fail: number
}

function addListenCommand(terminal: Terminal, webhook: Command): void {
  const command = addCommand(webhook, 'listen', {
    summary:
      'Receive webhooks, verify them as a merchant should, and print them until stopped. ' +
      'With --json, one document a line.',
    examples: [
      'webhook listen --key mk_demo --secret-file secret.txt',
      'webhook listen --key mk_demo --secret-file secret.txt --port 9000 --fail 2',
    ],
  })
    .requiredOption('--key <key>', "the merchant's key")
    .requiredOption('--secret-file <file>', 'its secret, in a file; - for standard input')
    .option('--host <address>', 'where to listen', '127.0.0.1')
    .option('--port <number>', 'on which port; 0 takes a free one', portNumber, 8083)
    .option('--fail <times>', 'answer 500 this many times first', count, 0)
  command.action(async () => {
    const { key, secretFile, host, port, fail, json } = command.opts<ListenOptions>()
    const secret = (await readInputText(terminal, secretFile)).trim()
    if (secret === '') throw new CommandError(exitCodes.usage, `${secretFile}: holds no secret.`)
    const stopped = Promise.withResolvers<void>()
    const listenNoMore = terminal.onStopSignal(() => stopped.resolve())
    const listener = await startWebhookListener({
      host,
      port,
      key,
      secret,
      failures: fail,
      clock: terminal.clock,
      onHeard: (heard) => terminal.out(json ? `${printableJson(heard)}\n` : heardText(heard)),
    })
    terminal.err(`Webhooks to ${listener.url}/… are received, verified and printed.\n`)
    await stopped.promise
    listenNoMore()
    await listener.stop()
  })
}

function heardText(heard: HeardWebhook): string {
  const { at, status, merchantOrderId, order, attempt, sequence, problem, answer, isRepetition } = heard
  const facts = [
    `${shortTime(at)}  ${status}  ${merchantOrderId}  order ${order}`,
    `number ${sequence || '?'}, attempt ${attempt || '?'}`,
    problem === null ? 'signature verified' : `NOT GENUINE: ${problem}`,
    ...(isRepetition ? ['came before'] : []),
    `answered ${answer}`,
  ]
  return `${printableLine(facts.join('  '))}\n  ${printableLine(heard.body)}\n`
}

function portNumber(text: string): number {
  const number = count(text)
  if (number <= 65_535) return number
  throw new InvalidArgumentError('It must be a port from 0 to 65535.')
}

function count(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}
