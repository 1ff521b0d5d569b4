/** The node itself: rates, audit log, health and settings. */

import { clockAccept, clockShow } from '../../../actors/condition/clock-operations.ts'
import { nodeDrain, nodeShow, nodeUndrain } from '../../../actors/condition/drain-operations.ts'
import { auditList } from '../../../actors/foundation/audit.ts'
import { doctor } from '../../../actors/operations/doctor.ts'
import { rateList } from '../../../actors/rates/operations.ts'
import { sourceName } from '../../../actors/rates/source.ts'
import { verify } from '../../../actors/verification/operations.ts'
import type { Block, Cell, Text } from '../blocks.ts'
import { linkTo, moment } from '../cells.ts'
import { filled, operationAction, operationForm } from '../forms.ts'
import type { Action, Page, PageRequest } from '../page.ts'
import { backupBlocks } from './backups.ts'
import { chainBlocks, verificationNotice } from './chains.ts'
import { eraseConsumerForms } from './erasure.ts'
import { inWords } from './evidence.ts'
import { ratePath } from './rate.ts'
import { rescanForms } from './rescan.ts'
import { unannouncedRestoreForms } from './unannounced-restore.ts'

export const ratesPage: Page = {
  path: /^\/rates$/,
  least: 'viewer',
  room: 'Rates',
  async render({ ask, now }) {
    const { rates } = await ask(rateList, {})
    return {
      title: 'Rates',
      liveSeconds: 10,
      blocks: [
        {
          kind: 'text',
          text: 'Exchange rates by chain and pair. They are set with ventanilla apply.',
        },
        {
          kind: 'table',
          label: 'Rates',
          empty: 'None yet: foreign-currency orders are refused.',
          columns: [
            { label: 'Chain' },
            { label: 'From' },
            { label: 'To' },
            { label: 'Rate', isRight: true },
            { label: 'Fee' },
            { label: 'Source' },
            { label: 'Age' },
          ],
          rows: rates.map((rate) => {
            const ageSeconds = Math.max(0, Math.round((now - Date.parse(rate.updated)) / 1000))
            return [
              { text: rate.blockchain.toLowerCase(), href: ratePath(rate) },
              rate.send,
              `${rate.target} (${rate.country})`,
              rate.rate,
              `${rate.feeFixed} ${rate.send} + ${rate.feeBps / 100} %`,
              rate.source === null ? 'fixed' : { text: 'live', note: rate.source.map(sourceName).join(', ') },
              {
                text: readableAge(ageSeconds),
                ...(rate.acceptable ? {} : { tone: 'bad' as const, note: rate.problem ?? 'not used' }),
              },
            ]
          }),
        },
      ],
    }
  },
}

function readableAge(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} days`
}

export const auditPage: Page = {
  path: /^\/audit$/,
  least: 'operator',
  room: 'Audit',
  async render({ ask, query }) {
    const chosen = {
      operator: query.get('operator')?.trim() ?? '',
      operation: query.get('operation')?.trim() ?? '',
    }
    const cursor = query.get('cursor') ?? ''
    const { entries, next } = await ask(auditList, { ...filled({ ...chosen, cursor }), limit: 50 })
    return {
      title: 'Audit log',
      ...(cursor === '' ? { liveSeconds: 10 } : {}),
      blocks: [
        {
          kind: 'filters',
          action: '/audit',
          button: 'Show',
          fields: [
            {
              name: 'operator',
              label: 'Operator',
              type: 'search',
              isOptional: true,
              value: chosen.operator,
              maxLength: 64,
            },
            {
              name: 'operation',
              label: 'Operation',
              type: 'search',
              isOptional: true,
              value: chosen.operation,
              maxLength: 64,
            },
          ],
        },
        {
          kind: 'table',
          label: 'Audit log',
          empty: 'No changes yet.',
          isList: true,
          columns: [
            { label: 'At' },
            { label: 'Who' },
            { label: 'Operation' },
            { label: 'Outcome' },
            { label: 'Asked with', isCut: true },
          ],
          rows: entries.map((entry) => [
            moment(entry.at),
            entry.operator,
            entry.operation,
            outcomeOf(entry.outcome),
            shortened(inWords(entry.input)),
          ]),
        },
        { kind: 'next', href: next === null ? null : linkTo('/audit', query, { cursor: next }) },
      ],
    }
  },
}

/** `done: key mk_1 added`: the word, and what it says besides. */
function outcomeOf(outcome: string): Text {
  const [word = '', ...rest] = outcome.split(': ')
  const note = rest.join(': ')
  return { text: word, tone: word === 'done' ? 'good' : 'bad', ...(note === '' ? {} : { note }) }
}

function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299)}…` : text
}

export const healthPage: Page = {
  path: /^\/health$/,
  least: 'viewer',
  room: 'Health',
  async render(request) {
    const { ask } = request
    const { ok, checks } = await ask(doctor, {})
    const clock = await ask(clockShow, {})
    const forms = [
      ...(clock.state === 'trusted'
        ? []
        : operationForm(request, clockAccept, {
            title: 'Accept the clock',
            lead: `It shows ${clock.now}. What fell due meanwhile expires at once.`,
            button: 'Accept the clock',
            isDanger: true,
            fields: [],
          })),
      ...(await unannouncedRestoreForms(request)),
      ...(await drainForms(request)),
      ...(await rescanForms(request)),
      ...eraseConsumerForms(request),
      ...operationForm(request, verify, {
        title: 'Verify the database',
        lead: 'Recomputes every balance, journal and anchor while the node serves. A million orders take a few minutes.',
        button: 'Verify now',
        fields: [],
      }),
    ]
    return {
      title: 'Health',
      heading: ok ? 'Status: OK' : 'Status: something needs to be done',
      liveSeconds: 10,
      blocks: [
        {
          kind: 'table',
          label: 'Checks',
          empty: '',
          columns: [{ label: 'What' }, { label: 'Status' }, { label: 'Seen' }, { label: 'What to do' }],
          rows: checks.map((check) => [
            checkLink(check.name),
            check.ok ? { text: 'OK', tone: 'good' } : { text: 'look', tone: 'bad' },
            check.detail,
            check.action,
          ]),
        },
        ...(await verificationNotice(request)),
        ...(await chainBlocks(request)),
        ...(await backupBlocks(request)),
        ...forms,
      ],
    }
  },
}

const roomsOfChecks: Readonly<Record<string, string>> = {
  webhooks: '/webhooks?state=dead',
  exceptions: '/exceptions',
  quarantined: '/quarantined',
  settlement: '/settlement',
  rates: '/rates',
  keys: '/parties',
  locks: '/#alarms',
}

/** Where what a check is about is shown. */
function checkLink(name: string): Cell {
  const href = roomsOfChecks[name]
  return href === undefined ? name : { text: name, href }
}

/** The button for maintenance, or the one that ends it. */
async function drainForms(request: PageRequest): Promise<Block[]> {
  if (!request.may(nodeDrain)) return []
  const { state } = await request.ask(nodeShow, {})
  if (state === 'drained') {
    return operationForm(request, nodeUndrain, {
      title: 'End the drain',
      lead: 'The node is drained: it takes no new orders, quotes or starts. What was begun can be finished.',
      button: 'End the drain',
      fields: [],
    })
  }
  return operationForm(request, nodeDrain, {
    title: 'Drain for maintenance',
    lead:
      'No node over this database takes new orders, quotes or starts until you end the drain here; a restart does ' +
      'not end it. Confirmations, releases, webhooks and chain reading continue.',
    button: 'Drain',
    isDanger: true,
    fields: ['reason'],
  })
}

export const settingsPage: Page = {
  path: /^\/settings$/,
  least: 'administrator',
  room: 'Settings',
  async render({ settings }) {
    return {
      title: 'Settings in force',
      blocks: [
        {
          kind: 'text',
          text: 'As read when the node started. Those that differ from their defaults come first.',
        },
        {
          kind: 'table',
          label: 'Settings',
          empty: '',
          columns: [{ label: 'Setting' }, { label: 'Value' }, { label: 'Meaning' }],
          rows: settings
            .toSorted((a, b) => Number(a.isDefault) - Number(b.isDefault))
            .map(({ path, value, isDefault, meaning }) => [
              { text: path, isCode: true, isWhole: true },
              {
                ...(value === 'null' ? { text: 'not set' } : { text: value, isCode: true }),
                ...(isDefault ? { note: 'default' } : { isStrong: true }),
              },
              meaning,
            ]),
        },
      ],
    }
  },
}

export const nodeActions: readonly Action[] = [
  operationAction(verify, ({ ok, checks }) => ({
    kind: 'show',
    view: {
      title: ok ? 'Consistent' : 'Inconsistent',
      crumb: { href: '/health', text: 'Health' },
      blocks: [
        {
          kind: 'table',
          label: 'Checks',
          empty: '',
          columns: [{ label: 'What' }, { label: 'Holds' }, { label: 'Seen' }],
          rows: checks.map((check) => [
            check.name,
            check.ok ? { text: 'yes', tone: 'good' } : { text: 'no', tone: 'bad' },
            check.detail,
          ]),
        },
      ],
    },
  })),
]
