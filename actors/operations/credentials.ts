/** Signing for a party: how a newcomer tries the API without a program of their own. */
import { credentialByKey } from '../../persistence/queries/parties.ts'
import { credentialName } from '../keys/credentials.ts'
import { formatMessageDate, sign } from '../keys/signature.ts'
import { type Operation, OperationError } from './operation.ts'

interface SignInput {
  key: string
  method: string
  path: string
  /** The body's bytes in base64. */
  body?: string
}

/** For sandboxes only: whoever may ask this may act for every party. */
export const credentialSign: Operation<SignInput, { headers: Record<string, string> }> = {
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
  async run({ store, vault, clock }, { key, method, path, body = '' }) {
    const [credential] = await store.query(credentialByKey, { key })
    if (credential === undefined) {
      throw new OperationError('not_found', `There is no live credential ${key}.`, {
        hint: 'merchant show and provider show tell the keys of a party.',
      })
    }
    const message = {
      key,
      messageDate: formatMessageDate(clock.now()),
      method,
      path,
      body: Buffer.from(body, 'base64'),
    }
    const secret = vault.open(credentialName(key), credential.secret_ciphertext)
    return {
      headers: {
        [credential.kind === 'merchant' ? 'Merchant-Key' : 'Provider-Key']: key,
        'Message-Date': message.messageDate,
        'Message-Hash': sign(message, secret),
      },
    }
  },
}
