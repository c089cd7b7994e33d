import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { launchChromium } from '../../src/launcher/browser.ts';
import { projectRoot } from '../../src/launcher/projectRoot.ts';
import { postToPage, servePage } from '../support/servePage.ts';

/** A webview page in its own browser; a function stands in for the host. */
export class BenchWebviewPage<In> implements AsyncDisposable {
  readonly page: Page;
  readonly #browser: Browser;
  readonly #debugger: CDPSession;

  private constructor(browser: Browser, page: Page, session: CDPSession) {
    this.#browser = browser;
    this.page = page;
    this.#debugger = session;
  }

  /** @param receive called with each message of the page, in place of its host */
  static async open<In>(
    bundle: string,
    receive: (message: unknown, benchPage: BenchWebviewPage<In>) => unknown,
  ): Promise<BenchWebviewPage<In>> {
    const browser = await launchChromium();
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const session = await page.context().newCDPSession(page);
    // Measure the CPU time of the thread instead of the elapsed time, so that other programs don't add to it.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const benchPage = new BenchWebviewPage<In>(browser, page, session);
    const folder = join(projectRoot, 'dist', 'webviews');
    await servePage(page, { bundle, folder }, { receive: (message: unknown) => receive(message, benchPage) });
    return benchPage;
  }

  /** Posts a message to the page as its host. */
  post(message: In): void {
    void postToPage(this.page, message);
  }

  /** Returns the milliseconds of main-thread work since the page was opened. */
  async getTaskDurationMs(): Promise<number> {
    // Wait until the work caused by the last message is done.
    await this.page.evaluate(
      () =>
        new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
        }),
    );
    const { metrics } = await this.#debugger.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  }

  /** Measures the milliseconds of main-thread work of a step, without the cost of the measurement itself. */
  async measureTaskMs(step: () => Promise<unknown>): Promise<number> {
    const idleStart = await this.getTaskDurationMs();
    const idleEnd = await this.getTaskDurationMs();
    await step();
    const stepEnd = await this.getTaskDurationMs();
    return Math.max(0, stepEnd - idleEnd - (idleEnd - idleStart));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}
