/**
 * Answers about final blocks, kept until the page they were read for is handed over: an endpoint that asks
 * for fewer requests half-way would otherwise be asked for all of them again, and refuse again.
 */
import { type Answer, type Call, failed, failureKindOf } from './json-rpc.ts'
import type { EvmEndpoint } from './network.ts'

export class Memory {
  readonly #answers = new Map<string, Answer>()

  async ask({ rpc }: EvmEndpoint, calls: readonly Call[]): Promise<readonly Answer[]> {
    const asked = calls.map((call) => ({ call, key: JSON.stringify(call) }))
    const missing = asked.filter(({ key }) => !this.#answers.has(key))
    const others = new Map<string, Answer>()
    for (let done = 0; done < missing.length; ) {
      const some = missing.slice(done, done + rpc.batchLimit)
      const answers = await rpc.ask(some.map(({ call }) => call))
      answers.forEach((answer, index) => {
        const isLasting = answer.ok && (answer.value ?? null) !== null
        ;(isLasting ? this.#answers : others).set(some[index]?.key ?? '', answer)
      })
      for (const answer of answers)
        if (!answer.ok && failureKindOf(answer.failure) === 'rate_limited') throw failed(answer.failure)
      done += some.length
    }
    return asked.map(({ key }) => {
      const answer = this.#answers.get(key) ?? others.get(key)
      if (answer === undefined) throw new Error('a call without an answer')
      return answer
    })
  }

  clear(): void {
    this.#answers.clear()
  }
}
