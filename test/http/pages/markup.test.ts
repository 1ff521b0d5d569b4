import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { attributes, type Content, html, trusted } from '../../../http/pages/markup.ts'
import { naughtyTexts, readBack, skeletonOf } from '../../support/markup.ts'

test('whatever text is written between elements or in an attribute is read back as that text, and is nothing else', () => {
  fc.assert(
    fc.property(naughtyTexts, (text) => {
      const page = String(
        html`<p title="${text}" class="a ${text}"${attributes({ id: text })}>${text}<b>${text}</b></p>`,
      )
      assert.equal(skeletonOf(page), ['<p title="" class="" id="">', '<b>', '</b>', '</p>'])
      const [, title = '', list = '', id = '', first = '', second = ''] =
        /^<p title="([^"]*)" class="a ([^"]*)" id="([^"]*)">([^<]*)<b>([^<]*)<\/b><\/p>$/.exec(page) ?? []
      assert.equal([title, list, id, first, second].map(readBack), [text, text, text, text, text])
    }),
  )
})

test('markup goes in as it is, alone or as a list, and what is in it is escaped once', () => {
  const items = ['<', '&'].map((each) => html`<li>${each}</li>`)
  assert.is(
    String(html`<ul>${items}</ul>${html`<b>${3}</b>`}`),
    '<ul><li>&lt;</li><li>&amp;</li></ul><b>3</b>',
  )
  assert.is(String(html`<style>${trusted('a > b { }')}</style>${'>'}`), '<style>a > b { }</style>&gt;')
})

test('an attribute is left out for false, null and undefined, and is a name alone for true', () => {
  const given = attributes({ open: true, hidden: false, id: undefined, title: null, rows: 0, value: '' })
  assert.is(String(html`<p class="x"${given}>`), '<p class="x" open rows="0" value="">')
})

const misplaced: readonly (readonly [name: string, make: () => unknown])[] = [
  ['a text as an attribute', () => html`<p ${'onclick=alert(1)'}>`],
  ['a text without quotes', () => html`<p title=${'a onclick=alert(1)'}>`],
  ['a text in single quotes', () => html`<p title='${'a'}'>`],
  ['a text as an element', () => html`<${'script'}>`],
  ['a text after the attributes', () => html`<p title="a > b" ${'x'}>`],
  ['markup as an attribute', () => html`<p ${html`a`}>`],
  ['markup within an attribute', () => html`<p title="${html`<b>"</b>`}">`],
  ['a list within an attribute', () => html`<p title="${[html`a`]}">`],
  ['attributes between elements', () => html`<p>${attributes({ a: 1 })}</p>`],
  ['a text in a script', () => html`<script>${'alert(1)'}</script>`],
  ['a text in a style', () => html`<style>a { color: ${'red'} }</style>`],
  [
    'a text among markup in a list',
    () => html`<p>${['a', html`b`] as unknown as Content}${undefined as unknown as Content}</p>`,
  ],
  ['what is not there', () => html`<p>${undefined as unknown as Content}</p>`],
  [
    'an object that looks like markup',
    () => html`<p>${{ kind: 'markup', toString: () => '<b>' } as unknown as Content}</p>`,
  ],
]
for (const [name, make] of misplaced) {
  test(`a template refuses ${name}`, () => assert.throws(make, /A template cannot write /))
}

test.run()
