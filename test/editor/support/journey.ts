import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { test } from 'vitest';
import { launchChromium } from '../../../src/launcher/browser.ts';
import { toFileName } from './artifacts.ts';
import type { StudioOptions, StudioSession } from './studioSession.ts';
import { openSession } from './studioSession.ts';
import { sandboxTokens } from './journeySandbox.ts';
import type { Studio } from './studio.ts';

/** The tools passed to a journey. */
export interface JourneyTools {
  /** Starts a VS Code with the extension; it is closed at the end of the journey. */
  readonly openStudio: (options?: StudioOptions) => Promise<Studio>;
  readonly browser: Browser;
  readonly signal: AbortSignal;
}

/**
 * Defines one user journey from start to end as a test. On failure it leaves a screenshot and logs, and a trace if one
 * is recorded. No journey may leave a token in the clear.
 */
export function journey(title: string, body: (tools: JourneyTools) => Promise<void>): void {
  test(title, async ({ signal }) => {
    const sessions: StudioSession[] = [];
    await using disposables = new AsyncDisposableStack();
    const browser = await launchChromium();
    disposables.defer(() => browser.close());
    const openStudio = async (studioOptions?: StudioOptions): Promise<Studio> => {
      const name = [toFileName(title), ...(sessions.length === 0 ? [] : [sessions.length + 1])].join('-');
      const session = disposables.use(await openSession(browser, name, studioOptions));
      sessions.push(session);
      return session.studio;
    };
    try {
      await body({ openStudio, browser, signal });
      for (const session of sessions) {
        assert.deepEqual(await session.findTokenLeaks(sandboxTokens), [], 'A token was stored in the clear');
      }
    } catch (error) {
      for (const session of sessions) {
        await session.saveEvidence();
      }
      throw error;
    }
  });
}
