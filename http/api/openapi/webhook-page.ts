/** A webhook with its headers and body, how it is verified in both ways, and receivers. */
import { sign } from '../../../actors/keys/signature.ts'
import { standardSignature } from '../../../actors/keys/standard-signature.ts'
import { html, type Markup } from '../../pages/markup.ts'
import { codeMarkup, spanMarkup, tableMarkup, tabsMarkup } from './page-layout.ts'
import { type PageView, spans } from './page-view.ts'
import { receivers } from './sample-receivers.ts'

const key = 'mk_shop'
const secret = 'a secret of at least 32 characters'
const standardSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const date = '1772366700.250'
const path = '/hooks/cash'

export function webhookContent({ base, webhooks }: PageView): Markup {
  const [payOut] = webhooks
  if (payOut === undefined) throw new Error('The document has no webhook.')
  const body = JSON.stringify(payOut.body)
  const hash = sign({ key, messageDate: date, method: 'POST', path, body }, secret)
  const id = payOut.headers.find(({ name }) => name === 'Webhook-Id')?.example ?? ''
  const timestamp = date.replace(/\..*/, '')
  const signature = standardSignature({ id, timestamp, body }, standardSecret)
  const own = { 'Merchant-Key': key, 'Message-Date': date, 'Message-Hash': hash }
  const sent = new Map(Object.entries(own))
  const headers = payOut.headers.map(({ name, example }) => `${name}: ${sent.get(name) ?? example}`)
  return html`<p>${spans(payOut.description).map(spanMarkup)}</p>
<h2>As it arrives</h2>
${codeMarkup(
  `POST ${path}?shop=7 HTTP/1.1
Host: shop.example
Content-Type: application/json
Content-Length: ${Buffer.byteLength(body)}
${headers.join('\n')}

${body}`,
  true,
)}
${tableMarkup(
  'Headers',
  ['header', 'what it is'],
  payOut.headers.map(({ name, description }) => [html`<code>${name}</code>`, description]),
)}
<h2 id="verify">Verifying it</h2>
<p>It is signed <a href="${base}/docs/signature">like a request</a> of yours: with your key, the path of notify_url without its query, and the raw body. Here the secret is <code>${secret}</code>.</p>
<h3>The signed string</h3>
${codeMarkup(`${key}:${date}:POST:${path}:${body}`, true)}
<h3>Its hash, to be compared with Message-Hash in constant time</h3>
${codeMarkup(hash, true)}
<ol>
<li>Read the raw body, and no more than you expect; parsing and serializing it changes its bytes.</li>
<li>Refuse a key that you do not know, a hash that differs, and a Message-Date more than 300 seconds from your clock.</li>
<li>Drop what you have handled: the Webhook-Id stays the same over all attempts. Answer it with 200 all the same.</li>
<li>Answer 200 within 15 seconds, and do the work afterwards.</li>
</ol>
<h2 id="receivers">Receivers</h2>
<p>Each is a whole program for notify_url <code>…/hooks/cash</code>: 200 for what is genuine, 400 for what is not. <code>API_KEY</code> and <code>API_SECRET</code> are those of your key; they listen on <code>PORT</code>. The shell verifies what a receiver has kept.</p>
${tabsMarkup('receiver', 'Language of the receiver', receivers)}
<h2 id="standard">Standard Webhooks</h2>
<p>Where the operator has enabled it for you, each webhook is signed by <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, too, with a secret of its own: <code>${standardSecret}</code> here. The libraries of that standard verify it as it is.</p>
${codeMarkup(`webhook-id: ${id}\nwebhook-timestamp: ${timestamp}\nwebhook-signature: ${signature}`, true)}
<h3>The signed string</h3>
${codeMarkup(`${id}.${timestamp}.${body}`, true)}
<p>The signature is <code>v1,</code> and the HMAC-SHA-256 of that in base64, under the bytes that follow <code>whsec_</code> in base64. While a secret is being replaced there are two, with a blank between them: one that fits is enough.</p>
${webhooks.map(
  ({ summary, fields }) => html`<h2>${summary}</h2>
<dl>${fields.map(
    ({ name, type, description }) => html`<dt><code>${name}</code> <span class="muted">${type}</span></dt>
<dd>${description}</dd>\n`,
  )}</dl>
`,
)}`
}
