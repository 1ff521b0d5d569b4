/** What is said of a channel and of a rule: by options, by a form, and in a document. */
import { choice, optional, text } from '../foundation/fields.ts'
import { channelKinds, languages } from './channels.ts'

export const ownName = text({
  description: 'Lower-case letters, digits and hyphens.',
  pattern: '^[a-z0-9][a-z0-9-]{0,31}$',
  form: { label: 'Name', hint: 'Lower-case letters, digits and hyphens.' },
})

export const channelFields = {
  name: ownName,
  kind: choice(channelKinds, {
    option: ['--kind <kind>', 'email or webhook'],
    form: { label: 'Kind' },
  }),
  to: optional(
    text({
      description:
        'E-mail addresses with commas between them, or `party`: the contact of the party it is about.',
      maxLength: 2600,
      option: ['--to <addresses>', 'e-mail addresses with commas between them, or "party"'],
      form: { label: 'Addresses', hint: 'With commas between them; "party" for the contact of the party.' },
    }),
  ),
  url: optional(
    text({
      description: 'Of a webhook.',
      maxLength: 2000,
      option: ['--url <url>', 'where a webhook goes'],
      form: { label: 'URL', hint: 'Of a webhook.' },
    }),
  ),
  language: optional(
    choice(languages, {
      description: 'Of mails; en by default.',
      option: ['--language <language>', 'of mails: en, es or pt (en)'],
      form: { label: 'Language' },
    }),
  ),
  timeZone: optional(
    text({
      description: 'An IANA time zone; UTC by default.',
      maxLength: 64,
      option: ['--time-zone <zone>', 'such as America/Mexico_City (UTC)'],
      form: { label: 'Time zone', hint: 'Such as America/Mexico_City; UTC by default.' },
    }),
  ),
  digestAt: optional(
    text({
      description: 'When the digest is due, HH:MM in the time zone; 08:00 by default.',
      maxLength: 5,
      option: ['--digest-at <time>', 'when the digest is due, HH:MM in the time zone (08:00)'],
      form: { label: 'Digest at', hint: 'HH:MM; 08:00 by default.' },
    }),
  ),
}

export const ruleFields = {
  name: ownName,
  events: text({
    description: 'Events with commas between them.',
    maxLength: 600,
    option: ['--events <events>', 'events with commas between them; see notification events'],
    form: { label: 'Events', hint: 'With commas between them.' },
  }),
  channel: text({
    description: "A channel's name.",
    option: ['--channel <name>', 'where it is told'],
    form: { label: 'Channel' },
  }),
  how: optional(
    choice(['now', 'digest'], {
      description: '`now` by default: at once, and what repeats in the digest.',
      option: ['--how <how>', 'now: at once, and repetitions in the digest; digest: all of it there (now)'],
      form: { label: 'How' },
    }),
  ),
  party: optional(
    text({
      description: 'Only what is about this party, by its name.',
      option: ['--party <name>', 'only what is about this party'],
      form: { label: 'Party', hint: 'Only what is about this party.' },
    }),
  ),
  below: optional(
    text({
      description: 'Of balance.low: an amount such as `1000.00 MXN`.',
      maxLength: 30,
      option: ['--below <amount>', 'of balance.low: such as "1000.00 MXN"'],
      form: {
        label: 'Balance below',
        control: 'amount',
        hint: 'Of balance.low: such as 1000.00 MXN, without separators of thousands.',
      },
    }),
  ),
}
