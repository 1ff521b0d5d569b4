/** The three shapes of an error (protocol 7.1). */
import { fieldProblems } from '../../catalogue/field-problems.ts'
import { refusals } from '../../catalogue/refusals.ts'

const codesOf = (entries: readonly { code: string }[]) => [...new Set(entries.map(({ code }) => code))].sort()

const wholeRefusals = Object.values(refusals)
const invalid = wholeRefusals.filter(({ status }) => status === 400)
const others = wholeRefusals.filter(({ status }) => status !== 400 && status !== 409)

const detail = { type: 'string', description: 'A sentence for humans', minLength: 1 }

function errorItem(codes: readonly string[], attr: object): object {
  return {
    type: 'object',
    properties: { attr, code: { type: 'string', description: 'For programs', enum: codes }, detail },
    required: ['attr', 'code', 'detail'],
  }
}

export const errorSchemas = {
  Invalid: {
    title: 'Invalid',
    description: 'What is wrong with the request (400)',
    type: 'object',
    properties: {
      detail: { ...detail, description: 'Only for business rules: the text' },
      type: {
        type: 'string',
        description: '`client_error` for a body that cannot be read',
        enum: ['validation_error', 'client_error'],
      },
      errors: {
        type: 'array',
        minItems: 1,
        description: 'Every field at fault, in the order of the documented fields',
        items: errorItem(codesOf([...Object.values(fieldProblems), ...invalid]), {
          type: ['string', 'null'],
          description:
            'The field; `non_field_errors` for a rule across fields; null for the request as a whole',
        }),
      },
    },
    required: ['type', 'errors'],
  },
  Conflict: {
    title: 'Conflict',
    description: 'Conflict (409)',
    type: 'object',
    properties: { detail },
    required: ['detail'],
  },
  Refusal: {
    title: 'Refusal',
    description: 'Every other error',
    type: 'object',
    properties: {
      detail,
      type: { type: 'string', description: 'Whose fault it is', enum: ['client_error', 'server_error'] },
      errors: {
        type: 'array',
        minItems: 1,
        description: 'The same in the shape of a 400',
        items: errorItem(codesOf(others), { type: 'null', description: 'No single field is at fault' }),
      },
    },
    required: ['detail', 'type', 'errors'],
  },
} as const
