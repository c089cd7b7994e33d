import assert from 'node:assert/strict';
import { afterAll, test } from 'vitest';
import { launchChromium } from '../../../src/launcher/browser.ts';
import { toFileName } from './artifacts.ts';
import type { StudioOptions, StudioSession } from './openStudio.ts';
import { openSession } from './openStudio.ts';
import { sandboxTokens } from './journeySandbox.ts';
import type { Studio } from './studio.ts';
import { resetStudio } from './resetStudio.ts';

/** What is prepared before the editor opens: its options, and in derived types further tools for its journeys. */
export interface PreparedStudio {
  readonly options: StudioOptions;
}

interface OpenStudio<T> extends AsyncDisposable {
  readonly prepared: T;
  readonly session: StudioSession;
}

/**
 * Runs the journeys of one file in one editor, one after another: their changes to the instance are kept, everything else
 * is reset in between. After a failed journey, the editor and what was prepared with it are disposed, and the next
 * journey gets new ones.
 */
export function createSharedStudio<T extends PreparedStudio>(
  prepare: (owned: AsyncDisposableStack) => Promise<T>,
): (title: string, body: (tools: T & { readonly studio: Studio }) => Promise<void>) => void {
  const shared = new SharedStudio(prepare);
  afterAll(async () => {
    await shared.release()?.[Symbol.asyncDispose]();
  });
  return (title, body) => {
    test(title, async ({ signal }) => {
      const { prepared, session, isNew } = await shared.open(toFileName(title));
      const saveEvidenceAndRelease = async (): Promise<void> => {
        await using _releasedStudio = shared.release(session);
        await session.saveEvidence(toFileName(title));
      };
      // A journey keeps running after its timeout: it must not do so in the editor of the next one.
      const handleTimeout = (): void => void saveEvidenceAndRelease();
      signal.addEventListener('abort', handleTimeout);
      try {
        if (!isNew) {
          await resetStudio(session.studio);
        }
        await body({ ...prepared, studio: session.studio });
        assert.deepEqual(await session.findTokenLeaks(sandboxTokens), [], 'A token was stored in the clear');
      } catch (error) {
        await saveEvidenceAndRelease();
        throw error;
      } finally {
        signal.removeEventListener('abort', handleTimeout);
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

  /** Returns the editor to its caller, who must dispose it, unless the given session is no longer the open one. */
  release(session: StudioSession | undefined = this.#open?.session): OpenStudio<T> | undefined {
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
