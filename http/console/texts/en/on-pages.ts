/** What the node says names commands, which the command line has; to whoever reads it on a page it names what is there. */
import type { Sentences } from '../said/sentences.ts'

export const onPages: Partial<Sentences> = {
  '{} Since {} its open orders are quarantined and all webhooks are paused, because the database was replaced without `restore`. Ask the providers what they have paid since (`ventanilla order report`), clear the rest (`order clear`, `webhook resume`), then `ventanilla node accept-restore`.':
    '{} Since {} its open orders are quarantined and all webhooks are paused, because the database was replaced without being restored by the program. Ask the providers what they have paid since, load their reports, clear the rest, resume the webhooks, and accept the restore on Health.',
  'Go on with it first: payment due --order --run {}': 'Go on with run {} first: Payments has it.',
  'Make its file first: payment export {}': 'Make the file of run {} first.',
  'approval list --state open shows them; what is not needed any more: approval withdraw NUMBER':
    'Approvals shows them; what is not needed any more can be withdrawn there.',
  'Nothing was done yet. approval show {} tells what has become of it.':
    'Nothing was done yet. Approval {} tells what has become of it.',
  'Anybody who may refuse it can: approval refuse {}': 'Anybody who may refuse it can: approval {}',
  'approval list shows their numbers.': 'Approvals shows their numbers.',
  'Look at it again: approval show {}': 'Look again at approval {}',
  'Look at it: approval show {}': 'Look at approval {}',
  'Anybody who may look at it may refuse it: approval refuse {}':
    'Anybody who may look at it may refuse it: approval {}',
  'The treasury on {} holds {} {} {} than its books say: exception show {}':
    'The treasury on {} holds {} {} {} than its books say: see exception {}',
  '{} (exception show {})': '{} (see exception {})',
  'doctor says what is wrong with their file. Do not do it again: claim show {}':
    'Health says what is wrong with their file. Do not do it again: see claim {}',
  'Look at it: order show {}': 'Look at order {}',
  'claim reject {}; order show {} tells who has it': 'Reject claim {}; the page of order {} tells who has it',
  'claim accept {}': 'Accept claim {}',
  'Resolve that first: exception show {}': 'Resolve exception {} first',
  'claim list --order {}': 'See the claims of order {}',
  'claim list shows their numbers.': 'The list of claims shows their numbers.',
  'Look at it: claim show {}': 'Look at claim {}',
  'Look at it again: claim show {}': 'Look again at claim {}',
  'Once it has ended: order show {}': 'Once it has ended: see order {}',
  'exception list shows them.': 'Exceptions shows them.',
  'claim list --state undecided': 'See the claims that are not decided',
  'claim show {}': 'See claim {}',
  '{} has not been read past {}, and nothing is passed over: {} of its orders wait for money that may have come. `ventanilla chain lag` says why; another endpoint in the settings may help.':
    '{} has not been read past {}, and nothing is passed over: {} of its orders wait for money that may have come. Health says why; another endpoint in the settings may help.',
  'Claim {} ({}) was to be decided by {}, and {}: claim show {}':
    'Claim {} ({}) was to be decided by {}, and {}: see claim {}',
  'How far {} was read was lost, and open orders may have been paid meanwhile: exception show {}':
    'How far {} was read was lost, and open orders may have been paid meanwhile: see exception {}',
  'The treasury on {} holds {} {} than its books say: exception show {}':
    'The treasury on {} holds {} {} than its books say: see exception {}',
  'Nothing expires until `ventanilla clock accept`.':
    'Nothing expires until the clock is accepted on Health.',
  'Drained since {}: no new orders, quotes or starts are accepted. `ventanilla node undrain` ends it.':
    'Drained since {}: no new orders, quotes or starts are accepted. Health ends it.',
  'The bank has not paid it and will not: what it was for can be ordered again. Where the bank has paid it, order it as what it is instead, and book it: payment order --lost.':
    'The bank has not paid it and will not: what it was for can be ordered again. Where the bank has paid it, order it as a lost payment instead, and book it.',
  'Noted. What is not here was opened anew (claim open), under another number; what was decided was decided again: claim accept, uphold or reject. Where the order is not here any more, what it comes to is a correction: adjustment record.':
    'Noted. What is not here was opened anew, under another number; what was decided was decided again. Where the order is not here any more, what it comes to is a correction.',
  'notification list shows their ids.': 'Notifications shows their ids.',
  'They are sent, or given up, within days: notification list --state pending':
    'They are sent, or given up, within days: see the pending ones in Notifications',
  'merchant show and provider show tell the keys of a party.': 'The page of a party tells its keys.',
  'merchant show "{}" lists its deposits.': 'The page of "{}" lists its deposits.',
  'Another deposit needs another reference; merchant show "{}" lists them.':
    'Another deposit needs another reference; the page of "{}" lists them.',
  'Add another one: `ventanilla operator invite NAME --role administrator`.':
    'Add another one: “Invite an operator”, in Operators.',
  'Set one for each currency: `{}`.':
    'Set one for each currency with “Set a threshold”, in Approvals, or `{}`.',
  'See `ventanilla notification list --state dead`; `ventanilla notification retry ID` sends one again.':
    'See the dead ones in Notifications; “Send again” there sends one again.',
  'See `ventanilla rate show` for what each source told; quotes are refused meanwhile.':
    'See Rates for what each source told; quotes are refused meanwhile.',
  'See `ventanilla webhook list --state dead`, and tell the merchants.':
    'See the dead ones in Webhooks, and tell the merchants.',
  'Resume them: `ventanilla webhook resume MERCHANT`.': 'Resume them on the page of each merchant.',
  'Look for a stopped node, or a receiver that answers nothing: `ventanilla webhook list`.':
    'Look for a stopped node, or a receiver that answers nothing: see Webhooks.',
  'Ask the party, then `ventanilla key revoke KEY`; `ventanilla key list PARTY` tells the last use.':
    'Ask the party, then “Revoke a key” on its page, which tells the last use.',
  'Look at the log and the disk, then `ventanilla backup` makes one.':
    'Look at the log and the disk, then “Back up now” on Health makes one.',
  '`ventanilla backup` makes one now.': '“Back up now” on Health makes one.',
  'The console leads them to add a passkey or an authenticator at their next sign-in; see `ventanilla operator list`.':
    'The console leads them to add a passkey or an authenticator at their next sign-in; see Operators.',
  'Have the providers’ reports, then `ventanilla order quarantined` and `ventanilla order clear`.':
    'Have the providers’ reports, then clear the quarantined orders.',
  'Book what the banks report since the backup, then `ventanilla settlement resume`.':
    'Book what the banks report since the backup, then “Resume settlement” in Settlement.',
  'See `ventanilla payment due`.': 'See Payments.',
  'Set the clock right, then `ventanilla clock accept`.':
    'Set the clock right, then “Accept the clock” on Health.',
  'See `ventanilla exception list`.': 'See Exceptions.',
  'See `ventanilla alarm list`.': 'See the alarms on Overview.',
  'key list shows the keys of a party.': 'The page of a party shows its keys.',
  'Revoke the one that is not in use: key revoke KEY': 'Revoke the one that is not in use.',
  'Run the program that stored it; order show tells what can be told.':
    'Run the program that stored it; the page of the order tells what can be told.',
  'provider list shows their names.': 'Parties shows their names.',
  'Look again: order show {}': 'Look again at order {}',
  'Look at it: exception show {}': 'Look at exception {}',
  'Resolve its exception: exception list --order {}': 'Resolve the exception of order {}',
  'order list shows ids and codes.': 'Orders shows ids and codes.',
  '{} order(s) cannot be worked on. `ventanilla alarm list` and the exceptions name them.':
    '{} order(s) cannot be worked on. The alarms and the exceptions name them.',
  'operator list shows their names.': 'Operators shows their names.',
  'operator reset gives them a new password, operator change another role.':
    '“Reset a password” in Operators gives them a new one, “Change a role” another role.',
  'Another deposit needs another reference; bank list shows the lines.':
    'Another deposit needs another reference; the lines of the banks show them.',
  '`rate list` lists the rates there are.': 'Rates lists those that there are.',
  'Check `rate show`, and give the rate in doubt.': 'Check the page of the rate, and give the one in doubt.',
  '{}; if it is right: rate accept {} {} {} {} --rate {}':
    '{}; if it is right, accept it on its page ({} {} {} {}): {}',
  'There is no acceptable rate for {}{}: `rate list` says why.':
    'There is no acceptable rate for {}{}: Rates says why.',
  'It has this amount: payment book {} --reference "{}" --reason TEXT':
    'It has this amount: book payment {} on its page, with the reference "{}"',
  '{} payments have this amount: say which, by payment book.':
    '{} payments have this amount: say which, by booking it on its page.',
  'exception list shows their ids.': 'Exceptions shows their ids.',
  'Look at its evidence again: exception show {}': 'Look again at the evidence of exception {}',
  'What each does: exception show {}': 'What each does: see exception {}',
  '`clock show` says why; `clock accept` ends it.': 'Health says why; “Accept the clock” there ends it.',
  'Wait until it is there, or stop it with `sandbox clock reset`.':
    'Wait until it is there, or stop it in Sandbox.',
  'doctor says what is wrong with their file. payment list shows what is ordered; do not order it again.':
    'Health says what is wrong with their file. Payments shows what is ordered; do not order it again.',
  'exception list shows those that are; the exception of this one would be {}.':
    'Exceptions shows those that are; the exception of this one would be {}.',
  'clock show says why; once it is right: clock accept':
    'Health says why; once it is right: “Accept the clock” there',
  'payment due shows what is open.': 'Payments shows what is open.',
  'Look again: payment due': 'Look again in Payments',
  'payment due shows what is.': 'Payments shows what is.',
  'payment list shows their ids.': 'Payments shows their ids.',
  'payment due shows those that were cut off.': 'Payments shows those that were cut off.',
  'Book what banks and networks report since the backup, then: settlement resume':
    'Book what banks and networks report since the backup, then: “Resume settlement” in Settlement',
  'Book the banks’ entries since the backup, then: settlement resume':
    'Book the banks’ entries since the backup, then: “Resume settlement” in Settlement',
  'statement list "{}" shows them.': 'The list of statements of "{}" shows them.',
  'statement list "{}" shows it.': 'The list of statements of "{}" shows it.',
  'Once it is sure who asks: party unfreeze "{}"': 'Once it is sure who asks: “Unfreeze” on the page of "{}"',
  'It is within seconds, once its number is in the anchors: statement list shows it.':
    'It is within seconds, once its number is in the anchors: the list of statements shows it.',
  'Look at it again: payment show ID': 'Look again at the page of the payment',
  'Where the bank has refused it: payment sent, then payment return with its reason.':
    'Where the bank has refused it: record it as sent, then as returned, with its reason.',
  'payment return, with the line of the bank that brought it back.':
    'Record it as returned, with the line of the bank that brought it back.',
  'Look at it: payment show {}': 'Look at payment {}',
  'payment list shows which.': 'Payments shows which.',
  'terms show "{}" tells its terms; they are set by apply: "settles".':
    'The page of the terms of "{}" tells and sets them.',
  'party unfreeze "{}" ends it.': '“Unfreeze” on the page of "{}" ends it.',
  'node undrain ends it.': '“End the drain” on Health ends it.',
  'Tell {}; once its receiver works: webhook retry {}':
    'Tell {}; once its receiver works, send it again with “Resend” on the page of webhook {}',
  '{} ({}) has no live credential to sign its webhooks with: they wait since {}. Give it one with key rotate.':
    '{} ({}) has no live credential to sign its webhooks with: they wait since {}. Give it one with “Add a key” on its page.',
  'webhook list shows their ids.': 'Webhooks shows their ids.',
  'order list shows their ids.': 'Orders shows their ids.',
  'key list shows its keys.': 'Its page shows its keys.',
}
