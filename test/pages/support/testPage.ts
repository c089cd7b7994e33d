import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { launchChromium } from '../../../src/launcher/browser.ts';
import { HostHandshake } from '../../../src/webviews/protocol/handshake.ts';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { artifactsFolder } from '../../editor/support/artifacts.ts';
import { findAxeViolations } from '../../editor/support/axe.ts';
import { pageOrigin, postToPage, servePage } from '../../support/servePage.ts';
import { pagesFolder } from './bundlePages.ts';
import { findLayoutProblems, layoutSizes } from './layout.ts';

export type PageTheme = 'light' | 'dark' | 'hc';
export const pageThemes: readonly PageTheme[] = ['light', 'dark', 'hc'];

const waitMs = 15_000;

interface Message {
  readonly type: string;
}

export interface PageOptions {
  readonly theme?: PageTheme;
  /** The state that the page persisted before a reload of the window. */
  readonly state?: unknown;
  readonly translations?: Readonly<Record<string, string>>;
  /** The user agent of the browser, such as that of a browser on a Mac. */
  readonly userAgent?: string;
  /** The HTML of the page, if it does not load a bundle. */
  readonly html?: string;
}

let browser: Browser | undefined;

/** The folder for coverage data; set by `npm run coverage`. */
const coverageFolder = process.env['DATAMODEL_STUDIO_COVERAGE'];

async function startCoverage(page: Page): Promise<void> {
  if (coverageFolder !== undefined) {
    await page.coverage.startJSCoverage({ resetOnNavigation: false });
  }
}

async function saveCoverage(page: Page): Promise<void> {
  if (coverageFolder === undefined) {
    return;
  }
  const entries = await page.coverage.stopJSCoverage();
  const result = entries
    .filter(({ url }) => url.startsWith(pageOrigin))
    .map(({ url, scriptId, functions }) => ({
      scriptId,
      functions,
      url: pathToFileURL(join(pagesFolder, new URL(url).pathname)).href,
    }));
  await writeFile(join(coverageFolder, `page-${randomUUID()}.json`), JSON.stringify({ result }));
}

/** Starts one browser for all tests of a file; each page gets a separate browser context. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) {
      await Promise.all(context.pages().map(saveCoverage));
      await context.close();
    }
  });
  afterAll(async () => {
    await browser?.close();
    browser = undefined;
  });
}

/** A page of the product in a browser, without VS Code: the test is its host. */
export class TestPage<ToPage extends object, FromPage extends Message> {
  readonly page: Page;
  readonly messages: FromPage[] = [];
  /** The state that the page has persisted. */
  state: unknown;
  readonly #handshake: HostHandshake<ToPage>;
  readonly #respond: (message: FromPage, testPage: TestPage<ToPage, FromPage>) => unknown;
  readonly #errors: string[] = [];

  private constructor(
    page: Page,
    state: unknown,
    respond: (message: FromPage, testPage: TestPage<ToPage, FromPage>) => unknown,
  ) {
    this.page = page;
    this.state = state;
    this.#respond = respond;
    this.#handshake = new HostHandshake((message) => {
      void postToPage(page, message);
    });
  }

  /**
   * Opens a page by the name of its folder in `src/webviews`. Errors of its script are collected: see
   * {@link assertNoErrors}.
   * @param respond called with each message of the page, to reply as its host
   */
  static async open<ToPage extends object, FromPage extends Message>(
    name: string,
    options: PageOptions = {},
    respond: (message: FromPage, testPage: TestPage<ToPage, FromPage>) => unknown = () => undefined,
  ): Promise<TestPage<ToPage, FromPage>> {
    if (browser === undefined) {
      throw new Error('Call useBrowser() first');
    }
    const context = await browser.newContext({
      viewport: { width: 1000, height: 700 },
      reducedMotion: 'reduce',
      ...(options.userAgent === undefined ? {} : { userAgent: options.userAgent }),
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    await startCoverage(page);
    const testPage = new TestPage<ToPage, FromPage>(page, options.state, respond);
    page.on('pageerror', (error) => testPage.#errors.push(String(error.stack)));
    await servePage(
      page,
      { ...options, bundle: name, folder: pagesFolder },
      {
        receive: (message: FromPage) => testPage.#receive(message),
        saveState: (state) => {
          testPage.state = state;
        },
      },
    );
    page.setDefaultTimeout(waitMs);
    await testPage.setTheme(options.theme ?? 'light');
    return testPage;
  }

  /** Posts a message as the host; it is queued until the page listens. */
  post(message: ToPage): void {
    this.#handshake.post(message);
  }

  /** Waits until the latest message of a type passes the check, and returns it. */
  async waitForMessage<Type extends FromPage['type']>(
    type: Type,
    check: (message: Extract<FromPage, { type: Type }>) => boolean = () => true,
  ): Promise<Extract<FromPage, { type: Type }>> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const newest = this.messages.findLast(
        (message): message is Extract<FromPage, { type: Type }> => message.type === type,
      );
      if (newest !== undefined && check(newest)) {
        return newest;
      }
      if (performance.now() > deadline) {
        throw new Error(
          `The page did not post ${type}; it posted ${JSON.stringify(this.messages).slice(-2000)}`,
        );
      }
      // Messages of the page arrive between two calls into it.
      await this.page.evaluate(() => new Promise(requestAnimationFrame));
    }
  }

  /** Sets the colors of a theme, as VS Code does for pages. */
  async setTheme(theme: PageTheme): Promise<void> {
    const path = join(projectRoot, 'test', 'fixtures', 'themes', `${theme}.json`);
    const { bodyClass, kind, variables } = JSON.parse(await readFile(path, 'utf8'));
    await this.page.evaluate(
      (themeData) => {
        // Not every theme sets every variable.
        document.documentElement.removeAttribute('style');
        for (const [name, value] of Object.entries(themeData.variables)) {
          document.documentElement.style.setProperty(name, String(value));
        }
        document.body.className = themeData.bodyClass;
        document.body.dataset['vscodeThemeKind'] = themeData.kind;
        Object.assign(document.body.style, {
          color: 'var(--vscode-editor-foreground)',
          background: 'var(--vscode-editor-background)',
          font: 'var(--vscode-font-weight) var(--vscode-font-size) var(--vscode-font-family)',
          margin: '0',
          padding: '0 20px',
        });
      },
      { bodyClass, kind, variables },
    );
  }

  /** Returns the accessibility problems that axe finds; empty if there are none. */
  findAxeViolations(): Promise<readonly string[]> {
    return findAxeViolations(this.page.mainFrame());
  }

  /**
   * Returns the layout problems in a narrow window and at a zoom of 200 %; empty if there are none. Saves a screenshot of
   * each size.
   */
  async findLayoutProblems(name: string): Promise<readonly string[]> {
    const problems: string[] = [];
    const previousSize = this.page.viewportSize();
    for (const [size, viewport] of Object.entries(layoutSizes)) {
      await this.page.setViewportSize(viewport);
      // Elements that depend on the size of the page are drawn one frame after the new size is reported.
      await this.page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      problems.push(...(await findLayoutProblems(this.page)).map((problem) => `${size}: ${problem}`));
      await this.screenshot(`${name}-${size}`);
    }
    if (previousSize !== null) {
      await this.page.setViewportSize(previousSize);
    }
    return problems;
  }

  async screenshot(name: string): Promise<void> {
    const folder = join(artifactsFolder, 'screenshots');
    await mkdir(folder, { recursive: true });
    await this.page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  }

  /** @throws Error if a script of the page has failed */
  assertNoErrors(): void {
    if (this.#errors.length > 0) {
      throw new Error(this.#errors.join('\n'));
    }
  }

  #receive(message: FromPage): void {
    if (!this.#handshake.handleMessage(message)) {
      this.messages.push(message);
      this.#respond(message, this);
    }
  }
}
