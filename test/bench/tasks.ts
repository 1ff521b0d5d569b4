/**
 * Fifteen tasks that operators come for, in a browser, on a desktop and on a phone, in three languages, over many orders: clicks of each,
 * and its time with all its pages. `npm run bench -- tasks --folder FOLDER`, whose folder `bench -- pages` has filled.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { languages } from '../../actors/people/languages.ts'
import { launchBrowser, screens } from '../support/browser.ts'
import { type ConsoleWorld, password, startConsoleWorld } from '../support/console.ts'
import { carryOutAll } from '../support/console-tasks.ts'
import { median, printTable } from './figures.ts'

type Browser = NonNullable<Awaited<ReturnType<typeof launchBrowser>>>

export async function benchTasks({ folder }: { folder?: string }): Promise<void> {
  if (folder === undefined)
    throw new Error('--folder names what `npm run bench -- pages --folder` has filled.')
  const browser = await launchBrowser()
  if (browser === null) throw new Error('There is no Chromium.')
  const found = new Map<string, { clicks: number[]; seconds: number[] }>()
  try {
    for (const screen of ['desktop', 'phone'] as const) {
      for (const language of languages) {
        for (const { name, clicks, milliseconds } of await carriedOut(browser, {
          folder,
          screen,
          language,
        })) {
          const one = found.get(name) ?? { clicks: [], seconds: [] }
          one.clicks.push(clicks)
          one.seconds.push(milliseconds / 1000)
          found.set(name, one)
        }
      }
    }
  } finally {
    await browser.close()
  }
  printTable(
    ['task', 'clicks', 'median s', 'max s'],
    [...found].map(([name, { clicks, seconds }]) => [
      name,
      [...new Set(clicks)].join(' or '),
      median(seconds).toFixed(1),
      Math.max(...seconds).toFixed(1),
    ]),
  )
  const all = [...found.values()].map(({ clicks }) => Math.max(...clicks))
  console.log(
    `${median(all)} clicks in the middle; in ${languages.join(', ')}, ${Object.keys(screens).join(' and ')}.`,
  )
}

interface Setting {
  folder: string
  screen: keyof typeof screens
  language: (typeof languages)[number]
}

/** A world of its own each, since tasks change it. */
async function carriedOut(browser: Browser, { folder, screen, language }: Setting) {
  const directory = mkdtempSync(join(tmpdir(), 'ventanilla-bench-'))
  cpSync(folder, directory, { recursive: true })
  const world = await startConsoleWorld({ directory })
  const context = await browser.newContext({ viewport: screens[screen].viewport, locale: 'en-US' })
  try {
    const page = await context.newPage()
    await signIn(page, world)
    return await carryOutAll(page, world, language)
  } finally {
    await context.close()
    await world.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function signIn(page: Awaited<ReturnType<Browser['newPage']>>, { node }: ConsoleWorld): Promise<void> {
  await page.goto(`${node.operatorUrl}/sign-in`)
  await page.locator('[name=name]').fill('administrator')
  await page.locator('[name=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${node.operatorUrl}/`)
}
