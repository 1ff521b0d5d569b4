import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  interfaceAddresses,
  judgeAddress,
  judgeNotifyUrl,
  type TargetRules,
} from '../../../actors/outbound/target.ts'

const rules: TargetRules = {
  allowPrivate: false,
  ports: [443],
  exemptOrigins: [],
  ownAddresses: () => ['127.0.0.1', '8.8.4.4', '2600:1f18::17', '::1'],
}

const permitted = [
  'https://shop.example/hooks',
  'https://shop.example:443/hooks?order=1#part',
  'HTTPS://Shop.Example/',
  'https://shop.example./',
  'https://tienda-ñandú.example/avisos/ñ',
  'https://under_score.example/',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://localhost.example/',
  'https://notlocalhost/',
  ' https://shop.example/ ',
]

for (const url of permitted) test(`"${url}" is permitted`, () => assert.is(judgeNotifyUrl(url, rules), null))

const refused: [problem: RegExp, urls: string[]][] = [
  [
    /^Enter a valid URL\.$/,
    [
      '',
      'shop.example',
      '//shop.example/',
      'ftp://shop.example/',
      'javascript:alert(1)',
      'https:shop.example',
      'https:/shop.example',
      'https:///shop.example',
      'https://',
      'https://?x',
      'https://shop.example:99999/',
      'https://shop.example\\@evil.example/',
      'https://shop.example/a b',
      'https://shop.example/a\tb',
      'https://sho\np.example/',
      'https://shop.example/\u0000',
      'https://a..example/',
      'https://.example/',
      `https://${'a'.repeat(64)}.example/`,
      `https://${'a.'.repeat(127)}example/`,
      'https://256.1.1.1/',
      'https://1.2.3.4.5/',
      'https://[fe80::1%25eth0]/',
      'https://[::1/',
      'https://a%00b.example/',
    ],
  ],
  [
    /user name/,
    ['https://user@shop.example/', 'https://user:pass@shop.example/', 'https://:p@shop.example/'],
  ],
  [/must use https/, ['http://shop.example/', 'http://127.0.0.1:8082/']],
  [/port 443\.$/, ['https://shop.example:8443/', 'https://shop.example:80/', 'https://shop.example:0/']],
  [
    /local host/,
    [
      'https://localhost/',
      'https://LOCALHOST./',
      'https://api.localhost/',
      'https://localhost.localdomain/',
      'https://ip6-loopback/',
      'https://ｌｏｃａｌｈｏｓｔ/',
    ],
  ],
  [
    /loopback/,
    [
      'https://127.0.0.1/',
      'https://127.255.0.9/',
      'https://0x7f.1/',
      'https://2130706433/',
      'https://0177.0.0.1/',
      'https://127.1/',
      'https://127.1./',
      'https://0x7f000001/',
      'https://017700000001/',
      'https://１２７.０.０.１/',
      'https://①②⑦.0.0.1/',
      'https://127。0。0。1/',
      'https://%31%32%37.0.0.1/',
      'https://[::1]/',
      'https://[0:0:0:0:0:0:0:1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:7f00:1]/',
      'https://[::127.0.0.1]/',
      'https://[::ffff:0:127.0.0.1]/',
      'https://[64:ff9b::127.0.0.1]/',
      'https://[2002:7f00:1::]/',
      'https://[2001:0:808:808:0:0:80ff:fffe]/',
    ],
  ],
  [/link-local/, ['https://169.254.169.254/', 'https://[fe80::1]/', 'https://[64:ff9b::a9fe:a9fe]/']],
  [/the node's own/, ['https://8.8.4.4/', 'https://[2600:1f18:0::17]/', 'https://[64:ff9b::8.8.4.4]/']],
]

for (const [problem, urls] of refused)
  for (const url of urls)
    test(`"${url}" is refused`, () => assert.match(judgeNotifyUrl(url, rules) ?? 'permitted', problem))

test('the ports of the settings are permitted besides 443', () => {
  const more = { ...rules, ports: [8443] }
  assert.is(judgeNotifyUrl('https://shop.example:8443/', more), null)
  assert.is(judgeNotifyUrl('https://shop.example/', more), null)
  assert.is(judgeNotifyUrl('https://shop.example:8444/', more), 'The URL must use port 443 or 8443.')
})

test('a sandbox that allows private targets permits http, private addresses and any port, no user names', () => {
  const sandbox = { ...rules, allowPrivate: true }
  assert.is(judgeNotifyUrl('http://127.0.0.1:9000/hooks', sandbox), null)
  assert.is(judgeNotifyUrl('http://localhost:9000/hooks', sandbox), null)
  assert.match(judgeNotifyUrl('http://user@127.0.0.1:9000/', sandbox) ?? '', /user name/)
  assert.match(judgeNotifyUrl('ftp://127.0.0.1/', sandbox) ?? '', /valid URL/)
})

test('an exempt origin is permitted exactly, and nothing beside it', () => {
  const demo = { ...rules, exemptOrigins: ['http://127.0.0.1:8082'] }
  assert.is(judgeNotifyUrl('http://127.0.0.1:8082/webhooks', demo), null)
  assert.is(judgeNotifyUrl('http://127.1:8082/webhooks', demo), null)
  for (const other of ['http://127.0.0.1:8081/', 'https://127.0.0.1:8082/', 'http://127.0.0.2:8082/'])
    assert.is.not(judgeNotifyUrl(other, demo), null, other)
})

const ranges: [range: string, addresses: string[]][] = [
  ['unspecified', ['0.0.0.0', '0.1.2.3', '::']],
  [
    'private',
    ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.255.255', '::ffff:10.0.0.1', '2002:a00:1::1'],
  ],
  ['loopback', ['127.0.0.53', '::1', '::127.0.0.1', '64:ff9b::7f00:1']],
  ['link-local', ['169.254.0.1', 'fe80::1', 'febf::1', '2001:0:a9fe:a9fe::1']],
  ['carrier grade NAT', ['100.64.0.1', '100.127.255.255', '::ffff:100.100.100.200']],
  ['unique local', ['fc00::1', 'fd00:ec2::254', 'fdff::1']],
  ['site-local', ['fec0::1']],
  ['multicast', ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1']],
  ['broadcast', ['255.255.255.255', '::ffff:255.255.255.255']],
  ['local NAT64', ['64:ff9b:1::808:808']],
  ['discard', ['100::1']],
  ['benchmarking', ['2001:2::1']],
  ['segmentRouting', ['5f00::1']],
  ['platform', ['168.63.129.16', '::ffff:168.63.129.16']],
  [
    'reserved',
    [
      '192.0.0.192',
      '192.0.2.1',
      '198.18.0.1',
      '198.19.255.255',
      '198.51.100.7',
      '203.0.113.9',
      '192.88.99.1',
      '240.0.0.1',
      '2001:db8::1',
      '2001:1::1',
      '3fff::1',
      '4000::1',
      '64:ff9b:2::1',
      '::1:0:0:0',
      '9000::1',
    ],
  ],
  ["the node's own", ['8.8.4.4', '::ffff:8.8.4.4', '2600:1f18:0:0::17']],
]

for (const [range, addresses] of ranges)
  for (const address of addresses)
    test(`${address} is not public: ${range}`, () =>
      assert.is(judgeAddress(address, rules.ownAddresses()), range))

const publicAddresses = [
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '2002:808:808::1',
]

for (const address of publicAddresses)
  test(`${address} is public`, () => assert.is(judgeAddress(address, rules.ownAddresses()), null))

test('a Teredo address is judged by its server and by its client', () => {
  // Server 8.8.8.8; client 10.0.0.1 with every bit inverted.
  assert.is(judgeAddress('2001:0:808:808:0:0:f5ff:fffe', []), 'private')
  assert.is(judgeAddress('2001:0:808:808:0:0:f7f7:f7f7', []), null)
})

test("this machine's interfaces are among the node's own addresses", () => {
  assert.ok(interfaceAddresses().includes('127.0.0.1'))
})

test('a sandbox names the setting that permits what it refuses, and only where it would', () => {
  const sandbox = { ...rules, isSandbox: true }
  const urls = [
    'http://localhost:3000/hooks',
    'https://localhost/',
    'https://10.0.0.1/',
    'https://shop.example:3000/',
  ]
  for (const url of urls) {
    const problem = judgeNotifyUrl(url, sandbox) ?? ''
    assert.match(
      problem,
      /^The URL must .*\. In this sandbox the setting webhooks\.allowPrivate \(VENTANILLA_/,
    )
    assert.not.match(judgeNotifyUrl(url, rules) ?? '', /sandbox/)
    assert.is(judgeNotifyUrl(url, { ...sandbox, allowPrivate: true }), null)
  }
  for (const url of ['https://user@shop.example/', 'ftp://localhost/', 'nonsense'])
    assert.not.match(judgeNotifyUrl(url, sandbox) ?? '', /sandbox/)
})

test.run()
