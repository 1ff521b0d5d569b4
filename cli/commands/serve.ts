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
  const node = await startNode({
    settings,
    log,
    clock,
    exemptOrigins:
      settings.mode === 'sandbox' ? { [demoMerchant]: [`http://127.0.0.1:${demoReceiverPort}`] } : {},
    onFailure: (error) => ending.resolve(error),
  })
  const listenNoMore = terminal.onStopSignal(() => ending.resolve(null))
  const welcome = await prepareDemo(terminal, settings, node)
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
  await welcome.receiver?.stop()
  await node.stop()
  clearTimeout(deadline)
  if (failure === null) return
  const hint = 'The next start reads what is true; check the disk and the log first.'
  throw new CommandError(exitCodes.database, `The database has failed: ${failure.message}`, hint)
}

/** An empty sandbox is given parties to try things with; as long as they are there, so is their receiver. */
async function prepareDemo(
  terminal: Terminal,
  settings: Settings,
  node: Node,
): Promise<Welcome & { receiver: DemoReceiver | null }> {
  const { core, publicUrl, operatorUrl } = node
  const base = { mode: settings.mode, publicUrl, checkoutUrl: core.urls.checkoutUrl, operatorUrl }
  const none = { ...base, demo: null, receiver: null }
  if (settings.mode !== 'sandbox') return none
  let made: DemoParty[] = []
  if ((await core.store.query(anyParty, {})).length === 0) {
    const context = { ...core, operator: 'demo' }
    const applied = await apply.run(context, demoParties)
    made = [...applied.merchants, ...applied.providers].flatMap((party) =>
      party.credentials.map(({ key, secret = '' }) => ({ name: party.name, key, secret })),
    )
  }
  const merchant = await core.credentials.identify(demoMerchantKey)
  if (merchant?.name !== demoMerchant) return none
  const receiver = await startReceiver(terminal, node)
  const receiverUrl = receiver?.url ?? null
  return { ...base, demo: { made, receiverUrl }, receiver }
}

/** The demo goes on without it when its port is taken. */
async function startReceiver(terminal: Terminal, { core }: Node): Promise<DemoReceiver | null> {
  try {
    return await startDemoReceiver({
      port: demoReceiverPort,
      clock: terminal.clock,
      secretOf: async (key) => (await core.credentials.identify(key))?.secret ?? null,
      onReceived: (webhook) => terminal.err(`demo receiver: ${receivedLine(webhook)}\n`),
    })
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    terminal.err(`The demo continues without its webhook receiver: ${error.message}\n`)
    return null
  }
}
