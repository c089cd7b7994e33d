import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { launchChromium } from '../../../src/launcher/browser.ts';
import { renderWebviewHtml } from '../../../src/platform/webviewHtml.ts';
import { HostHandshake } from '../../../src/webviews/protocol/handshake.ts';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { artifactsFolder } from '../../editor/support/artifacts.ts';
import { findAxeViolations } from '../../editor/support/axe.ts';
import { pagesFolder } from './bundlePages.ts';

export type PageTheme = 'light' | 'dark' | 'hc';
export const pageThemes: readonly PageTheme[] = ['light', 'dark', 'hc'];

/** As in the editor, a secure context: without it, pages have no clipboard. */
const origin = 'https://page.test';
const waitMs = 15_000;

interface Message {
  readonly type: string;
}

export interface PageOptions {
  readonly theme?: PageTheme;
  /** What the page kept before a reload of the window. */
  readonly state?: unknown;
  readonly translations?: Readonly<Record<string, string>>;
  /** The whole page, for one without a script of its own. */
  readonly html?: string;
}

let browser: Browser | undefined;

/** Set by `npm run coverage`. */
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
    .filter(({ url }) => url.startsWith(origin))
    .map(({ url, scriptId, functions }) => ({
      scriptId,
      functions,
      url: pathToFileURL(join(pagesFolder, new URL(url).pathname)).href,
    }));
  await writeFile(join(coverageFolder, `page-${randomUUID()}.json`), JSON.stringify({ result }));
}

/** Gives the tests of a file one browser; each page has a context of its own. */
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
export class TestPage<Out extends object, In extends Message> {
  readonly page: Page;
  readonly messages: In[] = [];
  /** What the page asked the editor to keep. */
  state: unknown;
  readonly #handshake: HostHandshake<Out>;
  readonly #errors: string[] = [];

  private constructor(page: Page, state: unknown) {
    this.page = page;
    this.state = state;
    this.#handshake = new HostHandshake((message) => {
      void page.evaluate((data) => window.postMessage(data, window.origin), message as unknown);
    });
  }

  /**
   * Opens a page by the name of its folder in `src/webviews`.
   * @throws Error if its script fails
   */
  static async open<Out extends object, In extends Message>(
    name: string,
    options: PageOptions = {},
  ): Promise<TestPage<Out, In>> {
    if (browser === undefined) {
      throw new Error('Call useBrowser() first');
    }
    const context = await browser.newContext({
      viewport: { width: 1000, height: 700 },
      reducedMotion: 'reduce',
      baseURL: origin,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    await startCoverage(page);
    const opened = new TestPage<Out, In>(page, options.state);
    page.on('pageerror', (error) => opened.#errors.push(String(error.stack)));
    await page.exposeFunction('postToHost', (message: In) => opened.#receive(message));
    await page.exposeFunction('keepState', (state: unknown) => {
      opened.state = state;
    });
    await page.addInitScript((initial: unknown) => {
      const host = globalThis as unknown as {
        postToHost(message: unknown): void;
        keepState(state: unknown): void;
      };
      let state = initial;
      globalThis.acquireVsCodeApi = () => ({
        postMessage: (message: unknown) => host.postToHost(message),
        getState: () => state,
        setState: (next: unknown) => {
          state = next;
          host.keepState(next);
          return next;
        },
      });
    }, options.state);
    const bundled = renderWebviewHtml({
      script: `/${name}.js`,
      style: `/${name}.css`,
      cspSource: origin,
      nonce: 'test',
      title: name,
      language: 'en',
      translations: options.translations ?? {},
    });
    await page.route(`${origin}/**`, (route) => {
      const { pathname } = new URL(route.request().url());
      return pathname === '/'
        ? route.fulfill({ contentType: 'text/html', body: options.html ?? bundled })
        : route.fulfill({ path: join(pagesFolder, pathname) });
    });
    await page.goto('/');
    page.setDefaultTimeout(waitMs);
    await opened.setTheme(options.theme ?? 'light');
    return opened;
  }

  /** Posts a message as the host; it waits until the page listens. */
  post(message: Out): void {
    this.#handshake.post(message);
  }

  /** Waits for the newest message of a type that passes the check. */
  async receives<Type extends In['type']>(
    type: Type,
    check: (message: Extract<In, { type: Type }>) => boolean = () => true,
  ): Promise<Extract<In, { type: Type }>> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const newest = this.messages.findLast(
        (message): message is Extract<In, { type: Type }> => message.type === type,
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

  /** Shows the page in the colors that the editor gives to pages. */
  async setTheme(theme: PageTheme): Promise<void> {
    const path = join(projectRoot, 'test', 'fixtures', 'themes', `${theme}.json`);
    const { bodyClass, kind, variables } = JSON.parse(await readFile(path, 'utf8'));
    await this.page.evaluate(
      (look) => {
        // Not every theme sets every variable.
        document.documentElement.removeAttribute('style');
        for (const [name, value] of Object.entries(look.variables)) {
          document.documentElement.style.setProperty(name, String(value));
        }
        document.body.className = look.bodyClass;
        document.body.dataset['vscodeThemeKind'] = look.kind;
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

  /** The problems that axe finds; empty if there are none. */
  axeViolations(): Promise<readonly string[]> {
    return findAxeViolations(this.page.mainFrame());
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

  #receive(message: In): void {
    if (!this.#handshake.handleMessage(message)) {
      this.messages.push(message);
    }
  }
}
