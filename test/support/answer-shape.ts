/** The one shape of every refusal: protocol 7.1. */
import * as assert from 'uvu/assert'
import { fieldProblems } from '../../http/catalogue/field-problems.ts'
import { refusals } from '../../http/catalogue/refusals.ts'

const codes = new Set([
  ...Object.values(fieldProblems).map(({ code }) => code),
  ...Object.values(refusals).map(({ code }) => code),
  // What is refused before it is a request.
  'expectation_failed',
])

export interface ShapedAnswer {
  status: number
  contentType: string | null | undefined
  text: string
}

/** A success, or a refusal in the specified shape; never a 5xx. */
export function assertSpecifiedShape({ status, contentType, text }: ShapedAnswer): void {
  assert.ok(status >= 200 && status < 500, `status ${status}: ${text}`)
  assert.match(contentType ?? '', /^application\/json\b/)
  const document = JSON.parse(text)
  if (status < 300) return
  const keys = Object.keys(document)
  if (status === 409) {
    assert.equal(keys, ['detail'])
    return
  }
  const hasDetail = keys[0] === 'detail'
  assert.equal(keys, hasDetail ? ['detail', 'type', 'errors'] : ['type', 'errors'])
  if (status !== 400) assert.ok(hasDetail, `${status} has a detail: ${text}`)
  assert.ok(['validation_error', 'client_error'].includes(document.type), text)
  assert.ok(document.errors.length > 0)
  for (const error of document.errors) {
    assert.equal(Object.keys(error), ['attr', 'code', 'detail'])
    assert.ok(error.attr === null || typeof error.attr === 'string')
    assert.ok(codes.has(error.code), `code ${error.code}`)
    assert.ok(typeof error.detail === 'string' && error.detail !== '')
  }
}
