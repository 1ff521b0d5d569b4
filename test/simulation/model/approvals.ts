/**
 * Who may do what alone, and who only together, as somebody knows it who has heard every request and every yes: what was asked for, who
 * said what to it, and whom the console lets do what. It shares no import with the program; `npm run layers` sees to that.
 */
import { type Moved, Sums } from './sums.ts'

export interface Person {
  name: string
  role: 'viewer' | 'operator' | 'administrator'
  isEnabled: boolean
  /** Whoever made the account, or alone enabled it or gave it its role, the last of them: both count as one person. */
  letInBy: string | null
}

/** Whoever asks: somebody who is signed in, or a name that came with the node's token. */
export interface Who {
  name: string
  isPerson: boolean
}

export interface Request {
  operation: string
  /** Its JSON. */
  input: string
  who: Who
}

export interface SeenEvent {
  type: string
  actor: string
  at: number
}

/** An approval as the database has it, with what it was told. */
export interface SeenApproval {
  number: number
  operation: string
  input: string
  askedBy: string
  isPerson: boolean
  state: string
  expiresAt: number
  events: readonly SeenEvent[]
}

export interface ApprovalView {
  at: number
  approvals: readonly SeenApproval[]
  audit: readonly { operator: string; operation: string; outcome: string }[]
  people: readonly Person[]
  invitations: readonly { name: string; role: string }[]
  thresholds: readonly { operation: string; minor: bigint }[]
  frozen: readonly string[]
}

interface Known {
  request: Request
  /** What it is about, as that was when it was asked for. */
  subject: string
  /** What keeps them from approving it, of everybody who has tried. */
  tried: Map<string, string | null>
  isCarriedOut: boolean
}

/** As of orders: how far a node's clock may be off without a doubt, and what one event of the scheduler may take. */
const toleranceMs = 35_000

/** Whatever they move. What changes people takes two only as long as there are two. */
const ofPeople = ['operator.change', 'operator.disable', 'operator.enable', 'operator.invite']
const alwaysTwo = ['party.unfreeze', 'approval.setThreshold', ...ofPeople]

export class ApprovalTruth {
  readonly people: Map<string, Person>
  /** The parties that nothing goes on with. */
  readonly frozen = new Set<string>()
  readonly #sums: Sums
  readonly #known = new Map<number, Known>()
  readonly #invited = new Set<string>()
  /** How often each threshold was set, and each party frozen. */
  readonly #changes = new Map<string, number>()
  readonly #problems: string[] = []

  constructor(people: readonly Person[], thresholds: Readonly<Record<string, bigint>>) {
    this.people = new Map(people.map((person) => [person.name, { ...person }]))
    this.#sums = new Sums(thresholds)
  }

  /** Those who can sign in and may do as much. */
  able(role: 'operator' | 'administrator'): Person[] {
    return [...this.people.values()].filter((person) => may(person, role))
  }

  /** Somebody was told that it waits, under this number. */
  asked(number: number, request: Request): void {
    if (this.#known.has(number)) return
    const subject = this.#subject(request)
    this.#known.set(number, { request, subject, tried: new Map(), isCarriedOut: false })
  }

  /** Somebody is about to say yes to it. */
  tries(approver: string, { number, ...asked }: Pick<SeenApproval, 'number' | keyof Asked>): void {
    const known = this.#known.get(number)
    // Of several tries one is enough that was in order.
    if (known !== undefined && known.tried.get(approver) !== null)
      known.tried.set(approver, this.hindrance(approver, asked))
  }

  /** @returns what keeps somebody from approving it, null where nothing does */
  hindrance(name: string, { operation, askedBy, isPerson }: Asked): string | null {
    const person = this.people.get(name)
    if (person === undefined) return 'is nobody who signs in'
    if (!may(person, roleFor(operation)))
      return `is ${person.isEnabled ? `a mere ${person.role}` : 'disabled'}`
    if (name === askedBy) return 'has asked for it'
    const [asker, approver] = [holder({ name: askedBy, isPerson }), holder({ name, isPerson: true })]
    return this.#circle(asker) === this.#circle(approver) ? 'counts as one with whoever asked' : null
  }

  /** It was done without anybody else. */
  alone({ operation, input, who }: Request, at: number, moved: Moved = { minor: 0n, parties: [] }): void {
    const isTheirs = ofPeople.includes(operation) && this.independent < 2
    if (alwaysTwo.includes(operation) && !isTheirs)
      this.#problems.push(`${who.name} has done ${operation} ${input} alone`)
    this.#apply(operation, JSON.parse(input))
    if (isTheirs) this.#letIn(operation, JSON.parse(input).name, holder(who))
    const by = this.#circle(holder(who))
    for (const tooMuch of this.#sums.move(operation, by, at, moved))
      this.#problems.push(`${who.name} alone has moved ${moved.minor} by ${operation}, ${tooMuch}`)
  }

  /** Two were asked for. All that anybody ever moved alone is the most that may have been in the way. */
  askedFor({ operation, who }: Request, moved: Moved): void {
    if (this.#sums.isBelow(operation, this.#circle(holder(who)), moved))
      this.#problems.push(
        `${operation} of ${moved.minor} by ${who.name} takes two, and is below every threshold`,
      )
  }

  freezes(party: string): void {
    this.frozen.add(party)
    this.#count(`freeze ${party}`)
  }

  /** Whoever has the machine has changed an account, while no node lived. */
  change(name: string, changes: Partial<Pick<Person, 'role' | 'isEnabled'>>): void {
    const person = this.people.get(name)
    if (person !== undefined) Object.assign(person, changes)
  }

  /**
   * Whatever was carried out since.
   * @param people as they are now, for what came about at once: its order nobody outside can tell
   * @returns what nobody had heard of, which does now what it was asked for
   */
  carriedOut(seen: readonly SeenApproval[], people: ApprovalView['people']): SeenApproval[] {
    const fresh = seen.filter(({ number }) => this.#known.get(number)?.isCarriedOut === false)
    const about = fresh.map(({ input }): string => JSON.parse(input).name)
    for (const [index, approval] of fresh.entries()) {
      const { number, operation, input } = approval
      const known = this.#known.get(number) as Known
      known.isCarriedOut = true
      for (const name of hands(approval)) {
        const person = this.people.get(name)
        if (!about.includes(name) && (person === undefined || !may(person, roleFor(operation))))
          this.#problems.push(`approval ${number} of ${name}, who may not do it any more, was carried out`)
      }
      const isAlone = about.filter((name) => name === about[index]).length === 1
      if (isAlone && this.#subject(approval) !== known.subject)
        this.#problems.push(
          `approval ${number} of ${operation} was carried out, and ${input} has changed since`,
        )
      this.#apply(operation, JSON.parse(input))
    }
    for (const { name, role, isEnabled } of people)
      if (about.indexOf(name) !== about.lastIndexOf(name)) this.change(name, { role, isEnabled })
    return fresh
  }

  /** @returns what cannot be */
  check(view: ApprovalView): string[] {
    const problems = this.#problems.splice(0)
    for (const [index, approval] of view.approvals.entries()) {
      if (approval.number !== index + 1) problems.push(`approval ${index + 1} is missing`)
      problems.push(...this.#checkOne(approval, view))
    }
    for (const number of this.#known.keys())
      if (number > view.approvals.length) problems.push(`approval ${number} is gone`)
    for (const { name, role } of view.invitations)
      if (!this.#invited.has(`${name} ${role}`))
        problems.push(`${name} is invited as ${role}, and nobody did`)
    const people = [...this.people.values()].map(written).toSorted()
    const same = [
      ['people', people, view.people.map(written).toSorted()],
      [
        'thresholds',
        [...this.#sums.thresholds].map(([operation, minor]) => `${operation} ${minor}`).toSorted(),
        view.thresholds.map(({ operation, minor }) => `${operation} ${minor}`).toSorted(),
      ],
      ['frozen parties', [...this.frozen].toSorted(), view.frozen.toSorted()],
    ] as const
    for (const [what, expected, found] of same)
      if (expected.join() !== found.join())
        problems.push(`the ${what} are ${found.join()}, and should be ${expected.join()}`)
    return problems
  }

  /** Once everything is healed, and time has passed. */
  checkAtRest({ approvals, at }: ApprovalView): string[] {
    return approvals
      .filter(
        ({ state, expiresAt }) => (state === 'asked' || state === 'approved') && expiresAt + toleranceMs < at,
      )
      .map(({ number, state }) => `approval ${number} is ${state} for ever`)
  }

  #checkOne(approval: SeenApproval, { at, audit }: ApprovalView): string[] {
    const { number, operation, state, events, askedBy, expiresAt } = approval
    const known = this.#known.get(number)
    if (known === undefined) return [`approval ${number} of ${operation} was never asked for by ${askedBy}`]
    const { request } = known
    const problems: string[] = []
    const say = (text: string) => problems.push(`approval ${number} of ${operation} ${text}`)
    const isSame =
      request.operation === operation && request.input === approval.input && isOf(request.who, approval)
    if (!isSame) say(`is not what was asked for: ${request.who.name} ${request.operation} ${request.input}`)
    if (events[0]?.type !== 'approval.ask' || events[0].actor !== askedBy)
      say(`does not begin with ${askedBy}, who asked`)
    const yes = events.findIndex(({ type }) => type === 'approval.approve')
    const done = events.flatMap(({ type }, index) => (type === 'approval.carry_out' ? [index] : []))
    const approver = events[yes]?.actor
    if (approver !== undefined) {
      const hindrance = known.tried.get(approver)
      if (hindrance === undefined) say(`is approved by ${approver}, who never said so`)
      else if (hindrance !== null) say(`is approved by ${approver}, who ${hindrance}`)
    }
    if (done.length > 1 || (done.length === 1) !== (state === 'carried_out'))
      say(`is ${state}, and was carried out ${done.length} times`)
    for (const index of done) {
      if (yes < 0 || yes > index) say('was carried out, and nobody had approved it')
      if (index !== events.length - 1) say(`was carried out, and then ${events.at(-1)?.type}`)
      if ((events[index]?.at ?? 0) >= expiresAt) say('was carried out after its time')
      const entry = `done (approval ${number}, approved by ${approver})`
      const own = audit.filter((one) => one.operation === operation && one.operator === askedBy)
      const told = own.filter(({ outcome }) => outcome.startsWith(entry))
      // A node that was killed in the middle has left its entry as it was begun.
      const isTold =
        told.length === 1 || (told.length === 0 && own.some(({ outcome }) => outcome === 'begun'))
      if (!isTold) say(`is ${told.length} times in the audit log with ${askedBy} and ${approver}`)
    }
    if (state === 'expired' && at + toleranceMs < expiresAt)
      say(`expired ${Math.round((expiresAt - at) / 1000)} s before its time`)
    return problems
  }

  #subject({ operation, input }: Pick<Request, 'operation' | 'input'>): string {
    const { name, operation: judged = '*' } = JSON.parse(input)
    const person = this.people.get(name)
    if (operation === 'party.unfreeze') return `frozen ${this.#changes.get(`freeze ${name}`)} times`
    if (operation === 'approval.setThreshold') return `set ${this.#changes.get(`set ${judged}`)} times`
    return person === undefined || !ofPeople.includes(operation) ? '' : `${person.role} ${person.isEnabled}`
  }

  #count(change: string): void {
    this.#changes.set(change, (this.#changes.get(change) ?? 0) + 1)
  }

  /** What it does to those who may do things. Money is the bookkeeper's. */
  #apply(operation: string, { name, role, amount, operation: judged = '*' }: Record<string, string>): void {
    if (operation === 'operator.change') this.change(name ?? '', { role: role as Person['role'] })
    else if (operation === 'operator.disable') this.change(name ?? '', { isEnabled: false })
    else if (operation === 'operator.enable') this.change(name ?? '', { isEnabled: true })
    else if (operation === 'operator.invite') this.#invited.add(`${name} ${role}`)
    else if (operation === 'party.unfreeze') this.frozen.delete(name ?? '')
    else if (operation === 'approval.setThreshold') {
      this.#sums.thresholds.set(judged, BigInt((amount ?? '').replace('.', '')))
      this.#count(`set ${judged}`)
    }
  }

  #letIn(operation: string, name: string, letInBy: string): void {
    const person = this.people.get(name)
    const isWayIn = operation === 'operator.change' || operation === 'operator.enable'
    if (person !== undefined && isWayIn && letInBy !== name) person.letInBy = letInBy
  }

  /** How many there are who could approve what one of the others asks for. */
  get independent(): number {
    const able = this.able('administrator').map(({ name }) => this.#circle(holder({ name, isPerson: true })))
    return new Set(able).size
  }

  /** Whom they all come from; of those who have let in each other, the first by name. */
  #circle(one: string, below: readonly string[] = []): string {
    const above = this.people.get(one)?.letInBy ?? null
    if (above === null) return one
    const loop = [...below, one]
    return loop.includes(above)
      ? (loop.slice(loop.indexOf(above)).toSorted()[0] ?? one)
      : this.#circle(above, loop)
  }
}

type Asked = Pick<SeenApproval, 'operation' | 'input' | 'askedBy' | 'isPerson'>

/** All who have the token are one. */
function holder({ name, isPerson }: Who): string {
  return isPerson ? name : 'the token'
}

function isOf(who: Who, { askedBy, isPerson }: Pick<SeenApproval, 'askedBy' | 'isPerson'>): boolean {
  return who.name === askedBy && who.isPerson === isPerson
}

/** Whoever asked and whoever approved, as far as they are signed in. */
export function hands({ isPerson, askedBy, events }: SeenApproval): string[] {
  const approver = events.find(({ type }) => type === 'approval.approve')?.actor
  return [...(isPerson ? [askedBy] : []), ...(approver === undefined ? [] : [approver])]
}

function roleFor(operation: string): 'operator' | 'administrator' {
  return operation === 'exception.resolve' ? 'operator' : 'administrator'
}

function may({ role, isEnabled }: Person, least: 'operator' | 'administrator'): boolean {
  return isEnabled && (role === 'administrator' || role === least)
}

function written({ name, role, isEnabled, letInBy }: Person): string {
  return `${name} ${isEnabled ? role : 'disabled'}${letInBy === null ? '' : ` by ${letInBy}`}`
}
