import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { welcomeText } from '../../cli/welcome.ts'

const places = {
  mode: 'sandbox',
  publicUrl: 'http://127.0.0.1:8080',
  checkoutUrl: 'http://127.0.0.1:8080/checkout',
  operatorUrl: 'http://127.0.0.1:8081',
}
const context = { config: undefined, env: {}, now: Date.UTC(2026, 2, 1, 12) }

test('a node without demo parties tells where it is, and no more', () => {
  assert.is(
    welcomeText({ ...places, ...context, mode: 'production', demo: null }),
    `Ventanilla is running (production).
  API                http://127.0.0.1:8080/api/v1
  its documentation  http://127.0.0.1:8080/api/v1/docs
  checkout           http://127.0.0.1:8080/checkout
  console            http://127.0.0.1:8081
`,
  )
})

test('secrets are told once, and the receiver where it listens', () => {
  const demo = {
    made: [{ name: 'Demo Shop', key: 'mk_demo', secret: 'treasure' }],
    receiverUrl: 'http://127.0.0.1:8082',
  }
  const text = welcomeText({ ...places, ...context, demo })
  assert.match(text, /\n {2}demo webhook receiver +http:\/\/127\.0\.0\.1:8082\n/)
  assert.match(text, /\n {2}PARTY +KEY +SECRET\n {2}Demo Shop +mk_demo +treasure\n/)
  assert.match(text, /\ncurl -s http:\/\/127\.0\.0\.1:8082\/\n/)
  assert.match(text, /"expiry": "2026-03-02T12:00:00Z"/)
  const again = welcomeText({ ...places, ...context, demo: { ...demo, made: [] } })
  assert.not.match(again, /SECRET/)
})

test('the commands name the settings the node was started with, as a shell reads them', () => {
  const env = { VENTANILLA_DATABASE: "sqlite:ana's data/x.db", VENTANILLA_HTTP_PORT: '9000' }
  const demo = { made: [], receiverUrl: 'http://127.0.0.1:8082' }
  const text = welcomeText({ ...places, ...context, env, config: 'my settings.json', demo })
  assert.match(text, /\nexport VENTANILLA_DATABASE='sqlite:ana'\\''s data\/x\.db'\n/)
  assert.not.match(text, /export VENTANILLA_HTTP_PORT/)
  assert.match(text, /webhook list --config 'my settings\.json'\n/)
})

test.run()
