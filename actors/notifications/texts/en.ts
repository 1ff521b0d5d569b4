/** English. */
import type { Texts } from './texts.ts'

const exceptionKinds: Texts['exceptionKinds'] = {
  expired_while_locked: 'order expired while a provider held it',
  cancelled_while_locked: 'order cancelled while a provider held it',
  confirmed_after_return: 'order confirmed after its money was returned',
  refund_due: 'refund due to an end user',
  chain_outage: 'order expired while its chain could not be read',
  webhook_dead: 'webhook not delivered',
  webhook_unsigned: 'webhooks wait for a key',
  deposit_unmatched: 'chain deposit that fits no order',
  deposit_clawed_back: 'chain deposit taken back by its issuer',
  treasury_outflow: 'unexplained transfer out of the treasury',
  treasury_differs: 'treasury differs from its books',
  refund_unseen: 'refund not seen on its chain',
  chain_place_lost: 'place of reading on a chain lost',
  bank_unidentified: 'unidentified line of a bank statement',
  payment_lost: 'payment unknown since a restore',
  claim_lost: 'claim unknown since a restore',
  report_difference: 'difference from a network’s report',
  transaction_blocked: 'transaction cannot be built',
  order_stuck: 'order cannot be processed',
}

const alarmKinds: Texts['alarmKinds'] = {
  often_released: 'an order is started and released again and again',
  long_held: 'a provider has held an order for long',
  many_held: 'a provider holds very many orders',
  quarantined_past_expiry: 'quarantined orders are past their expiry',
  rate_in_doubt: 'a rate is in doubt',
  chain_stalled: 'a chain is not being read',
  order_stuck: 'an order cannot be processed',
  treasury_differs: 'a treasury differs from its books',
  chain_place_lost: 'the place of reading on a chain was lost',
  exposure_high: 'a provider owes nearly what it may',
  claim_overdue: 'a claim was not decided by its day',
}

export const en: Texts = {
  exceptionKinds,
  alarmKinds,
  events: {
    'exception.opened': {
      title: ({ kind }) => `Exception: ${exceptionKinds[kind]}`,
      detail: ({ order, amount, asset, chain }) => [
        ...(amount === null ? [] : [`Amount: ${amount} ${asset ?? ''}`.trim()]),
        ...(chain === null ? [] : [`Chain: ${chain}`]),
        ...(order === null ? [] : [`Order: ${order}`]),
      ],
      action: ({ exception }) => [`See: ventanilla exception show ${exception}`],
      over: ({ kind }) => `Resolved: no exception of this kind is open any more (${exceptionKinds[kind]})`,
    },
    'webhook.dead': {
      title: ({ merchant }) => `A webhook to ${merchant} was not delivered`,
      detail: ({ order }) => [...(order === null ? [] : [`Order: ${order}`])],
      action: ({ exception }) => [`See: ventanilla exception show ${exception}`],
      over: () => 'Resolved: no dead letter is open any more',
    },
    alarm: {
      title: ({ kind }) => `Alarm: ${alarmKinds[kind]}`,
      detail: ({ about, count }) => [
        ...(about === null ? [] : [`About: ${about}`]),
        ...(count === null ? [] : [`Count: ${count}`]),
      ],
      action: () => ['See: ventanilla alarm list'],
      over: ({ kind }) => `Over: ${alarmKinds[kind]}`,
    },
    'node.degraded': {
      title: ({ part }) => `The node is degraded: ${part}`,
      detail: () => [],
      action: () => ['See: ventanilla doctor'],
      over: ({ part }) => `Over: the node is no longer degraded by ${part}`,
    },
    'clock.doubt': {
      title: () => 'The clock is in doubt: nothing expires until it is accepted',
      detail: () => [],
      action: () => ['See: ventanilla clock show'],
      over: () => 'Over: the clock is trusted again',
    },
    'chain.doubt': {
      title: ({ chain }) => `Chain in doubt: ${chain}`,
      detail: () => ['Deposits on it may be credited late.'],
      action: () => ['See: ventanilla chain lag'],
      over: ({ chain }) => `Over: ${chain} is read again`,
    },
    'rate.doubt': {
      title: ({ rate }) => (rate === null ? 'Rates cannot be used' : `Rate in doubt: ${rate}`),
      detail: () => ['Quotes that need it are refused meanwhile.'],
      action: () => ['See: ventanilla rate list'],
      over: ({ rate }) =>
        rate === null ? 'Over: rates can be used again' : `Over: the rate ${rate} can be used again`,
    },
    'backup.missed': {
      title: () => 'A backup was missed',
      detail: ({ newest }) => [newest === null ? 'There is none yet.' : `The newest is of ${newest}.`],
      action: () => ['See the log and the disk, then: ventanilla backup'],
      over: () => 'Over: backups are being made again',
    },
    'disk.low': {
      title: () => 'The disk is nearly full, or cannot be written',
      detail: ({ freeMebibytes }) => [
        ...(freeMebibytes === null ? [] : [`Free: ${freeMebibytes} MiB`]),
        'New orders are refused on a full disk: make room.',
      ],
      action: () => [],
      over: () => 'Over: the disk has room again',
    },
    'exposure.high': {
      title: ({ provider }) => `${provider} owes nearly what it may`,
      detail: ({ used, limit, currency, warnAtPercent }) => [
        `Used: ${used} of ${limit} ${currency}; the warning is from ${warnAtPercent} % on.`,
        'At the limit its pay-ins are refused: collect what it owes, or raise its limit.',
      ],
      action: () => [],
      over: ({ provider, currency }) => `Over: ${provider} is below its warning in ${currency} again`,
    },
    'balance.low': {
      title: ({ merchant, currency }) => `Low balance of ${merchant} in ${currency}`,
      detail: ({ balance, below, currency }) => [
        `Available: ${balance} ${currency}, below ${below} ${currency}.`,
        'Pay-outs beyond it wait until a deposit arrives.',
      ],
      action: () => [],
      over: ({ merchant, currency }) => `Over: the balance of ${merchant} in ${currency} suffices again`,
    },
    'statement.closed': {
      title: ({ number, party, currency }) => `Statement ${number} of ${party} in ${currency}`,
      detail: ({ from, to, closing, due, dueOn, currency }) => [
        `From ${from} to ${to}`,
        `Closing balance: ${closing} ${currency}`,
        `Due: ${due} ${currency}${dueOn === null ? '' : ` on ${dueOn}`}`,
        'Above zero the operator owes it; below zero the party does.',
      ],
      action: () => [],
    },
    'sign_in.new': {
      title: ({ operator }) => `New sign-in to the console: ${operator}`,
      detail: ({ address }) => [`From: ${address}`],
      action: () => ['If it was somebody else, disable the account: ventanilla operator disable NAME'],
    },
    'key.added': {
      title: ({ party }) => `New key for ${party}`,
      detail: ({ key }) => [`Key: ${key}`],
      action: () => ['The earlier ones stay valid until they are revoked: ventanilla key revoke KEY'],
    },
    'account.changed': {
      title: ({ party, currency, from }) =>
        from === null
          ? `The account that ${party} is paid to in ${currency} stays as it is`
          : `${party} will be paid to another account in ${currency}`,
      detail: ({ from }) => [
        from === null ? 'The change was taken back.' : `Payments ordered from ${from} on go there.`,
      ],
      action: ({ from }) =>
        from === null
          ? []
          : ['If nobody asked for it, tell the operator before then: the former account, set again, stays.'],
    },
    'approval.asked': {
      title: ({ approval, operation }) => `Approval ${approval} waits for a second person: ${operation}`,
      detail: ({ moves, askedBy }) => [
        ...(moves.length === 0 ? [] : [`It moves: ${moves.join(', ')}`]),
        askedBy === null ? 'Asked for by nobody who is signed in.' : `Asked for by: ${askedBy}`,
      ],
      action: ({ approval }) => [
        `Somebody else approves or refuses it in the console: /approvals/${approval}`,
      ],
      over: () => 'Over: nothing waits for a second person any more',
    },
  },
  digest: {
    subject: (lines) => (lines === 1 ? 'Digest: 1 topic' : `Digest: ${lines} topics`),
    intro: 'What happened since the last digest:',
    more: 'There is more: ventanilla notification list, alarm list and exception list show all of it.',
  },
  test: {
    subject: 'Test notification',
    detail: 'This channel works. Nothing has happened.',
  },
  invitation: {
    subject: 'Your invitation to the operator console',
    roles: { viewer: 'viewer', operator: 'operator', administrator: 'administrator' },
    lead: (name, role, invitedBy) =>
      `${invitedBy} has invited you to the operator console. Your name there is ${name}, and your role ${role}.`,
    open: 'Open this address and choose a password:',
    until: (time) => `It makes one account, once, and works until ${time}.`,
    unexpected: 'If you did not expect this, do nothing: no account is made without you.',
    hidden: '(The address is in the mail alone.)',
  },
  repeated: (count) =>
    count === 1 ? 'It happened once more meanwhile.' : `It happened ${count} more times meanwhile.`,
  times: (count) => (count === 1 ? 'once' : `${count} times`),
  at: (time) => `At ${time}`,
  since: (time) => `Since ${time}`,
  between: (first, last) => `From ${first} to ${last}`,
  footer: (channel) =>
    `Sent by Ventanilla to the channel ${channel}. Repetitions are counted and told in the digest.`,
  partyFooter: 'An automatic message from your operator by Ventanilla.',
  sandbox: 'Sandbox: no real money is involved.',
}
