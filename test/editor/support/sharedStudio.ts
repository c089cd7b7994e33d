import assert from 'node:assert/strict';
import { afterAll, test } from 'vitest';
import { launchChromium } from '../../../src/launcher/browser.ts';
import { toFileName } from './artifacts.ts';
import type { StudioOptions, StudioSession } from './studioSession.ts';
import { openSession } from './studioSession.ts';
import { sandboxTokens } from './journeySandbox.ts';
import type { Studio } from './studio.ts';
import { resetStudio } from './resetStudio.ts';

/**
 * What is prepared before the editor is opened: the options of the editor. Extended types add other objects that the
 * journeys use.
 */
export interface PreparedStudio {
  readonly options: StudioOptions;
}

interface OpenedStudio<T> extends AsyncDisposable {
  readonly prepared: T;
  readonly session: StudioSession;
}

/**
 * Returns a function like `journey`, for journeys that share one editor and run one after another. Between journeys, the
 * editor is reset, but changes on the instance are kept. After a failed journey, the editor and everything that was
 * prepared for it are disposed, and the next journey gets new ones.
 */
export function createSharedStudio<T extends PreparedStudio>(
  prepare: (disposables: AsyncDisposableStack) => Promise<T>,
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
      // After a timeout, the journey's code keeps running. It must not act on the editor of the next journey.
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
  readonly #prepare: (disposables: AsyncDisposableStack) => Promise<T>;
  #open: OpenedStudio<T> | undefined;

  constructor(prepare: (disposables: AsyncDisposableStack) => Promise<T>) {
    this.#prepare = prepare;
  }

  /** Returns the editor in the state that the previous journey left, or a new one. */
  async open(evidenceName: string): Promise<OpenedStudio<T> & { readonly isNew: boolean }> {
    if (this.#open !== undefined) {
      return { ...this.#open, isNew: false };
    }
    this.#open = await this.#start(evidenceName);
    return { ...this.#open, isNew: true };
  }

  /**
   * Removes the open editor from this object and returns it; the caller must dispose it. Returns `undefined` if it is
   * not the editor of the given session.
   */
  release(session: StudioSession | undefined = this.#open?.session): OpenedStudio<T> | undefined {
    const open = this.#open;
    if (open?.session !== session) {
      return undefined;
    }
    this.#open = undefined;
    return open;
  }

  async #start(evidenceName: string): Promise<OpenedStudio<T>> {
    await using disposablesOnFailure = new AsyncDisposableStack();
    const browser = await launchChromium();
    disposablesOnFailure.defer(() => browser.close());
    const prepared = await this.#prepare(disposablesOnFailure);
    const session = disposablesOnFailure.use(await openSession(browser, evidenceName, prepared.options));
    const disposables = disposablesOnFailure.move();
    return { prepared, session, [Symbol.asyncDispose]: () => disposables.disposeAsync() };
  }
}
