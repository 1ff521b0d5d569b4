/** Signing for a party: how a newcomer tries the API without a program of their own. */

import { credentialByKey } from '../../persistence/queries/parties.ts'
import { worldNow } from '../foundation/clock.ts'
import { optional, text } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { credentialName } from '../keys/credentials.ts'
import { formatMessageDate, sign } from '../keys/signature.ts'
import { explainSignature, type SignatureExplanation } from '../keys/signature-explanation.ts'
import type { NodeContext } from './context.ts'

const signFields = {
  key: text(),
  method: text({ pattern: '^[A-Z]+$' }),
  path: text({ pattern: '^/' }),
  body: optional(text({ pattern: '^[A-Za-z0-9+/]*={0,2}$' })),
}

/** For sandboxes only: whoever may ask this may act for every party. */
export const credentialSign = defineOperation({
  name: 'credential.sign',
  summary: 'Sign a request for a merchant or provider (sandbox only).',
  fields: signFields,
  isRead: true,
  async run(
    { store, vault, clock }: NodeContext,
    { key, method, path, body = '' },
  ): Promise<{ headers: Record<string, string> }> {
    const { kind, secret } = await secretOf({ store, vault }, key)
    const message = {
      key,
      messageDate: formatMessageDate(worldNow(clock)),
      method,
      path,
      body: Buffer.from(body, 'base64'),
    }
    return {
      headers: {
        [kind === 'merchant' ? 'Merchant-Key' : 'Provider-Key']: key,
        'Message-Date': message.messageDate,
        'Message-Hash': sign(message, secret),
      },
    }
  },
})

/** For sandboxes only, like `credential.sign`: it tells the hash that is right. */
export const credentialExplain = defineOperation({
  name: 'credential.explain',
  summary: 'Show how a request is signed, and where a hash differs (sandbox only).',
  fields: {
    ...signFields,
    path: text(),
    messageDate: text(),
    hash: optional(text()),
    otherKey: optional(text()),
  },
  isRead: true,
  async run(
    context: NodeContext,
    { body = '', hash, otherKey, ...message },
  ): Promise<SignatureExplanation & { kind: 'merchant' | 'provider' }> {
    const { kind, secret } = await secretOf(context, message.key)
    const signed = { ...message, body: Buffer.from(body, 'base64') }
    const otherKeys = otherKey === undefined ? [] : [otherKey]
    return { kind, ...explainSignature(signed, secret, hash ?? null, otherKeys) }
  },
})

async function secretOf(
  { store, vault }: Pick<NodeContext, 'store' | 'vault'>,
  key: string,
): Promise<{ kind: 'merchant' | 'provider'; secret: string }> {
  const [credential] = await store.query(credentialByKey, { key })
  if (credential === undefined) {
    throw new OperationError('not_found', `There is no live credential ${key}.`, {
      hint: 'merchant show and provider show tell the keys of a party.',
    })
  }
  return { kind: credential.kind, secret: vault.open(credentialName(key), credential.secret_ciphertext) }
}
