/** Signing for a party: how a newcomer tries the API without a program of their own. */

import { credentialByKey } from '../../persistence/queries/parties.ts'
import { type Operation, OperationError } from '../foundation/operation.ts'
import { credentialName } from '../keys/credentials.ts'
import { formatMessageDate, sign } from '../keys/signature.ts'
import { explainSignature, type SignatureExplanation } from '../keys/signature-explanation.ts'
import type { NodeContext } from './context.ts'

interface SignInput {
  key: string
  method: string
  path: string
  /** The body's bytes in base64. */
  body?: string
}

/** For sandboxes only: whoever may ask this may act for every party. */
export const credentialSign: Operation<SignInput, { headers: Record<string, string> }, NodeContext> = {
  name: 'credential.sign',
  summary: 'Sign a request for a merchant or provider (sandbox only).',
  input: {
    type: 'object',
    properties: {
      key: { type: 'string' },
      method: { type: 'string', pattern: '^[A-Z]+$' },
      path: { type: 'string', pattern: '^/' },
      body: { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$' },
    },
    required: ['key', 'method', 'path'],
    additionalProperties: false,
  },
  isRead: true,
  role: 'administrator',
  async run({ store, vault, clock }, { key, method, path, body = '' }) {
    const { kind, secret } = await secretOf({ store, vault }, key)
    const message = {
      key,
      messageDate: formatMessageDate(clock.now()),
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
}

interface ExplainInput extends SignInput {
  messageDate: string
  /** What the signer came to. */
  hash?: string
  /** Another key that may have been signed. */
  otherKey?: string
}

/** For sandboxes only, like `credential.sign`: it tells the hash that is right. */
export const credentialExplain: Operation<
  ExplainInput,
  SignatureExplanation & { kind: 'merchant' | 'provider' },
  NodeContext
> = {
  name: 'credential.explain',
  summary: 'Show how a request is signed, and where a hash differs (sandbox only).',
  input: {
    type: 'object',
    properties: {
      key: { type: 'string' },
      method: { type: 'string', pattern: '^[A-Z]+$' },
      path: { type: 'string' },
      body: { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$' },
      messageDate: { type: 'string' },
      hash: { type: 'string' },
      otherKey: { type: 'string' },
    },
    required: ['key', 'method', 'path', 'messageDate'],
    additionalProperties: false,
  },
  isRead: true,
  role: 'administrator',
  async run(context, { body = '', hash, otherKey, ...message }) {
    const { kind, secret } = await secretOf(context, message.key)
    const signed = { ...message, body: Buffer.from(body, 'base64') }
    const otherKeys = otherKey === undefined ? [] : [otherKey]
    return { kind, ...explainSignature(signed, secret, hash ?? null, otherKeys) }
  },
}

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
