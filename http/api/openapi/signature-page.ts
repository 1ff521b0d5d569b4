/** How a request is signed, with an example whose every string is shown, and programs that come to the same. */
import { sign } from '../../../actors/keys/signature.ts'
import { html, type Markup } from '../../pages/markup.ts'
import { codeMarkup, tableMarkup, tabsMarkup } from './page-layout.ts'
import type { PageView } from './page-view.ts'

const secret = 'a secret of at least 32 characters'
const message = {
  key: 'pk_till',
  messageDate: '1772366400.250',
  method: 'POST',
  path: '/api/v1/providers/orders/pay-out/123456789012347/start-payment/',
  body: '{"network_id":"0001"}',
}
const signed = [message.key, message.messageDate, message.method, message.path, message.body].join(':')
const hash = sign(message, secret)

const programs = [
  {
    title: 'Shell',
    text: `SECRET='${secret}'
SIGNED='${signed}'
printf '%s' "$SIGNED" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/.* //'`,
  },
  {
    title: 'TypeScript',
    text: `import { createHmac } from 'node:crypto'

const secret = '${secret}'
const [key, date, method] = ['${message.key}', '${message.messageDate}', '${message.method}']
const path = '${message.path}'
const body = '${message.body}'
console.log(createHmac('sha256', secret).update([key, date, method, path, body].join(':')).digest('hex'))`,
  },
  {
    title: 'Python',
    text: `import hashlib, hmac

secret = "${secret}"
key, date, method = "${message.key}", "${message.messageDate}", "${message.method}"
path = "${message.path}"
body = '${message.body}'
signed = ":".join([key, date, method, path, body])
print(hmac.new(secret.encode(), signed.encode(), hashlib.sha256).hexdigest())`,
  },
  {
    title: 'PHP',
    text: `<?php
$secret = '${secret}';
[$key, $date, $method] = ['${message.key}', '${message.messageDate}', '${message.method}'];
$path = '${message.path}';
$body = '${message.body}';
echo hash_hmac('sha256', implode(':', [$key, $date, $method, $path, $body]), $secret), "\\n";`,
  },
]

const mistakes: readonly (readonly [mistake: string, instead: string])[] = [
  [
    'The body is serialized twice, once to sign and once to send.',
    'Serialize once; sign and send that text.',
  ],
  [
    'The path is signed without /api/v1, without its last slash, or decoded.',
    'Sign it as the request line has it.',
  ],
  ['A list is signed without its query.', 'The query is part of PATH, with the question mark.'],
  ['The date is signed as a number: 1772366400.25 for 1772366400.250.', 'Sign the very text that is sent.'],
  ['The date is in milliseconds, or the clock is wrong.', 'Seconds, ten digits; keep the clock by NTP.'],
  [
    'The secret is decoded from hexadecimal or base64, or ends with a line break.',
    'Its characters are the key.',
  ],
  ['The hash is in capitals or in base64.', '64 lower-case hexadecimal digits.'],
]

export function signatureContent({ base, headers }: PageView): Markup {
  return html`<p>Every request carries three headers. A wrong signature is answered with 403 and nothing else; in a sandbox the header
<code>Signature-Hint</code> says what is wrong.</p>
${tableMarkup(
  'Headers that sign',
  ['header', 'what it is'],
  headers.map(({ name, description }) => [html`<code>${name}</code>`, description]),
)}
<h2 id="example">An example, string by string</h2>
<p>A till starts a payment. Its secret is <code>${secret}</code>.</p>
${tableMarkup(
  'Five parts',
  ['part', 'value', 'from'],
  [
    ['KEY', html`<code>${message.key}</code>`, 'Provider-Key, as it is sent'],
    ['DATE', html`<code>${message.messageDate}</code>`, 'Message-Date, as it is sent'],
    ['METHOD', html`<code>${message.method}</code>`, 'in capitals'],
    ['PATH', html`<code>${message.path}</code>`, 'the request line, with its query if it has one'],
    ['BODY', html`<code>${message.body}</code>`, 'the bytes that are sent; nothing where there is no body'],
  ],
)}
<h3>They are joined by colons: ${Buffer.byteLength(signed)} bytes</h3>
${codeMarkup(signed, true)}
<h3>HMAC-SHA-256 of that under the characters of the secret, in hexadecimal</h3>
${codeMarkup(hash, true)}
<h3>What is sent</h3>
${codeMarkup(
  `${message.method} ${message.path} HTTP/1.1
Provider-Key: ${message.key}
Message-Date: ${message.messageDate}
Message-Hash: ${hash}
Content-Type: application/json
Content-Length: ${Buffer.byteLength(message.body)}

${message.body}`,
  true,
)}
<h2>Programs that come to it</h2>
${tabsMarkup('program', 'Language', programs)}
<h2>What goes wrong most often</h2>
${tableMarkup('Mistakes', ['mistake', 'instead'], mistakes)}
<p>A request is good for 300 seconds by the node’s clock. Next: <a href="${base}/docs/webhooks">webhooks</a>, which are signed in the same way.</p>
`
}
