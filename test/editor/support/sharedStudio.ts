import assert from 'node:assert/strict';
import { afterAll, test } from 'vitest';
import { launchChromium } from '../../../src/launcher/browser.ts';
import { toFileName } from './artifacts.ts';
import type { StudioOptions, StudioSession } from './openStudio.ts';
import { openSession } from './openStudio.ts';
import { sandboxTokens } from './journeySandbox.ts';
import type { Studio } from './studio.ts';
import { resetStudio } from './resetStudio.ts';

/** The requirements of an editor before it opens, and extra tools for its journeys. */
export interface PreparedStudio {
  readonly options: StudioOptions;
}

interface OpenStudio<T> extends AsyncDisposable {
  readonly prepared: T;
  readonly session: StudioSession;
}

/**
 * Runs the journeys of one file in one editor, one after another: their changes to the instance stay, everything else
 * is reset in between. A failed journey disposes the editor and what was prepared with it; the next journey gets new
 * ones.
 */
export function createSharedStudio<T extends PreparedStudio>(
  prepare: (owned: AsyncDisposableStack) => Promise<T>,
): (title: string, body: (tools: T & { readonly studio: Studio }) => Promise<void>) => void {
  const shared = new SharedStudio(prepare);
  afterAll(async () => {
    await shared.leave()?.[Symbol.asyncDispose]();
  });
  return (title, body) => {
    test(title, async ({ signal }) => {
      const { prepared, session, isNew } = await shared.open(toFileName(title));
      const fails = async (): Promise<void> => {
        await using _left = shared.leave(session);
        await session.keepEvidence(toFileName(title));
      };
      // A journey keeps running after its timeout: it must not do so in the editor of the next one.
      const isOver = (): void => void fails();
      signal.addEventListener('abort', isOver);
      try {
        if (!isNew) {
          await resetStudio(session.studio);
        }
        await body({ ...prepared, studio: session.studio });
        assert.deepEqual(await session.tokenLeaks(sandboxTokens), [], 'A token stands in the clear');
      } catch (error) {
        await fails();
        throw error;
      } finally {
        signal.removeEventListener('abort', isOver);
      }
    });
  };
}

class SharedStudio<T extends PreparedStudio> {
  readonly #prepare: (owned: AsyncDisposableStack) => Promise<T>;
  #open: OpenStudio<T> | undefined;

  constructor(prepare: (owned: AsyncDisposableStack) => Promise<T>) {
    this.#prepare = prepare;
  }

  /** Returns the editor in the state that the previous journey left, or a new one. */
  async open(evidenceName: string): Promise<OpenStudio<T> & { readonly isNew: boolean }> {
    if (this.#open !== undefined) {
      return { ...this.#open, isNew: false };
    }
    this.#open = await this.#start(evidenceName);
    return { ...this.#open, isNew: true };
  }

  /** Hands over ownership of the editor, unless the given session is no longer the open one. */
  leave(session: StudioSession | undefined = this.#open?.session): OpenStudio<T> | undefined {
    const open = this.#open;
    if (open?.session !== session) {
      return undefined;
    }
    this.#open = undefined;
    return open;
  }

  async #start(evidenceName: string): Promise<OpenStudio<T>> {
    await using starting = new AsyncDisposableStack();
    const browser = await launchChromium();
    starting.defer(() => browser.close());
    const prepared = await this.#prepare(starting);
    const session = starting.use(await openSession(browser, evidenceName, prepared.options));
    const owned = starting.move();
    return { prepared, session, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }
}
