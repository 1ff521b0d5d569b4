/** Takes pictures of pages so that two runs give the same bytes. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Instant } from '../../machines/time.ts'
import { screens } from '../../test/support/browser.ts'

export interface Picture {
  readonly name: string
  readonly url: string
  /** What is done on the page before it is looked at. */
  prepare?(page: Page): Promise<void>
}

/** Pages that are looked at one after another by the same visitor. */
export interface Album {
  readonly now: Instant
  readonly locale: string
  readonly pictures: readonly Picture[]
  /** A phone is offered other things than a computer, so that each screen has a visitor of its own. */
  readonly isForFingers?: boolean
  /** What the visitor does before the first page. */
  enter(page: Page): Promise<void>
  stop(): Promise<void>
}

export interface Shot {
  /** The picture's name, the screen's and the theme's. */
  readonly name: string
  readonly png: Buffer
}

/**
 * What a run cannot fix, because the machine says it: ports, folders, room on the disk, how long an answer took.
 * It is told the same way on every picture.
 */
const steady = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const replaced = [
    [/127\\.0\\.0\\.1:\\d+/g, '127.0.0.1:8480'],
    [/\\/\\S*ventanilla-test-[A-Za-z0-9]+/g, '/var/lib/ventanilla'],
    [/\\b\\d+ ms\\b/g, '12 ms'],
    [/\\b[\\d.,]+ (GB|GiB|MB|MiB)\\b/g, '40 $1'],
  ]
  while (walker.nextNode()) {
    const { currentNode } = walker
    for (const [pattern, text] of replaced) currentNode.data = currentNode.data.replace(pattern, text)
  }
  scrollTo(0, 0)
  return document.fonts.ready.then(() => null)
})()`

/** The pictures of an album whose names hold the text, each on both screens in both themes. */
export async function* takePictures(browser: Browser, album: Album, wanted = ''): AsyncGenerator<Shot> {
  for await (const { name, page } of lookAtPages(browser, album, wanted)) {
    const png = await onceDrawn(() =>
      album.isForFingers ? wholePage(page) : page.screenshot({ ...steadily, fullPage: true }),
    )
    yield { name, png }
  }
}

/** On a busy machine Chromium leaves parts out that it has not drawn yet: a picture is whole once the next is the same. */
async function onceDrawn(take: () => Promise<Buffer>): Promise<Buffer> {
  let png = await take()
  for (let again = 0; again < 5; again++) {
    const next = await take()
    if (next.equals(png)) break
    png = next
  }
  return png
}

const steadily = { animations: 'disabled', caret: 'hide' } as const

/** Chromium takes a picture that is larger than the screen without the fingers that it was told of. */
async function wholePage(page: Page): Promise<Buffer> {
  const before = page.viewportSize()
  const height: number = await page.evaluate('document.documentElement.scrollHeight')
  if (before !== null) await page.setViewportSize({ ...before, height: Math.max(before.height, height) })
  const png = await page.screenshot(steadily)
  if (before !== null) await page.setViewportSize(before)
  return png
}

/** What a picture would be taken of, as it is shown until the next is asked for. */
export interface Look {
  /** As of the shot. */
  readonly name: string
  readonly page: Page
}

export async function* lookAtPages(browser: Browser, album: Album, wanted = ''): AsyncGenerator<Look> {
  const pictures = album.pictures.filter(({ name }) => name.includes(wanted))
  if (pictures.length === 0) return
  const visits = album.isForFingers ? allScreens.map((screen) => [screen]) : [allScreens]
  for (const seen of visits) yield* visit(browser, album, pictures, seen)
}

type Screen = keyof typeof screens
const allScreens: readonly Screen[] = ['phone', 'desktop']

async function* visit(
  browser: Browser,
  album: Album,
  pictures: readonly Picture[],
  seen: readonly Screen[],
): AsyncGenerator<Look> {
  const [first = 'phone'] = seen
  const context = await browser.newContext({
    ...screens[first],
    hasTouch: album.isForFingers === true && first === 'phone',
    locale: album.locale,
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  })
  try {
    const page = await openPage(context, album)
    await album.enter(page)
    for (const picture of pictures) {
      await page.setViewportSize(screens[first].viewport)
      await page.goto(picture.url)
      await picture.prepare?.(page)
      await page.evaluate(steady)
      yield* showViews(page, picture.name, seen)
    }
  } finally {
    await context.close()
  }
}

/** The page's clock stands still, with all that it counts and asks for now and then. */
async function openPage(context: BrowserContext, { now }: Album): Promise<Page> {
  const page = await context.newPage()
  // It runs from its installation until it is stopped, so it is stopped well ahead of where it can have come.
  await page.clock.install({ time: now - 3_600_000 })
  await page.clock.pauseAt(now)
  return page
}

async function* showViews(page: Page, name: string, seen: readonly Screen[]): AsyncGenerator<Look> {
  for (const screen of seen) {
    await page.setViewportSize(screens[screen].viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      yield { name: `${name}-${screen}-${colorScheme}`, page }
    }
  }
}
