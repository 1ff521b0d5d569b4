/** Who may have something to do after a commit. */
import type { Topic } from './store.ts'

/** Calls each listener once for any number of wakes that come together; a listener's error is its own. */
export class TopicListeners {
  readonly #listeners = new Map<Topic, Set<() => void>>()
  readonly #woken = new Set<Topic>()

  /** Returns the way to stop. */
  add(topic: Topic, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners)
    // The same function may be added twice, and each is stopped alone.
    const entry = () => listener()
    listeners.add(entry)
    return () => {
      listeners.delete(entry)
    }
  }

  wake(topics: readonly Topic[]): void {
    if (topics.length === 0) return
    if (this.#woken.size === 0) setImmediate(() => this.#call())
    for (const topic of topics) this.#woken.add(topic)
  }

  #call(): void {
    const topics = [...this.#woken]
    this.#woken.clear()
    for (const topic of topics) {
      for (const listener of this.#listeners.get(topic) ?? []) {
        try {
          listener()
        } catch (error) {
          // Only a hint failed: nothing that was committed, and no other listener, may suffer from it.
          process.emitWarning(error instanceof Error ? error : String(error))
        }
      }
    }
  }
}
