/** Does with the TypeScript client what the scenario says, a line of JSON each; see test/client/scenario.test.ts. */
import { createInterface } from 'node:readline'
import {
  ApiError,
  createMerchantClient,
  createProviderClient,
  sign,
  VentanillaError,
  verifyStandardWebhook,
  verifyWebhook,
} from '../../../client/index.ts'
import type { Command } from '../scenario-commands.ts'

type Method = (input: object, options: object) => Promise<unknown>

async function carryOut(command: Command): Promise<object> {
  const pauses: number[] = []
  const now = () => (command.now + pauses.reduce((sum, one) => sum + one, 0)) * 1000
  try {
    return { answer: await answerTo(command, now, pauses), pauses }
  } catch (error) {
    if (!(error instanceof VentanillaError)) throw error
    const { name, message } = error
    const api = error instanceof ApiError ? error : null
    const fields = api !== null && 'errors' in api ? (api.errors as { attr: string | null }[]) : []
    const told = {
      status: api?.status ?? null,
      code: api?.code ?? null,
      retryAfter: api?.retryAfterMs == null ? null : api.retryAfterMs / 1000,
      hasRequestId: api !== null && api.requestId !== null,
      fields: fields.map(({ attr }) => attr),
    }
    return { error: { class: name, message, ...told }, pauses }
  }
}

async function answerTo(command: Command, now: () => number, pauses: number[]): Promise<unknown> {
  switch (command.do) {
    case 'sign': {
      const { secret, ...parts } = command
      return sign(parts, secret)
    }
    case 'verify': {
      const { path, headers, secrets } = command
      return verifyWebhook({ path, headers, body: Buffer.from(command.body, 'base64') }, { secrets, now })
    }
    case 'verifyStandard': {
      const { headers, secrets } = command
      return verifyStandardWebhook({ headers, body: Buffer.from(command.body, 'base64') }, { secrets, now })
    }
    case 'call': {
      const { party, operation, input, idempotencyKey, url, key, secret, attempts, maxPause } = command
      const create = party === 'merchant' ? createMerchantClient : createProviderClient
      const client = create({
        ...{ url, key, secret, attempts, now, maxPauseMs: maxPause * 1000 },
        sleep: async (ms) => void pauses.push(ms / 1000),
      })
      const method = Object.entries(client).find(([name]) => name === operation)?.[1] as Method | undefined
      if (method === undefined) throw new Error(`There is no ${operation}.`)
      return method(input, idempotencyKey === null ? {} : { idempotencyKey })
    }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await carryOut(JSON.parse(line)))}\n`)
}
