/**
 * Every setting, once: its type, its default, what it means and what is allowed. The types, the checks, the
 * environment variables and the table of `docs/settings.md` all come from here.
 */
import { chains } from './chains.ts'
import {
  always,
  choice,
  decimal,
  flag,
  Leaf,
  list,
  modes,
  optionalDecimal,
  optionalText,
  optionalWhole,
  type Section,
  text,
  type ValueOf,
  whole,
} from './leaf.ts'

const perMinute = (value: number, meaning: string): Leaf<number> => whole(1, 10_000_000, value, meaning)

const host = (meaning: string): Leaf<string> =>
  text({ format: 'host' }, '127.0.0.1', { meaning, allowed: 'a host name or an IP address' })

/** The time that a service manager gives a node to stop has room for it. */
export const longestStopDelaySeconds = 30

export const settingsTable = {
  mode: choice(
    modes,
    'sandbox',
    'Sandbox works with test networks, retries webhooks three times and makes its own key. ' +
      'Production refuses what is only fit for trying out.',
  ),
  http: {
    host: host('Where the public listener (API, checkout, health) listens.'),
    port: whole(0, 65_535, 8080, 'Its port; 0 takes a free one.'),
    threads: whole(
      0,
      1,
      1,
      'With 1 the public listener has a thread of its own, so that a node uses two cores, and so has the sending of ' +
        'webhooks; with 0 they share the thread of the store, which takes some 35 MB less memory. On PostgreSQL they ' +
        'always share it: there more nodes use more cores.',
    ),
    publicUrl: optionalText({ format: 'origin' }, null, {
      meaning: 'The public URL of the listener: what comes before `/api/v1`. By default host and port.',
      allowed: 'an http or https origin without a path, such as https://pay.example',
    }),
    checkoutUrl: optionalText({ format: 'base-url' }, null, {
      meaning:
        'The base of `redirect_url`; the page is served at its path. By default `<publicUrl>/checkout`.',
      allowed: 'an http or https URL without a query',
    }),
    trustedProxies: list<string>({ type: 'string', format: 'network' }, [], {
      meaning:
        'Proxies whose `X-Forwarded-For` is believed. One that is not named is taken for one client, with the ' +
        'limits of one: refused signatures, and 500 connections at once.',
      allowed: 'a list of IP addresses or networks such as 10.0.0.0/8',
    }),
    frameAncestors: list<string>({ type: 'string', format: 'frame-ancestor' }, ['*'], {
      meaning: 'Who may show the checkout page in a frame (`frame-ancestors`). An empty list: nobody.',
      allowed: "a list of *, 'self' or origins such as https://shop.example",
    }),
    stopDelaySeconds: optionalDecimal(
      0,
      longestStopDelaySeconds,
      null,
      'How long a node that was told to stop still accepts connections, while `/readyz` answers 503 and every answer ' +
        'closes its connection: as long as a load balancer takes to notice. By default 2 behind a proxy (one is ' +
        'named in `http.trustedProxies`, or `http.host` is no loopback address), otherwise 0.',
    ),
  },
  operator: {
    host: host('Where the operator listener (console, operator API, metrics) listens.'),
    port: whole(0, 65_535, 8081, 'Its port; 0 takes a free one.'),
    publicUrl: optionalText({ format: 'origin' }, null, {
      meaning:
        'The URL that operators type to reach the console, behind a proxy or not. Links to it begin with it, and passkeys ' +
        'belong to its host: with another one they have to be added anew. By default `http://localhost` and the port.',
      allowed: 'an http or https origin without a path, such as https://console.example',
    }),
    idleMinutes: whole(
      2,
      1440,
      30,
      'How long a session of the console lives after its last request. The page warns two minutes before.',
    ),
    sessionHours: whole(1, 168, 12, 'How long a session of the console lives in any case.'),
    inspector: new Leaf<boolean>(
      'flag',
      { type: 'boolean' },
      { sandbox: true, production: false },
      {
        meaning:
          'Show the charts and the orders in them at `/inspect/`; in production to administrators alone.',
        allowed: 'true or false',
      },
    ),
  },
  database: new Leaf<string>(
    'text',
    { type: 'string', format: 'database-url' },
    always('sqlite:data/ventanilla.db'),
    {
      meaning:
        'The database URL. In a user name or a password `@`, `/`, `?` and `#` are written `%40`, `%2F`, `%3F` and `%23`.',
      allowed: 'sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME',
    },
    true,
  ),
  keys: {
    file: optionalText(
      { format: 'key-path' },
      null,
      {
        meaning:
          'The master key: a file of 32 random bytes as one line of base64. ' +
          'A sandbox creates it if missing, by default beside the database as `<database file>.key`. ' +
          'In production it must be set, exist, and lie outside the folder of the database.',
        allowed: 'a path (never the key itself)',
      },
      true,
    ),
  },
  signature: {
    toleranceSeconds: whole(
      1,
      86_400,
      300,
      'How far a Message-Date may be from the clock, in either direction.',
    ),
  },
  orders: {
    confirmGraceSeconds: whole(
      0,
      604_800,
      600,
      'How long a locked order waits for its confirmation after its expiry.',
    ),
    fundingWindowSeconds: whole(
      1,
      604_800,
      1800,
      'How long after creation a foreign order may be funded, by the time of its chain.',
    ),
  },
  quotes: {
    validitySeconds: whole(1, 86_400, 300, 'How long a quote can be used.'),
  },
  approvals: {
    expireHours: whole(
      1,
      720,
      72,
      'How long what somebody has asked a second person for can be approved and carried out. Above which amounts one is ' +
        'needed is no setting but a threshold: `ventanilla approval set-threshold`.',
    ),
  },
  claims: {
    bankingDays: whole(
      1,
      60,
      10,
      'So many banking days whoever is claimed against has to answer a claim, and an operator to decide it; after ' +
        'them it is an alarm.',
    ),
  },
  webhooks: {
    allowPrivate: flag(
      false,
      'Also deliver to http, private addresses and any port. Production refuses to start with it.',
    ),
    timeoutSeconds: decimal(0.1, 120, 15, 'How long one delivery may take.'),
    ports: list<number>(
      { type: 'integer', minimum: 1, maximum: 65_535 },
      [443],
      { meaning: 'Ports a `notify_url` may name.', allowed: 'a list of whole numbers from 1 to 65535' },
      { minItems: 1 },
    ),
    retentionDays: whole(
      1,
      36_500,
      90,
      'How long the bodies and attempts of delivered webhooks are kept. What was not delivered is kept.',
    ),
  },
  mail: {
    host: optionalText({ format: 'host' }, null, {
      meaning: 'The SMTP server that notifications are handed to. Without it no mail is sent.',
      allowed: 'a host name or an IP address',
    }),
    port: whole(1, 65_535, 587, 'Its port: 587 with `starttls`, 465 with `tls`.'),
    security: choice(
      ['starttls', 'tls', 'none'],
      'starttls',
      'How the connection is encrypted: `starttls` demands it right after the greeting, `tls` from the first byte on. The ' +
        'certificate has to be for the name of the server. `none` is for a server on this very host.',
    ),
    from: optionalText({ format: 'address' }, null, {
      meaning: 'The sender of mails. It must be set where `mail.host` is.',
      allowed: 'an e-mail address such as ventanilla@pay.example',
    }),
    user: optionalText({ format: 'line' }, null, {
      meaning: 'The account at the server. Without it nobody signs in there.',
      allowed: 'a user name',
    }),
    password: optionalText(
      { format: 'line' },
      null,
      { meaning: 'Its password; better in a file (`mail.passwordFile`).', allowed: 'a password' },
      true,
    ),
    passwordFile: optionalText({ format: 'path' }, null, {
      meaning: 'A file with the password as one line, read at each mail.',
      allowed: 'a path',
    }),
    authorityFile: optionalText({ format: 'path' }, null, {
      meaning: "Certificates, as PEM, that the server's is checked against in place of the usual ones.",
      allowed: 'a path',
    }),
    timeoutSeconds: decimal(0.1, 120, 20, 'How long one mail may take.'),
  },
  limits: {
    requestsPerMinute: perMinute(1200, 'Requests a minute for each key; a party may have its own.'),
    unauthenticatedPerMinute: perMinute(
      600,
      'Refused signatures a minute from one address, beyond which it is answered 429. Also its unsigned requests a minute, beyond which they are served one after another, a hundred a second.',
    ),
    codeMissesPerMinute: perMinute(30, 'Unknown codes a minute that one provider may ask for.'),
    codeMissesPerDay: perMinute(
      1000,
      'Unknown codes a day that one provider may ask for; more if it has many hits.',
    ),
  },
  backups: {
    folder: optionalText({ format: 'path' }, null, {
      meaning: 'Where scheduled backups are written, preferably on another disk. Without it there are none.',
      allowed: 'a path',
    }),
    schedule: text({ format: 'schedule' }, '23 5 * * *', {
      meaning:
        'When they are made, by the time of the host: minute, hour, day, month, day of the week, as for cron. A backup due in an hour that the clock skips is made right after it.',
      allowed: 'five fields as for cron, such as 23 5 * * *',
    }),
    encryptTo: list<string>({ type: 'string', pattern: '^age1[0-9a-z]+$', maxLength: 4096 }, [], {
      meaning:
        'To whom backups are encrypted, in the format of age: public keys as `age-keygen` prints them. ' +
        '`restore --identity FILE`, or `age --decrypt`, opens them.',
      allowed: 'a list of age recipients (age1…)',
    }),
    keepDays: whole(1, 3_650, 30, 'How long a scheduled backup is kept; the three newest are always kept.'),
  },
  retention: {
    ordersDays: optionalWhole(
      30,
      36_500,
      null,
      'How long an order is kept after its last change, once nobody has anything to do with it any more; then it is ' +
        'written to the archive and removed from the database. Without it orders are kept for ever.',
    ),
    archiveFolder: optionalText({ format: 'path' }, null, {
      meaning:
        'Where the archive is written. By default `<database file>.archive`, with PostgreSQL `<master key file>.archive`.',
      allowed: 'a path',
    }),
  },
  chains,
  log: {
    level: choice(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'info',
      'The lowest severity written to the log (standard error).',
    ),
  },
} satisfies Section

export type SettingsDocument = ValueOf<typeof settingsTable>
