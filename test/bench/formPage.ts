import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { launchChromium } from '../../src/launcher/browser.ts';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import { applyEdits } from '../../src/jsonText/textEdit.ts';
import { webviewHtml } from '../../src/platform/webviewHtml.ts';
import type { FromForm } from '../../src/protocol/documentForm.ts';
import { type FormKind, FormSync } from '../../src/protocol/formSync.ts';

/** The page of a form in a browser of its own, with its real host but for the editor: the text is a variable. */
export class FormPageUnderTest<Edit> implements AsyncDisposable {
  readonly page: Page;
  readonly #browser: Browser;
  readonly #debugger: CDPSession;
  text: string;

  private constructor(browser: Browser, page: Page, session: CDPSession, text: string) {
    this.#browser = browser;
    this.page = page;
    this.#debugger = session;
    this.text = text;
  }

  static async open<Edit>(
    bundle: string,
    kind: FormKind<Edit>,
    text: string,
  ): Promise<FormPageUnderTest<Edit>> {
    const browser = await launchChromium();
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const session = await page.context().newCDPSession(page);
    // Time that the thread has worked, not time that has passed: other programs take none of it.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const form = new FormPageUnderTest<Edit>(browser, page, session, text);
    await form.#connect(bundle, kind);
    return form;
  }

  /** Milliseconds that the main thread of the page has worked since it began. */
  async worked(): Promise<number> {
    // Once nothing is left to be done for what was said last.
    await this.page.evaluate(
      () =>
        new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
        }),
    );
    const { metrics } = await this.#debugger.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }

  async #connect(bundle: string, kind: FormKind<Edit>): Promise<void> {
    const { page } = this;
    const post = (message: unknown): void =>
      void page.evaluate((data) => window.postMessage(data, window.origin), message);
    const document = {
      get text(): string {
        return read();
      },
      isReadOnly: false,
      apply: async (edits: Parameters<typeof applyEdits>[1]) => {
        this.text = applyEdits(this.text, edits);
        return true;
      },
    };
    const read = (): string => this.text;
    const sync = new FormSync(document, kind, post);
    await page.exposeFunction('tellHost', async (message: FromForm<Edit, unknown>) => {
      if (message.type === 'ready') {
        sync.start();
      } else if (message.type === 'edit') {
        await sync.receive(message);
      }
    });
    await page.addInitScript(() => {
      const host = globalThis as unknown as { tellHost(message: unknown): void };
      globalThis.acquireVsCodeApi = () => ({
        postMessage: (message) => host.tellHost(message),
        getState: () => undefined,
        setState: () => undefined,
      });
    });
    const html = webviewHtml({
      script: `/${bundle}.js`,
      style: `/${bundle}.css`,
      cspSource: 'http://form.test',
      nonce: 'bench',
      title: bundle,
      language: 'en',
      words: {},
    });
    await page.route('http://form.test/**', (route) => {
      const { pathname } = new URL(route.request().url());
      return pathname === '/'
        ? route.fulfill({ contentType: 'text/html', body: html })
        : route.fulfill({ path: join(projectRoot, 'dist', 'webviews', pathname) });
    });
    await page.goto('http://form.test/');
  }
}
