/** What the demo reads out of the node's answers, whatever the order. */
import type { Stage } from './stage.ts'
import type { Answer } from './world.ts'

export const dayMs = 24 * 60 * 60 * 1000

export function tell(stage: Stage, { status, text }: Answer): void {
  stage.show(`→ ${status} ${text}`)
}

export function isAnswer(answer: Answer, status: number, orderStatus: string): boolean {
  return answer.status === status && answer.body.status === orderStatus
}

/** What stands in the checkout page's element of class `code`, without tags and blanks. */
export function codeOnPage(html: string): string {
  const [, shown = ''] = /class="code"[^>]*>(.*?)<\/p>/s.exec(html) ?? []
  return shown.replace(/<[^>]*>|\s/g, '')
}
