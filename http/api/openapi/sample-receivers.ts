/** Receivers of webhooks as programs to copy; `test/http/api/openapi/samples.test.ts` runs each of them. */

const typescript = `import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook, WebhookRefused } from '@ventanilla/client'

const { API_KEY = '', API_SECRET = '', PORT = '8083' } = process.env
const handled = new Set<string>() // In a database, in your program.

createServer(async (request, response) => {
  try {
    if (Number(request.headers['content-length'] ?? 0) > 65_536) throw new WebhookRefused('It is too long.')
    const path = (request.url ?? '').split('?')[0] ?? ''
    const received = { path, headers: request.headers, body: await buffer(request) }
    const webhook = await verifyWebhook(received, { secrets: { [API_KEY]: API_SECRET } })
    if (!handled.has(webhook.id)) console.log(webhook.order.merchant_order_id ?? '', webhook.order.status ?? 'ping')
    handled.add(webhook.id)
    response.writeHead(200).end()
  } catch (error) {
    console.error(String(error))
    response.writeHead(error instanceof WebhookRefused ? 400 : 500).end()
  }
}).listen(Number(PORT), '127.0.0.1')`

const python = `import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ventanilla import WebhookRefused, verify_webhook

SECRETS = {os.environ["API_KEY"]: os.environ["API_SECRET"]}
handled = set()  # In a database, in your program.


class Receiver(BaseHTTPRequestHandler):
    timeout = 15

    def do_POST(self):
        try:
            length = self.headers.get("Content-Length", "")
            if not length.isascii() or not length.isdigit() or int(length) > 65_536:
                raise WebhookRefused("Its length is missing, or too much.")
            body = self.rfile.read(int(length))
            webhook = verify_webhook(self.path, self.headers, body, SECRETS)
            if webhook.id not in handled:
                print(webhook.order.get("merchant_order_id", ""), webhook.order.get("status", "ping"), flush=True)
            handled.add(webhook.id)
            self.send_response(200)
        except WebhookRefused as error:
            print(error, flush=True)
            self.send_response(400)
        self.send_header("Content-Length", "0")
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8083"))), Receiver).serve_forever()`

const php = `<?php
// php -S 127.0.0.1:8083 receiver.php
require 'vendor/autoload.php';

use Ventanilla\\Errors\\WebhookRefused;
use Ventanilla\\Webhooks;

$secrets = [getenv('API_KEY') => getenv('API_SECRET')];
try {
    $body = file_get_contents('php://input', length: 65_537);
    if (strlen($body) > 65_536) {
        throw new WebhookRefused('It is too long.');
    }
    $webhook = Webhooks::verify($_SERVER['REQUEST_URI'], getallheaders(), $body, $secrets);
    // Unless a table of yours has $webhook->id already:
    error_log(($webhook->order['merchant_order_id'] ?? '') . ' ' . ($webhook->order['status'] ?? 'ping'));
    http_response_code(200);
} catch (WebhookRefused $error) {
    error_log($error->getMessage());
    http_response_code(400);
}`

const shell = `# sh verify.sh PATH KEY DATE HASH < body
LC_ALL=C
case $3 in *[!0-9.]* | *.*.*) echo refused; exit 1 ;; esac
age=$(($(date +%s) - \${3%.*}))
expected=$({ printf '%s:%s:POST:%s:' "$2" "$3" "$1"; cat; } |
  openssl dgst -sha256 -hmac "$API_SECRET" | sed 's/.* //')
if [ "$2" = "$API_KEY" ] && [ "\${age#-}" -le 300 ] && [ "$expected" = "$4" ]; then
  echo genuine
else
  echo refused
  exit 1
fi`

export const receivers = [
  { title: 'TypeScript', text: typescript },
  { title: 'Python', text: python },
  { title: 'PHP', text: php },
  { title: 'Shell', text: shell },
] as const
