/**
 * Templates are texts in modules, not files: a node that is one executable finds them too. What a template
 * writes with `<%= %>` is escaped; `<%~ %>` is for markup of our own alone.
 */
import { Eta } from 'eta/core'

const eta = new Eta({ autoEscape: true, autoTrim: [false, 'nl'] })

export function template<Data extends object>(source: string): (data: Data) => string {
  const compiled = eta.compile(source)
  return (data) => compiled.call(eta, data)
}
