import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../../src/launcher/browser.ts';
import { toFileName } from './artifacts.ts';
import type { StudioOptions, StudioSession } from './openStudio.ts';
import { openSession } from './openStudio.ts';
import { sandboxTokens } from './journeySandbox.ts';
import type { Studio } from './studio.ts';

/** The time limit of a journey. */
export const journeyTimeoutMs = 180_000;

/** The tools passed to a journey. */
export interface JourneyTools {
  /** Starts a VS Code with the extension; it is closed at the end of the journey. */
  readonly openStudio: (options?: StudioOptions) => Promise<Studio>;
  readonly browser: Browser;
  readonly signal: AbortSignal;
}

export interface JourneyOptions {
  readonly timeout?: number;
  /** The reason why it can't run now. */
  readonly skip?: string;
}

/**
 * Defines one user journey from start to end as a test. On failure it leaves a screenshot, logs and, on a rerun, a
 * trace. No journey may leave a token in the clear.
 */
export function journey(
  title: string,
  body: (tools: JourneyTools) => Promise<void>,
  options: JourneyOptions = {},
): void {
  const { timeout = journeyTimeoutMs, skip } = options;
  void test(title, { timeout, ...(skip === undefined ? {} : { skip }) }, async ({ signal }) => {
    const sessions: StudioSession[] = [];
    await using owned = new AsyncDisposableStack();
    const browser = await launchChromium();
    owned.defer(() => browser.close());
    const openStudio = async (studioOptions?: StudioOptions): Promise<Studio> => {
      const name = [toFileName(title), ...(sessions.length === 0 ? [] : [sessions.length + 1])].join('-');
      const session = owned.use(await openSession(browser, name, studioOptions));
      sessions.push(session);
      return session.studio;
    };
    try {
      await body({ openStudio, browser, signal });
      for (const session of sessions) {
        assert.deepEqual(await session.tokenLeaks(sandboxTokens), [], 'A token stands in the clear');
      }
    } catch (error) {
      for (const session of sessions) {
        await session.keepEvidence();
      }
      throw error;
    }
  });
}
