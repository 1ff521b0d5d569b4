/** `ventanilla sandbox …`: what there is in a sandbox alone. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Operation } from '../../actors/foundation/operation.ts'
import { type SimulatedDocument, sandboxSimulate } from '../../actors/sandbox/operations.ts'
import {
  type GoLiveDocument,
  type RequestsDocument,
  sandboxGoLive,
  sandboxRequests,
} from '../../actors/sandbox/party-operations.ts'
import {
  type DeliveriesDocument,
  type FaultDocument,
  type InboxDocument,
  sandboxDeliveries,
  sandboxFaults,
  sandboxInbox,
  sandboxRemoveFault,
  sandboxSetFault,
} from '../../actors/sandbox/receiver-operations.ts'
import type { SampleFile } from '../../actors/sandbox/sample-file.ts'
import { sandboxSampleReport, sandboxSampleStatement } from '../../actors/sandbox/sample-operations.ts'
import {
  addCommand,
  addGroup,
  addOperationCommand,
  addOptions,
  answer,
  type CommonOptions,
  more,
  withOperations,
  writtenInput,
} from '../command.ts'
import { writeNewFile } from '../output-file.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { addSandboxClockCommands } from './sandbox-clock.ts'

export function addSandboxCommands(terminal: Terminal, program: Command): void {
  const sandbox = addGroup(
    program,
    'sandbox',
    'Try an integration out, and move the clock: what there is in a sandbox alone.',
  )
  addOperationCommand(terminal, sandbox, { operation: sandboxSimulate, show: simulatedText })
  addOperationCommand(terminal, sandbox, { operation: sandboxGoLive, show: goLiveText })
  addOperationCommand(terminal, sandbox, { operation: sandboxInbox, show: inboxText })
  addOperationCommand(terminal, sandbox, { operation: sandboxDeliveries, show: deliveriesText })
  addOperationCommand(terminal, sandbox, { operation: sandboxRequests, show: requestsText })
  addOperationCommand(terminal, sandbox, {
    operation: sandboxFaults,
    show: ({ faults }) => faultsText(faults),
  })
  addOperationCommand(terminal, sandbox, { operation: sandboxSetFault, show: (fault) => faultsText([fault]) })
  addOperationCommand(terminal, sandbox, {
    operation: sandboxRemoveFault,
    show: ({ removed }) => fields([['removed', removed]]),
  })
  addSandboxClockCommands(terminal, sandbox)
  addSampleCommand(terminal, sandbox, 'sample-report <network>', sandboxSampleReport)
  addSampleCommand(terminal, sandbox, 'sample-statement <bank>', sandboxSampleStatement)
}

/** The file goes where it is said, and what is in it to the terminal. */
function addSampleCommand<Input>(
  terminal: Terminal,
  sandbox: Command,
  signature: string,
  operation: Operation<Input, SampleFile>,
): void {
  const { summary, examples = [] } = operation
  const command = addOptions(addCommand(sandbox, signature, { summary, examples }), operation.fields)
  command.option('--out <file>', 'where to write it; under its own name here unless given')
  command.action(async () => {
    const options = command.opts<CommonOptions & { out?: string }>()
    const { text, encoding, ...made } = await withOperations(terminal, options, (operations) =>
      operations.perform(operation, writtenInput(operation, command)),
    )
    const file = resolve(terminal.cwd, options.out ?? made.name)
    writeNewFile(file, Buffer.from(text, encoding))
    const lacks = made.lacks.map(({ outcome, needs }) => `  ${outcome}: ${needs}\n`).join('')
    const shown = fields([
      ['file', file],
      ['has', made.has.join(', ')],
    ])
    answer(
      terminal,
      options,
      { ...made, file },
      shown + section('What it has not, and what that needs:', lacks),
    )
  })
}

function simulatedText({ order, status, done }: SimulatedDocument): string {
  return fields([
    ['order', order],
    ['done', done.join(', ')],
    ['status', status],
  ])
}

function goLiveText({ party, done, steps }: GoLiveDocument): string {
  const open = steps.filter((step) => step.done === null)
  return (
    `${party}: ${done} of ${steps.length} done.\n\n` +
    table(steps, [
      { title: 'step', value: ({ step }) => step },
      { title: 'done since', value: ({ done: at }) => shortTime(at) },
      { title: 'what', value: ({ what }) => what },
      { title: 'seen by', value: ({ evidence }) => evidence },
    ]) +
    section(
      'What is left, and how:',
      open.map(({ step, what, how }) => `  ${step}: ${what}\n      ${how}\n`).join(''),
    )
  )
}

function inboxText({ merchant, url, arrivals, next }: InboxDocument): string {
  const address = fields([
    ['merchant', merchant],
    ['notify_url', url],
  ])
  if (arrivals.length === 0) return `${address}\nNothing has come here yet.\n`
  const came = table(arrivals, [
    { title: 'received', value: ({ received }) => shortTime(received) },
    { title: 'signature', value: ({ problem }) => problem ?? 'verified' },
    { title: 'tells', value: ({ orderStatus }) => orderStatus },
    { title: 'order', value: ({ order }) => order },
    { title: 'attempt', value: ({ attempt }) => attempt, right: true },
    { title: 'webhook', value: ({ webhook }) => webhook },
  ])
  return `${address}\n${came}${more(next)}`
}

function deliveriesText({ deliveries, next }: DeliveriesDocument): string {
  if (deliveries.length === 0) return 'Nothing was sent yet.\n'
  const sent = table(deliveries, [
    { title: 'sent', value: (line) => shortTime(line.sent) },
    { title: 'outcome', value: ({ outcome, status }) => `${outcome}${status === null ? '' : ` ${status}`}` },
    { title: 'fault', value: ({ fault }) => fault },
    { title: 'tells', value: ({ order, orderStatus }) => (order === null ? 'ping' : orderStatus) },
    { title: 'attempt', value: ({ attempt }) => attempt, right: true },
    { title: 'webhook', value: ({ webhook }) => webhook },
    { title: 'to', value: ({ url }) => url },
  ])
  return `${sent}${more(next)}`
}

function requestsText({ requests, next }: RequestsDocument): string {
  if (requests.length === 0) return 'Nothing was sent since the node was started.\n'
  const sent = table(requests, [
    { title: 'at', value: ({ at }) => shortTime(at) },
    { title: 'key', value: ({ key }) => key },
    { title: 'status', value: ({ status }) => status, right: true },
    { title: 'request', value: ({ method, path }) => `${method} ${path}` },
    { title: 'refused', value: ({ refused, mistake }) => mistake ?? refused },
  ])
  return `${sent}${more(next)}`
}

function faultsText(faults: readonly FaultDocument[]): string {
  if (faults.length === 0) return 'Nothing is to go wrong.\n'
  return table(faults, [
    { title: 'fault', value: ({ id }) => id },
    {
      title: 'what',
      value: ({ fault, status, seconds }) =>
        [fault, status, seconds && `${seconds} s`].filter(Boolean).join(' '),
    },
    { title: 'order', value: ({ order }) => order ?? 'all' },
    { title: 'deliveries', value: ({ deliveriesLeft }) => deliveriesLeft, right: true },
    { title: 'by', value: ({ by }) => by },
  ])
}
