/**
 * People of the console, and whoever has its token: they ask for what takes two, approve, refuse and withdraw it, one after the other or
 * at once. Each is a request of its own, as pages and commands make them.
 */
import { ApprovalAsked } from '../../actors/approvals/asking.ts'
import { OperationError } from '../../actors/foundation/operation.ts'
import type { Random } from '../durability/random.ts'
import type { Host } from './host.ts'
import { type ApprovalTruth, hands, type Person, type SeenApproval, type Who } from './model/approvals.ts'

/** Luis and olga have come by themselves; nina was let in by ana, and paco does not move money yet. */
export const people: readonly Person[] = [
  { name: 'ana', role: 'administrator', isEnabled: true, letInBy: null },
  { name: 'luis', role: 'administrator', isEnabled: true, letInBy: null },
  { name: 'nina', role: 'administrator', isEnabled: true, letInBy: 'ana' },
  { name: 'olga', role: 'administrator', isEnabled: true, letInBy: null },
  { name: 'paco', role: 'operator', isEnabled: true, letInBy: null },
]
/** Centavos of MXN; `*` is that of every operation without one of its own. */
export const thresholds = { '*': 400_000n, 'deposit.add': 250_000n }

export interface PeopleOptions {
  host: Host
  random: Random
  truth: ApprovalTruth
  /** Tells all that was carried out until now. */
  catchUp: () => void
  problem: (text: string) => void
  note: (text: string) => void
}

/** `asked`: somebody else has to approve it, and this is its number. */
export type Outcome =
  | { ok: true; output: Record<string, unknown> }
  | { ok: false; code: string; message: string; asked: number | null }

export class PeopleAtWork {
  readonly #options: PeopleOptions
  #guests = 0

  constructor(options: PeopleOptions) {
    this.#options = options
  }

  /** Whoever may ask for anything: somebody who is signed in, or a script with the token. */
  get asker(): Who {
    const { random, truth } = this.#options
    const person = random.chance(0.25) ? undefined : this.#pick(truth.able('administrator'))
    return person === undefined ? { name: 'script', isPerson: false } : { name: person.name, isPerson: true }
  }

  async operate(who: Who, operation: string, input: object): Promise<Outcome> {
    const { host, truth, note } = this.#options
    const { process } = host
    if (process === null) throw new Error('there is no node to ask')
    const role = truth.people.get(who.name)?.role ?? 'viewer'
    const factorAt = host.platform.clock.now()
    const signedIn = who.isPerson ? { role, hasFactor: true, factorAt } : undefined
    const said = `${who.isPerson ? '' : 'the token as '}${who.name} ${operation} ${JSON.stringify(input)}`
    try {
      const output = (await process.operate(operation, input, who.name, signedIn)) as Record<string, unknown>
      note(`${said}: done`)
      return { ok: true, output }
    } catch (error) {
      if (!(error instanceof OperationError)) throw error
      note(`${said}: ${error.code} ${error.message}`)
      const asked = error instanceof ApprovalAsked ? error.approval : null
      if (asked !== null) truth.asked(asked, { operation, input: JSON.stringify(input), who })
      return { ok: false, code: error.code, message: error.message, asked }
    }
  }

  /** Somebody asks that an account or a threshold is changed, or that a guest is let in. */
  async ask(): Promise<void> {
    if (!(await this.#isReady())) return
    const { host, truth } = this.#options
    const request = this.#request()
    const who = this.asker
    const outcome = await host.drive(this.operate(who, request.operation, request.input))
    if (outcome.ok)
      truth.alone(
        { operation: request.operation, input: JSON.stringify(request.input), who },
        host.platform.clock.now(),
      )
    else this.#expect(outcome, ['asked', 'conflict', 'refused'])
  }

  /** Somebody decides on one that waits, or several do at once. */
  async decide(most: number): Promise<void> {
    if (!(await this.#isReady())) return
    const { host, problem, catchUp } = this.#options
    const begun = this.begin(most)
    const ended = await host.drive(Promise.all(begun.map(({ outcome }) => outcome)))
    const yes = begun.filter(({ operation }, index) => operation === 'approval.approve' && ended[index]?.ok)
    if (new Set(yes.map(({ number }) => number)).size < yes.length)
      problem(`of ${begun.map(({ number, by }) => `${by} for ${number}`)} two were told that they approved`)
    for (const outcome of ended)
      if (!outcome.ok) this.#expect(outcome, ['forbidden', 'conflict', 'refused', 'asked', 'not_found'])
    catchUp()
  }

  /** So many begin to say something of what waits; whoever calls this lets the node go on, or not. */
  begin(most: number) {
    const { random } = this.#options
    const waiting = this.waiting()
    const subjects = [this.#pick(waiting), this.#pick(waiting)].filter((one) => one !== undefined)
    return Array.from({ length: subjects.length === 0 ? 0 : most }, () => {
      const approval = subjects[random.below(subjects.length)] as SeenApproval
      return this.#say(approval)
    })
  }

  /** Whoever may approves it, and whoever has to come back for it does. @returns whether it was carried out */
  async second(number: number): Promise<boolean> {
    const { host, truth, catchUp } = this.#options
    const approval = this.waiting().find((one) => one.number === number)
    if (approval === undefined) return false
    const able = truth.able('operator').filter(({ name }) => truth.hindrance(name, approval) === null)
    const person = this.#pick(able)
    if (person === undefined) return false
    const outcome = await host.drive(this.#approve(approval, { name: person.name, isPerson: true }).outcome)
    if (!outcome.ok) this.#expect(outcome, ['conflict', 'refused', 'forbidden', 'not_found'])
    else if (approval.operation === 'operator.invite') await host.drive(this.#comeBack(approval).outcome)
    catchUp()
    return host.reader.approvals().some((one) => one.number === number && one.state === 'carried_out')
  }

  waiting(): SeenApproval[] {
    return this.#options.host.reader
      .approvals()
      .filter(({ state }) => state === 'asked' || state === 'approved')
  }

  /** While no node lives, whoever has the machine demotes somebody who has approved what is not carried out yet, or has asked for it. */
  demoteSomebody(): void {
    const { host, random, truth, note } = this.#options
    for (const approval of this.waiting().filter(({ state }) => state === 'approved')) {
      const name = this.#pick(hands(approval).filter((one) => one !== 'ana'))
      if (name === undefined || !random.chance(0.6)) continue
      const change = random.chance(0.5) ? ({ role: 'viewer' } as const) : { isEnabled: false }
      const set = 'role' in change ? "role = 'viewer'" : 'disabled_at = 1'
      host.write(`UPDATE people SET ${set}, revision = revision + 1 WHERE name = ?`, name)
      truth.change(name, change)
      note(`${name} is ${'role' in change ? 'a viewer' : 'disabled'}, by whoever has the machine`)
    }
  }

  /** Everybody may again what they may at the beginning, and nothing waits but what nobody cares for. */
  async settle(): Promise<void> {
    if (!(await this.#isReady())) return
    const { random, truth } = this.#options
    // Whom the machine has let in approves for everybody else.
    if (truth.independent < 2)
      await this.#restore({ name: 'luis', role: 'administrator', isEnabled: true }, true)
    for (const { number } of this.waiting()) if (random.chance(0.8)) await this.second(number)
    for (const person of people) await this.#restore(person)
  }

  async #restore({ name, role, isEnabled }: Omit<Person, 'letInBy'>, isAnew = false): Promise<void> {
    const { host, truth } = this.#options
    const now = truth.people.get(name)
    const who = { name: 'script', isPerson: false }
    const changes = [
      ...(now?.isEnabled === isEnabled ? [] : [['operator.enable', { name }] as const]),
      ...(now?.role === role && !isAnew ? [] : [['operator.change', { name, role }] as const]),
    ]
    for (const [operation, input] of changes) {
      const outcome = await host.drive(this.operate(who, operation, input))
      if (outcome.ok) truth.alone({ operation, input: JSON.stringify(input), who }, host.platform.clock.now())
      else if (outcome.asked !== null) await this.second(outcome.asked)
    }
  }

  #request(): { operation: string; input: object } {
    const { random, truth } = this.#options
    // What two are asked for at once about the same account cannot both be done.
    const inQuestion = this.waiting().map(({ input }) => JSON.parse(input).name)
    const others = people.filter((one) => one.name !== 'ana')
    const again = random.chance(0.5) ? others.filter((one) => inQuestion.includes(one.name)) : []
    const { name } = this.#pick(again.length > 0 ? again : others) as Person
    const known = truth.people.get(name)
    const chosen = random.below(10)
    if (chosen < 2)
      return { operation: 'operator.invite', input: { name: `guest${++this.#guests}`, role: 'viewer' } }
    if (chosen < 4) {
      const amount = `${[1000, 2500, 6000][random.below(3)]}.00`
      const own = random.chance(0.5) ? {} : { operation: 'deposit.add' }
      return {
        operation: 'approval.setThreshold',
        input: { currency: 'MXN', ...own, amount, reason: 'agreed' },
      }
    }
    if (known?.isEnabled === false) return { operation: 'operator.enable', input: { name } }
    if (chosen < 6) return { operation: 'operator.disable', input: { name } }
    const role = known?.role === 'administrator' ? 'operator' : 'administrator'
    return { operation: 'operator.change', input: { name, role } }
  }

  #say(approval: SeenApproval) {
    const { random, truth } = this.#options
    const chosen = random.below(20)
    const anybody = this.#pick(truth.able('operator'))
    const who =
      anybody === undefined || random.chance(0.08)
        ? { name: 'script', isPerson: false }
        : { name: anybody.name, isPerson: true }
    if (chosen < 3) return this.#decision(approval, who, 'approval.refuse', { reason: 'not that' })
    if (chosen < 5) return this.#decision(approval, who, 'approval.withdraw', { reason: 'not needed' })
    if (approval.state === 'approved' && chosen < 16) return this.#comeBack(approval)
    return this.#approve(approval, who)
  }

  #approve(approval: SeenApproval, who: Who) {
    this.#options.truth.tries(who.isPerson ? who.name : 'the token', approval)
    return this.#decision(approval, who, 'approval.approve', {})
  }

  /** Whoever asked for it has it carried out, unless the node has done so. */
  #comeBack({ number, askedBy, isPerson }: SeenApproval) {
    return this.#decision({ number }, { name: askedBy, isPerson }, 'approval.carryOut', {})
  }

  #decision({ number }: Pick<SeenApproval, 'number'>, who: Who, operation: string, input: object) {
    return { number, by: who.name, operation, outcome: this.operate(who, operation, { number, ...input }) }
  }

  async #isReady(): Promise<boolean> {
    const { host, catchUp } = this.#options
    if (host.process === null) return false
    await host.platform.rest()
    catchUp()
    return true
  }

  #expect({ code, message }: { code: string; message: string }, codes: readonly string[]): void {
    if (!codes.includes(code)) this.#options.problem(`an approval was answered ${code} ${message}`)
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[this.#options.random.below(Math.max(1, list.length))]
  }
}
