/** In which language, and by the clock of which zone, each operator reads the console. */
import { isTimeZone } from '../../machines/time-zones.ts'
import type { Row } from '../../persistence/store.ts'
import { choice, optional, text } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { languages } from './languages.ts'
import { changeOperator, type OperatorDocument, operatorName } from './operations.ts'

/** A choice that takes away what was chosen. */
export const byDefault = 'default'

const language = optional(
  choice([byDefault, ...languages], {
    description: "Of the console's pages; `default` is the browser's.",
    option: ['--language <language>', "of the console's pages; default is the browser's"],
    form: {
      label: 'Language',
      choices: [
        [byDefault, 'as the browser asks for'],
        ['es', 'Español'],
        ['pt', 'Português'],
        ['en', 'English'],
      ],
    },
  }),
)

const zone = optional(
  text({
    description: 'An IANA time zone such as `America/Mexico_City`; `default` is UTC.',
    maxLength: 64,
    option: ['--zone <zone>', 'an IANA time zone such as America/Mexico_City; default is UTC'],
    form: { label: 'Time zone', hint: 'Days and times on all pages are of this zone.' },
  }),
)

interface Chosen {
  language?: (typeof languages)[number] | typeof byDefault
  zone?: string
}

/** @throws OperationError for what is no zone, and where nothing is chosen */
function columnsOf({ language: chosen, zone: given }: Chosen): Partial<Row<'people'>> {
  if (chosen === undefined && given === undefined) {
    throw new OperationError('invalid', 'Neither a language nor a zone is given.')
  }
  if (given !== undefined && given !== byDefault && !isTimeZone(given)) {
    throw new OperationError('invalid', `There is no time zone ${given}.`, {
      hint: 'Zones have names such as America/Mexico_City.',
    })
  }
  return {
    ...(chosen === undefined ? {} : { language: chosen === byDefault ? null : chosen }),
    ...(given === undefined ? {} : { time_zone: given === byDefault ? null : given }),
  }
}

export const operatorSet = defineOperation({
  name: 'operator.set',
  summary: 'Set the language and time zone in which an operator reads the console.',
  fields: { name: operatorName, language, zone },
  arguments: ['name'],
  done: 'Language and time zone are set.',
  isRead: false,
  run(context: OperationContext, { name, ...chosen }): Promise<OperatorDocument> {
    const columns = columnsOf(chosen)
    return changeOperator(context, name, () => columns)
  },
})

export const operatorSetOwn = defineOperation({
  name: 'operator.setOwn',
  summary: 'Set the language and time zone in which whoever asks reads the console.',
  done: 'Language and time zone are set.',
  fields: { language, zone },
  isRead: false,
  run(context: OperationContext, chosen): Promise<OperatorDocument> {
    const columns = columnsOf(chosen)
    return changeOperator(context, context.operator, () => columns)
  },
})
