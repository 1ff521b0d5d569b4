/** Endpoints that answer single questions, also those of a batch, as no honest network does. */
import type { GateRequest } from '../gate.ts'

interface Question {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** What an endpoint says instead of what the network answered to a question; `null` leaves it. */
export function rewriting(
  answerTo: (question: Question, result: Readonly<Record<string, unknown>>) => Instead | null,
) {
  return ({ body }: GateRequest, answer: string): string => {
    const asked: Question | Question[] = JSON.parse(body)
    const questions = Array.isArray(asked) ? asked : [asked]
    const answers: unknown[] = [JSON.parse(answer)].flat()
    const changed = questions.map((question, index) => {
      const own = answerTo(question, Object(Object(answers[index]).result))
      return own === null ? answers[index] : { jsonrpc: '2.0', id: question.id, ...own }
    })
    return JSON.stringify(Array.isArray(asked) ? changed : changed[0])
  }
}

type Instead = { readonly result: unknown } | { readonly error: { code: number; message: string } }
