/** The node itself: rates, audit log, health and settings. */

import { clockAccept, clockShow } from '../../../actors/condition/clock-operations.ts'
import { nodeDrain, nodeShow, nodeUndrain } from '../../../actors/condition/drain-operations.ts'
import { auditList } from '../../../actors/foundation/audit.ts'
import { readDays } from '../../../actors/foundation/day-span.ts'
import { doctor } from '../../../actors/operations/doctor.ts'
import { rateList } from '../../../actors/rates/operations.ts'
import { sourceName } from '../../../actors/rates/source.ts'
import { verify } from '../../../actors/verification/operations.ts'
import type { Block, Cell, Field, Text } from '../blocks.ts'
import { code, linkTo, moment } from '../cells.ts'
import { filled, operationAction, operationForm } from '../forms.ts'
import type { Action, Page, PageRequest } from '../page.ts'
import { age, named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import { type Said, say, type Words } from '../view.ts'
import { told } from '../wording.ts'
import { momentsOf } from '../zones.ts'
import { backupBlocks } from './backups.ts'
import { chainBlocks, verificationNotice } from './chains.ts'
import { draftColumn, draftLink, openedDraft } from './draft.ts'
import { rateDraft } from './draft-rates.ts'
import { eraseConsumerForms } from './erasure.ts'
import { inWords } from './evidence.ts'
import { ratePath } from './rate.ts'
import { rescanForms } from './rescan.ts'
import { unannouncedRestoreForms } from './unannounced-restore.ts'

export const ratesPage: Page = {
  path: /^\/rates$/,
  least: 'viewer',
  room: 'Rates',
  async render(request) {
    const { ask, now } = request
    const { rates } = await ask(rateList, {})
    return {
      title: (texts) => texts.common.rates,
      liveSeconds: 10,
      blocks: [
        ...openedDraft(request, '/rates', [{ draft: rateDraft, key: 'rate' }]),
        { kind: 'text', text: (texts) => texts.node.exchangeRatesByChainAnd },
        { kind: 'links', items: draftLink(request, '/rates', 'rate', ({ drafts }) => drafts.addARate) },
        {
          kind: 'table',
          label: (texts) => texts.common.rates,
          list: 'rates',
          empty: (texts) => texts.drafts.noRates,
          columns: [
            { label: (texts) => texts.common.chain },
            { label: (texts) => texts.common.comesFrom },
            { label: (texts) => texts.common.goesTo },
            { label: (texts) => texts.common.rate, isRight: true },
            { label: (texts) => texts.common.fee },
            { label: (texts) => texts.common.source },
            { label: (texts) => texts.common.age },
            ...draftColumn(request),
          ],
          rows: rates.map((rate): Cell[] => {
            const ageSeconds = Math.max(0, Math.round((now - Date.parse(rate.updated)) / 1000))
            return [
              { text: rate.blockchain.toLowerCase(), href: ratePath(rate) },
              rate.send,
              `${rate.target} (${rate.country})`,
              rate.rate,
              `${rate.feeFixed} ${rate.send} + ${rate.feeBps / 100} %`,
              rate.source === null
                ? ({ words }) => words.fixed
                : { text: (texts) => texts.common.live, note: rate.source.map(sourceName).join(', ') },
              {
                text: age(ageSeconds),
                ...(rate.acceptable
                  ? {}
                  : {
                      tone: 'bad' as const,
                      note: told(rate.problem) ?? ((texts: Texts) => texts.node.notUsed),
                    }),
              },
              ...draftLink(request, ratePath(rate), 'rate', ({ drafts }) => drafts.change),
            ]
          }),
        },
      ],
    }
  },
}

export const auditPage: Page = {
  path: /^\/audit$/,
  least: 'operator',
  room: 'Audit',
  async render({ ask, query, lines, view }) {
    const of = (name: string) => query.get(name)?.trim() ?? ''
    const chosen = { operator: of('operator'), operation: of('operation') }
    const days = filled({ ...momentsOf({ from: of('from'), to: of('to') }, view.zone) })
    const { problems } = readDays(days)
    const cursor = query.get('cursor') ?? ''
    const isWrong = problems.length > 0
    const { entries, next } = isWrong
      ? { entries: [], next: null }
      : await ask(auditList, { ...filled({ ...chosen, cursor }), ...days, limit: lines ?? 50 })
    const field = (name: string, label: Words, type: Field['type']): Field => {
      const problem = problems.find((one) => one.name === name)
      return {
        name,
        label,
        type,
        isOptional: true,
        value: of(name),
        maxLength: 64,
        ...(problem === undefined ? {} : { problem: told(problem.text) }),
      }
    }
    return {
      title: (texts) => texts.node.auditLog,
      ...(cursor === '' && !isWrong ? { liveSeconds: 10 } : {}),
      blocks: [
        {
          kind: 'filters',
          action: '/audit',
          button: (texts) => texts.common.show,
          fields: [
            field('operator', (texts: Texts) => texts.common.operator, 'search'),
            field('operation', (texts: Texts) => texts.node.operation, 'search'),
            field('from', (texts: Texts) => texts.common.from, 'date'),
            field('to', (texts: Texts) => texts.common.to, 'date'),
          ],
        },
        {
          kind: 'table',
          label: (texts) => texts.node.auditLog,
          list: 'audit',
          empty: (texts) => (query.size === 0 ? texts.node.noChangesYet : texts.node.noMatchingChanges),
          isList: true,
          columns: [
            { label: (texts) => texts.common.at },
            { label: (texts) => texts.common.who, key: 'who' },
            { label: (texts) => texts.node.operation, key: 'operation' },
            { label: (texts) => texts.common.outcome, key: 'outcome', isCut: true },
            { label: (texts) => texts.node.askedWith, key: 'asked-with', isCut: true },
          ],
          rows: entries.map((entry) => [
            moment(entry.at),
            entry.operator,
            code(entry.operation),
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
  return {
    text: named(word),
    tone: word === 'done' ? 'good' : 'bad',
    ...(note === '' ? {} : { note: told(note) }),
  }
}

function shortened(words: Said): Said {
  return (_, view) => {
    const text = say(words, view)
    return text.length > 300 ? `${text.slice(0, 299)}…` : text
  }
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
            title: (texts) => texts.node.acceptTheClock,
            lead: (texts, view) => texts.node.itShowsWhatFellDue(view.time(clock.now)),
            button: (texts) => texts.node.acceptTheClock,
            isDanger: true,
            fields: [],
          })),
      ...(await unannouncedRestoreForms(request)),
      ...(await drainForms(request)),
      ...(await rescanForms(request)),
      ...eraseConsumerForms(request),
      ...operationForm(request, verify, {
        title: (texts) => texts.node.verifyTheDatabase,
        lead: (texts) => texts.node.recomputesEveryBalanceJournalAnd,
        button: (texts) => texts.node.verifyNow,
        fields: [],
      }),
    ]
    return {
      title: (texts) => texts.common.health,
      heading: ok ? (texts) => texts.node.statusOk : (texts) => texts.node.statusSomethingNeedsToBe,
      liveSeconds: 10,
      blocks: [
        { kind: 'links', items: [{ text: (texts) => texts.queue.queue, href: '/queue' }] },
        {
          kind: 'explained',
          items: checks.map((check) => ({
            name: checkLink(check.name),
            value: check.ok
              ? { text: (texts) => texts.common.ok, tone: 'good' }
              : { text: (texts) => texts.common.look, tone: 'bad' },
            lines: [told(check.detail), told(check.action)].filter((line) => line !== null),
          })),
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
  return href === undefined ? named(name) : { text: named(name), href }
}

/** The button for maintenance, or the one that ends it. */
async function drainForms(request: PageRequest): Promise<Block[]> {
  if (!request.may(nodeDrain)) return []
  const { state } = await request.ask(nodeShow, {})
  if (state === 'drained') {
    return operationForm(request, nodeUndrain, {
      title: (texts) => texts.node.endTheDrain,
      lead: (texts) => texts.node.theNodeIsDrainedIt,
      button: (texts) => texts.node.endTheDrain,
      fields: [],
    })
  }
  return operationForm(request, nodeDrain, {
    title: (texts) => texts.node.drainForMaintenance,
    lead: (texts) => texts.node.noNodeOverThisDatabase,
    button: (texts) => texts.node.drain,
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
      title: (texts) => texts.node.settingsInForce,
      blocks: [
        {
          kind: 'text',
          text: (texts) => texts.node.asReadWhenTheNode,
        },
        {
          kind: 'explained',
          items: settings
            .toSorted((a, b) => Number(a.isDefault) - Number(b.isDefault))
            .map(({ path, value, isDefault, meaning }) => ({
              name: { text: path, isCode: true },
              value: {
                ...(value === 'null'
                  ? { text: (texts) => texts.node.notSet }
                  : { text: value, isCode: true }),
                ...(isDefault ? { note: (texts) => texts.node.default } : { isStrong: true }),
              },
              lines: [told(meaning)],
            })),
        },
      ],
    }
  },
}

export const nodeActions: readonly Action[] = [
  operationAction(verify, ({ ok, checks }) => ({
    kind: 'show',
    view: {
      title: ok ? (texts) => texts.node.consistent : (texts) => texts.node.inconsistent,
      crumb: { href: '/health', text: (texts) => texts.common.health },
      blocks: [
        {
          kind: 'table',
          label: (texts) => texts.node.checks,
          empty: '',
          columns: [
            { label: (texts) => texts.common.what },
            { label: (texts) => texts.node.holds },
            { label: (texts) => texts.common.seen },
          ],
          rows: checks.map((check) => [
            check.name,
            check.ok
              ? { text: (texts) => texts.common.yes, tone: 'good' }
              : { text: (texts) => texts.common.no, tone: 'bad' },
            told(check.detail),
          ]),
        },
      ],
    },
  })),
]
