/** What the document says in words: in Markdown, which readers of OpenAPI expect. */

export const introduction = `
Merchants create cash orders; payment providers look them up by their code, lock them, handle the cash and
confirm. The merchant learns of every final change by a signed webhook.

**Signing.** Every request is signed. The signed string is \`KEY:DATE:METHOD:PATH:BODY\`, joined by colons:
the key, the Message-Date as it is sent, the method in upper case, the path as it is sent (with \`/api/v1\`,
undecoded, with its slash at the end if it has one) and the exact bytes of the body, nothing where there is
none. Message-Hash is the HMAC-SHA-256 of that under the bytes of the secret, in lower-case hexadecimal.
Message-Date must be within 300 seconds of the node's clock unless its operator allows more. Only lists
and statements take a query string; there it is part of PATH, question mark included.

**Values.** Amounts and times are strings. Amounts in answers have two decimals at least; times are ISO
8601, in UTC. In requests an amount may be a JSON number too, a time may have any offset, and one without an
offset is in UTC. Fields that are not described are ignored; answers may get further fields within this
version.

**Errors.** 400 names every field at fault at once; 409 has \`detail\` alone; all others have \`detail\`,
\`type\` and \`errors\`. Of several faults the first in this order is told: 413, 403, 429, 405, 406, a query
or body where none belongs, 415 or a body that cannot be read, 404, fields, the order's status and lock,
rules of the business, uniqueness. A path that is not described here is answered with 404.

**Limits.** Every answer to a signed request says in RateLimit headers what is left for its key. 429 says in
Retry-After when to come back. The confirm and cancel of the provider that holds an order are exempt.

**Repeating a request** whose answer was lost: GET and confirm at any time; start and cancel with the very
same signed bytes; a creation under the same Idempotency-Key.
`.trim()

export const securityTexts = {
  MerchantKey: 'The merchant’s credential key.',
  ProviderKey: 'The provider’s credential key.',
  MessageDate:
    'Seconds since 1970 as a decimal number: ten digits, and up to nine decimals. It is signed as the' +
    ' text it is.',
  MessageHash:
    'HMAC-SHA-256 of KEY:DATE:METHOD:PATH:BODY under the secret’s bytes, in 64 lower-case hexadecimal' +
    ' digits.',
} as const

export const pathParameterTexts: Readonly<
  Record<string, { description: string; example: string; format?: string }>
> = {
  order: {
    description: 'The id of the order; a provider may name its code',
    example: '0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10',
  },
  code: { description: 'The code that the customer shows', example: '123456789012347' },
  number: {
    description: 'The number of the statement: from 1 on for each currency',
    example: '12',
  },
  id: {
    description: 'The id of the order, of the webhook, or of the fault',
    example: '0d3f4a52-7c59-4f0e-8a4e-5b1f5d1c9e10',
    format: 'uuid',
  },
}

export const idempotencyKeyText =
  'A text chosen by the caller, 1 to 255 printable ASCII characters; in quotation marks it is the same key. For 24 hours ' +
  'the same request with the same key gets the stored 2xx answer, with `Idempotency-Replayed: true`.'

export const dryRunText =
  '`true`: everything is checked as usual and nothing is written. What could be made is answered with 200 and ' +
  '`Dry-Run: true`, without an id. The header is not signed: sign a dry run only where the real thing would be harmless too.'

export const webhookText =
  'Sent to the order’s notify_url, signed like a request of the merchant: PATH is the path of ' +
  'notify_url, without its query. ' +
  'Compute the hash over the raw body and refuse what differs. The same status may come more than ' +
  'once (Webhook-Id stays), and the ' +
  'webhooks of one order come in the order of Webhook-Sequence. Acknowledge with 200 or 201; ' +
  'on 5xx, 408, 429, a time-out or a connection that fails it is sent again, with growing gaps, for ' +
  'about four days (in the sandbox three times). ' +
  'Any other answer ends the attempts. A webhook of a sandbox says `Webhook-Mode: sandbox`.'

export const webhookHeaderTexts: Readonly<Record<string, { description: string; example: string }>> = {
  'Merchant-Key': { description: 'Which of the merchant’s secrets signed', example: 'mk_shop' },
  'Message-Date': { description: 'When this attempt was signed', example: '1772366700.250' },
  'Message-Hash': {
    description: 'The hash to compare with',
    example: 'b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184',
  },
  'Webhook-Id': {
    description: 'The same over all attempts',
    example: '7b0f6b0e-0f7c-4b3e-9c55-3f2a63a4c1aa',
  },
  'Webhook-Attempt': { description: '1 for the first attempt', example: '1' },
  'Webhook-Sequence': { description: 'Counts the webhooks of an order, from 1', example: '1' },
}
