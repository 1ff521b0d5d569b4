/**
 * Statements: built with Kysely once, run many times with other arguments.
 *
 * Inside the builder an argument is `arg('name')`; an engine compiles the query for its dialect at first use
 * and puts the arguments' values into their places at each run.
 */
import type { Compilable, Kysely } from 'kysely'
import type { Tables } from './schema.ts'

/** What a builder may depend on besides its arguments. */
export interface BuildContext {
  db: Kysely<Tables>
  engine: 'sqlite' | 'postgres'
}

/** Stands in a compiled query where an argument's value goes. */
export class Argument {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

export interface Statement<Arguments, Row> {
  /** For logs and metrics. */
  readonly name: string
  build(context: BuildContext): Compilable<Row>
  /** It reads reference tables alone, so that what it has found may be kept. */
  readonly isOfReference: boolean
  /** Never set: carries the arguments' type. */
  readonly arguments?: Arguments
}

export type ArgumentOf<Arguments> = <Name extends keyof Arguments & string>(name: Name) => Arguments[Name]

/**
 * @example
 * const orderByCode = statement<{ code: string }>()('order.byCode', ({ db }, arg) =>
 *   db.selectFrom('orders').selectAll().where('code', '=', arg('code')))
 */
export function statement<Arguments extends object>() {
  return <Row>(
    name: string,
    build: (context: BuildContext, arg: ArgumentOf<Arguments>) => Compilable<Row>,
    { isOfReference = false } = {},
  ): Statement<Arguments, Row> => ({
    name,
    isOfReference,
    // The one cast: Kysely keeps a parameter as the value it is given, and looks into none.
    build: (context) => build(context, (argument) => new Argument(argument) as never),
  })
}
