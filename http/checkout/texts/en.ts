import type { Texts } from './texts.ts'

export const en: Texts = {
  language: 'English',
  languages: 'Language',
  titles: { PAY_OUT: 'Cash withdrawal', PAY_IN: 'Cash payment' },
  statuses: {
    PAY_OUT: {
      CREATED: {
        heading: 'We are preparing your withdrawal',
        lead: () =>
          'Your code will appear here as soon as the money is available. Do not go to the counter yet.',
      },
      READY: { heading: 'Ready to withdraw', lead: () => 'Show this code at the counter.' },
      PAYMENT_STARTED: {
        heading: 'The counter is processing your withdrawal',
        lead: () => 'Wait at the counter, and count the money before you leave.',
      },
      COMPLETED: {
        heading: 'Withdrawal completed',
        lead: () => 'The counter confirmed that it handed over the cash. The code can no longer be used.',
      },
      CANCELLED: {
        heading: 'Withdrawal cancelled',
        lead: ({ merchant }) =>
          `Cash can no longer be handed over for this order. If you have questions, contact ${merchant}.`,
      },
      EXPIRED: {
        heading: 'Withdrawal expired',
        lead: ({ merchant }) =>
          `Cash can no longer be handed over for this order. To withdraw, ask ${merchant} for a new one.`,
      },
    },
    PAY_IN: {
      CREATED: {
        heading: 'We are preparing your payment',
        lead: () => 'Your code will appear here as soon as it is ready. Do not go to the counter yet.',
      },
      READY: { heading: 'Ready to pay', lead: () => 'Show this code at the counter and pay in cash.' },
      PAYMENT_STARTED: {
        heading: 'The counter is processing your payment',
        lead: ({ amount }) => `Hand over ${amount} at the counter and wait for the confirmation here.`,
      },
      COMPLETED: {
        heading: 'Payment received',
        lead: ({ merchant }) => `The counter confirmed your payment to ${merchant}. Do not pay again.`,
      },
      CANCELLED: {
        heading: 'Payment cancelled',
        lead: ({ merchant }) =>
          `Do not hand over money: the counter can no longer accept it. If you have questions, contact ${merchant}.`,
      },
      EXPIRED: {
        heading: 'Payment expired',
        lead: ({ merchant }) =>
          `Do not hand over money: the counter can no longer accept it. To pay, ask ${merchant} for a new order.`,
      },
    },
  },
  funding: {
    building: {
      heading: 'We are preparing your transfer',
      lead: ({ missing, network }) =>
        `You will be asked to send ${missing} on ${network}. Do not send anything by hand.`,
    },
    waiting: {
      heading: 'Waiting for your transfer',
      lead: ({ missing, network, merchant }) =>
        `Send ${missing} on ${network} by signing the transaction, here or at ${merchant}. ` +
        'Your code appears here once it has arrived.',
    },
    partial: {
      heading: 'Part of your transfer is missing',
      lead: ({ missing, received, network, merchant }) =>
        `${received} arrived. Send the missing ${missing} on ${network} by signing the transaction, here or at ` +
        `${merchant}.`,
    },
    seen: {
      heading: 'Your transfer is on its way',
      lead: ({ network }) =>
        `${network} has it, and will confirm it soon. Do not send it again; your code appears here by itself.`,
    },
    closed: {
      heading: 'The time for your transfer has run out',
      lead: ({ merchant }) =>
        `Do not send anything now. If you have already sent something, contact ${merchant}.`,
    },
  },
  payment: {
    heading: 'Pay with your wallet',
    to: 'To',
    noScript:
      'To sign here, allow scripts in your browser. You can also pay with a wallet on another device.',
    here: {
      open: 'Open your wallet',
      opens:
        'It shows you the same payment to sign. If nothing opens, copy the address of this page and open it in your wallet’s own browser.',
      visit:
        'Your wallet is an app on this phone: copy the address of this page and open it in the app’s own browser.',
      copy: 'Copy the address of this page',
    },
    elsewhere: {
      summary: 'Pay with a wallet on another device',
      scan: 'Scan this with the wallet that has the address above. It shows you the same payment to sign.',
      visit:
        'Scan this with the phone that has the wallet with the address above, and open the page in that wallet’s browser.',
      qr: 'QR code for a wallet on another device',
      open: 'Open in a wallet on this device',
    },
    said: {
      looking: 'Looking for wallets in this browser…',
      none: 'There is no wallet for {network} in this browser. Install one, or use one on another device.',
      connect: 'Connect {wallet}',
      connecting: 'Approve the connection request in {wallet}.',
      sign: 'Sign and send {amount}',
      connected: '{wallet} is connected. Compare what it shows with the payment above.',
      signing: 'Check what {wallet} shows you, then confirm it there.',
      sent: 'Sent. Your code appears here once {network} has confirmed it. Do not send it again.',
      again: 'Try again',
      other: 'Use another wallet',
      problems: {
        wrong_network: 'Your wallet is on another network. Switch it to {networkName} and try again.',
        other_account:
          'This order has to be paid from {address}. Choose that account in your wallet and try again.',
        refused: 'You rejected it in your wallet. Nothing was sent; you can try again.',
        insufficient:
          'Your wallet does not have enough: it needs {amount}, plus a little for the {network} fee. Top it up and try again.',
        expired:
          'It took too long, and your signature is no longer valid. Nothing was sent; please sign again.',
        paid: 'This order has already been paid. Do not pay again; your code will appear here.',
        closed: 'The time to pay for this order has run out. Do not send anything.',
        building: 'The payment is not ready yet. Try again in a few seconds.',
        unavailable: 'We cannot reach {network} at the moment. Nothing was sent; try again in a minute.',
        failed: 'It did not work: {detail} Nothing is lost; try again, or use another wallet.',
      },
    },
  },
  places: {
    heading: 'Where to go',
    limits: (min, max) => {
      if (min !== null && max !== null) return `${min} to ${max}`
      if (min !== null) return `From ${min}`
      return max === null ? null : `Up to ${max}`
    },
    counterFee: (amount) => `Counter fee: ${amount}`,
    hours: (hours) => `Hours: ${hours}`,
    more: (count) => (count === 1 ? 'and 1 more network' : `and ${count} more networks`),
    bringHeading: 'What to bring',
    bringCode: 'This code, on your phone or printed.',
    bringCash: (amount) => `${amount} in cash.`,
    bringFee: 'The counter fee, where there is one: it is not part of the amount.',
  },
  send: 'Transfer',
  network: 'Network',
  received: 'Received',
  wallet: 'Your wallet',
  sendBefore: 'Send before',
  receive: 'You will receive',
  amount: 'Amount',
  code: 'Your code',
  qr: 'The same code as a QR code',
  barcode: 'The same code as a barcode',
  copy: 'Copy code',
  copied: 'Copied',
  print: 'Print',
  sandbox: 'This is a sandbox: it is a test, and no money is paid.',
  offline: 'No connection. This page may be out of date.',
  aheadClock: (by) => `This is a sandbox: its clock is ${by} ahead of the real one.`,
  keepSecret: 'Do not share this code: whoever has it can collect the money.',
  stepsHeading: { PAY_OUT: 'How to withdraw', PAY_IN: 'How to pay' },
  steps: {
    PAY_OUT: ({ amount }) => [
      'Go to one of the network’s stores and tell the counter that you want to withdraw cash.',
      `Show the code or the QR. You will receive ${amount}.`,
      'Count the money before you leave. The receipt will appear here.',
    ],
    PAY_IN: ({ amount }) => [
      'Go to one of the network’s stores and tell the counter that you want to make a payment.',
      `Show the code or the QR and hand over ${amount}.`,
      'Wait for the receipt to appear here.',
    ],
  },
  timeLeft: 'Time left',
  lessThanAMinute: 'Less than a minute',
  validUntil: 'Valid until',
  expired: 'Expired',
  paid: { PAY_OUT: 'Handed over', PAY_IN: 'Paid' },
  refund: {
    label: 'Refund of',
    purchase: ({ what, amount, merchant, time }) => `${what}: ${amount}, paid to ${merchant} on ${time}`,
  },
  description: 'Description',
  merchant: 'Merchant',
  contact: 'Questions for the merchant',
  reference: 'Reference',
  refreshes: 'This page updates itself.',
  refreshNow: 'Update now',
  pause: 'Pause',
  isPaused: 'Updates are paused.',
  resume: 'Resume',
  backTo: (merchant) => `Back to ${merchant}`,
  form: {
    heading: 'Look up an order',
    lead: "Enter the order's identifier, or paste the link you received.",
    label: "The order's identifier",
    hint: 'It has 36 letters, digits and hyphens.',
    button: 'Show the order',
  },
  notFound: {
    heading: 'We could not find this order',
    lead: "Open the link you received again, or enter the order's identifier.",
  },
  unavailable: {
    heading: 'We cannot show this order right now',
    lead: 'Your order is not affected. This page will try again in a few seconds.',
  },
}
