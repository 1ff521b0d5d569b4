/** A page as a browser reads it: what it is made of, and what it says. */
import { type DefaultTreeAdapterTypes, parse } from 'parse5'

export interface ReadPage {
  /** Each kind of element once, with the names of its attributes: `a href title`. */
  kinds: Set<string>
  scripts: number
  /** All texts and the values of all attributes. */
  texts: string[]
}

export function readPage(markup: string): ReadPage {
  const page: ReadPage = { kinds: new Set(), scripts: 0, texts: [] }
  const visit = (node: DefaultTreeAdapterTypes.Node) => {
    if ('value' in node) page.texts.push(node.value)
    if ('attrs' in node) {
      page.kinds.add([node.tagName, ...node.attrs.map(({ name }) => name)].join(' '))
      page.texts.push(...node.attrs.map(({ value }) => value))
      if (node.tagName === 'script') page.scripts++
    } else if (node.nodeName === '#comment') page.kinds.add('comment')
    if ('childNodes' in node) for (const child of node.childNodes) visit(child)
  }
  visit(parse(markup))
  return page
}
