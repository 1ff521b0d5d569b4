/** `ventanilla serve`: the node itself. */
import type { Command } from 'commander'
import { apply } from '../../actors/provisioning/operations.ts'
import demoParties from '../../data/demo.json' with { type: 'json' }
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import type { Node } from '../../node/node.ts'
import { type Settings, stopDelayMs } from '../../node/settings/config.ts'
import { anyParty } from '../../persistence/queries/provisioning.ts'
import { addCommand, answer, type CommonOptions, settingsOf } from '../command.ts'
import { type DemoReceiver, demoReceiverPort, receivedLine, startDemoReceiver } from '../demo-receiver.ts'
import { createNotifier } from '../service/notify.ts'
import type { Terminal } from '../terminal.ts'
import { type DemoParty, demoMerchant, demoMerchantKey, type Welcome, welcomeText } from '../welcome.ts'

/**
 * What is under way when nothing more is accepted has this long, and then the process ends all the same. With the usual
 * delay before it, that is less than the ten seconds that containers are given.
 */
const stopDeadlineMs = 7_500

export function addServeCommand(terminal: Terminal, program: Command): void {
  const command = addCommand(program, 'serve', {
    summary: 'Run the node until it is stopped. This is the default command.',
    examples: ['serve', 'serve --config /etc/ventanilla.json'],
  })
  command.action(async () => {
    const options = command.opts<CommonOptions>()
    await serve(terminal, options, settingsOf(terminal, options))
  })
}

async function serve(terminal: Terminal, options: CommonOptions, settings: Settings): Promise<void> {
  const { clock } = terminal
  // Loaded only here: no other command needs all of the node.
  const { openLog } = await import('../../node/log.ts')
  const { startNode } = await import('../../node/node.ts')
  const log = openLog({ level: settings.log.level, destination: 2 })
  const ending = Promise.withResolvers<Error | null>()
  const secrets: DemoSecrets = { of: async () => null }
  // Before the node, which has to know where its webhooks may go.
  const receiver = settings.mode === 'sandbox' ? await startReceiver(terminal, secrets) : null
  const node = await startNode({
    settings,
    log,
    clock,
    exemptOrigins: receiver === null ? {} : { [demoMerchant]: [receiver.url] },
    onFailure: (error) => ending.resolve(error),
  }).catch(async (error: unknown) => {
    await receiver?.stop()
    throw error
  })
  secrets.of = async (key) => (await node.core.credentials.identify(key))?.secret ?? null
  const listenNoMore = terminal.onStopSignal(() => ending.resolve(null))
  const welcome = await prepareDemo(terminal, node, receiver)
  if (welcome.demo === null) await receiver?.stop()
  const { publicUrl, operatorUrl } = node
  answer(
    terminal,
    options,
    { publicUrl, operatorUrl, mode: settings.mode, demo: welcome.demo },
    welcomeText({ ...welcome, config: options.config, env: terminal.env, now: clock.now() }),
  )
  const service = createNotifier(terminal.env, (error) => log.warn({ err: error }, 'systemd is not told'))
  service.ready()
  const failure = await ending.promise
  service.stopping()
  listenNoMore()
  log.info('stopping')
  // Whoever asks twice means at once, and so does time.
  const atOnce = () => process.exit(exitCodes.failure)
  terminal.onStopSignal(atOnce)
  const deadline = setTimeout(atOnce, stopDelayMs(settings.http) + stopDeadlineMs)
  if (welcome.demo !== null) await receiver?.stop()
  await node.stop()
  clearTimeout(deadline)
  if (failure === null) return
  const hint = 'The next start reads what is true; check the disk and the log first.'
  throw new CommandError(exitCodes.database, `The database has failed: ${failure.message}`, hint)
}

/** An empty sandbox is given parties to try things with; as long as they are there, so is their receiver. */
async function prepareDemo(
  terminal: Terminal,
  { core, publicUrl, operatorUrl }: Node,
  receiver: DemoReceiver | null,
): Promise<Welcome> {
  const { mode } = core.surroundings
  const base = { mode, publicUrl, checkoutUrl: core.urls.checkoutUrl, operatorUrl }
  if (receiver === null) return { ...base, demo: null }
  let made: DemoParty[] = []
  if ((await core.store.query(anyParty, {})).length === 0) {
    const context = { ...core, operator: 'demo' }
    const applied = await apply.run(context, demoParties)
    made = [...applied.merchants, ...applied.providers].flatMap((party) =>
      party.credentials.map(({ key, secret = '' }) => ({ name: party.name, key, secret })),
    )
  }
  const merchant = await core.credentials.identify(demoMerchantKey)
  if (merchant?.name !== demoMerchant) return { ...base, demo: null }
  if (!receiver.url.endsWith(`:${demoReceiverPort}`))
    terminal.err(
      `Port ${demoReceiverPort} is in use: the demo's webhook receiver listens at ${receiver.url}\n`,
    )
  return { ...base, demo: { made, receiverUrl: receiver.url } }
}

/** Secrets of keys, once there is a node that knows them. */
interface DemoSecrets {
  of(key: string): Promise<string | null>
}

/** Where it always is; where that is taken, at a port that is free. */
async function startReceiver(terminal: Terminal, secrets: DemoSecrets): Promise<DemoReceiver> {
  const startAt = (port: number) =>
    startDemoReceiver({
      port,
      clock: terminal.clock,
      secretOf: (key) => secrets.of(key),
      onReceived: (webhook) => terminal.err(`demo receiver: ${receivedLine(webhook)}\n`),
    })
  try {
    return await startAt(demoReceiverPort)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return startAt(0)
  }
}
