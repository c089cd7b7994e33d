import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import type { Build } from '../../builds/build.ts';
import type { BuildHistory } from '../../builds/buildHistory.ts';
import { getComparableBuildKey, getMedianDurations } from '../../builds/durations.ts';

/** The typical durations of builds, computed from the build history of this machine. */
export class TypicalDurations implements Disposable {
  readonly #history: BuildHistory;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#onDidChange.event;
  #medians: ReadonlyMap<string, number> = new Map();

  constructor(history: BuildHistory, log: Log) {
    this.#history = history;
    this.#log = log;
    this.#store.add(history.onDidChange(() => void this.#read()));
    void this.#read();
  }

  /** Returns the median duration of similar successful builds, in milliseconds; `undefined` if there are none. */
  get(build: Build): number | undefined {
    return this.#medians.get(getComparableBuildKey(build));
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #read(): Promise<void> {
    try {
      this.#medians = getMedianDurations(await this.#history.readAndTrim());
      this.#onDidChange.fire();
    } catch (error) {
      // Builds are still shown, without typical durations.
      this.#log.warn('builds', 'The history of builds could not be read', { reason: String(error) });
    }
  }
}
