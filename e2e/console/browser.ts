import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { findChromium, waitFor } from '@tally/testkit';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { PASSWORD } from '../fixtures/suite-fixture.js';

/** Software rendering, so that a machine without a display draws in three dimensions, too. */
const ARGUMENTS = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** A busy machine delays everything; a test as a whole has its own limit. */
const CONDITION_MS = 90_000;

/** Runs in every page before its own scripts. */
const LONG_TASKS = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(Math.round(duration));
  }).observe({ type: 'longtask', buffered: true });`;

/** A page of a browser of its own session, and what went wrong in it. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts, and what the page's policy refused. */
  readonly faults: string[];
}

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: ARGUMENTS });
}

export async function visit(browser: Browser, size = { width: 1280, height: 860 }): Promise<Visit> {
  const context = await browser.newContext({ viewport: size });
  context.setDefaultTimeout(CONDITION_MS);
  const page = await context.newPage();
  await page.addInitScript(LONG_TASKS);
  const faults: string[] = [];
  page.on('pageerror', (err) => faults.push(String(err)));
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!/^(?:http:\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url())) faults.push(`request to ${request.url()}`);
  });
  return { context, page, faults };
}

/** Signs in on the page, which asks for it. */
export async function signIn(page: Page, username = 'user-1', password = PASSWORD): Promise<void> {
  await page.getByLabel('User name').fill(username);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Tasks that have kept the page from answering for more than 50 ms since the last call, milliseconds each. */
export function takeLongTasks(page: Page): Promise<number[]> {
  return page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks.splice(0));
}

/** From the last page of results that has come until its plane is painted, which is waited for, milliseconds. */
export function pictureMs(page: Page): Promise<number> {
  const measure = () =>
    page.evaluate(() => {
      const last = (name: string) => performance.getEntriesByName(name).at(-1)?.startTime ?? Number.NaN;
      return Math.round(last('plane painted') - last('page read'));
    });
  const painted = async () => {
    const ms = await measure();
    return ms > 0 && ms;
  };
  return waitFor(painted, { what: 'the picture' });
}

/** What axe-core calls serious or critical, by rule and element. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(AXE, 'utf8'));
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
    };
    return (await axe.run()).violations;
  });
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
}

/** Where an element is, and its size, in pixels; asked again while it has none, as when it is replaced at that moment. */
export const placeOf = (element: Locator) => waitFor(() => element.boundingBox(), { what: 'the place of an element' });

/** Drops a file, or a folder, on the place for it, as from a window of files. */
export async function dropFile(page: Page, context: BrowserContext, file: string): Promise<void> {
  const { x, y } = await placeOf(page.locator('[data-drop]'));
  const place = { x: x + 20, y: y + 20 };
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  const session = await context.newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...place, data });
  await session.detach();
}
