/** An order that was archived: what the database still knows of it, and where all of it is. */
import { archiveShow } from '../../../actors/archive/operations.ts'
import { code, groupedCode, partyLink, shortId, state, time } from '../cells.ts'
import type { Page } from '../page.ts'
import { joined, named } from '../readable.ts'

export const archivedPage: Page = {
  path: /^\/archive\/(?<id>[\w-]{1,64})$/,
  least: 'viewer',
  room: 'Orders',
  async render({ ask, params }) {
    const remains = await ask(archiveShow, { id: params.id ?? '' })
    const { id, file } = remains
    return {
      title: ({ archived }) => archived.title(shortId(id)),
      heading: joined([({ archived }) => archived.title(shortId(id)), named(remains.status)]),
      crumb: { href: '/orders', text: ({ common }) => common.orders },
      blocks: [
        {
          kind: 'facts',
          items: [
            [({ common }) => common.status, state(remains.status)],
            [({ common }) => common.merchant, partyLink('merchant', remains.merchant)],
            [({ common }) => common.merchantsId, { text: remains.merchantOrderId, isCode: true, copy: true }],
            [({ common }) => common.order, { text: id, isCode: true, copy: true }],
            [({ common }) => common.code, groupedCode(remains.code)],
            [({ common }) => common.kind, named(remains.direction)],
            [({ common }) => common.created, time(remains.created)],
            [({ archived }) => archived.since, time(remains.archived)],
            [({ archived }) => archived.file, code(file)],
            [({ archived }) => archived.entries, String(remains.journalEntries)],
            [({ archived }) => archived.digest, code(remains.digest)],
            [({ archived }) => archived.erased, time(remains.erased)],
          ],
        },
        { kind: 'text', text: ({ archived }) => archived.whereItIs(file) },
        {
          kind: 'source',
          label: ({ archived }) => archived.command,
          text: `ventanilla archive show ${id}`,
        },
      ],
    }
  },
}
