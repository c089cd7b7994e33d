import { Emitter } from '../../src/base/event.ts';
import type { SharedFolder } from '../../src/builds/sharedFolder.ts';

/** A folder in memory, shared by several windows of a test. */
export class MemoryFolder {
  readonly files = new Map<string, string>();
  readonly #views = new Set<Emitter<void>>();
  /** True if windows are notified of changes at once, as on systems that can watch a folder. */
  isWatched = true;

  /** True if writing fails, as on a full disk. */
  isFull = false;

  /** True if files can be neither listed nor removed, as if another program had locked the folder. */
  isLocked = false;

  /** Returns the folder as seen by one window. */
  open(): SharedFolder {
    const changes = new Emitter<void>();
    this.#views.add(changes);
    const notifyViews = (): void => {
      for (const view of this.isWatched ? this.#views : []) {
        if (view !== changes) {
          view.fire();
        }
      }
    };
    return {
      onDidChange: changes.event,
      readAll: async () => {
        this.#checkLock();
        return new Map(this.files);
      },
      write: async (name, text) => {
        if (this.isFull) {
          throw new Error('No space left on the device');
        }
        this.files.set(name, text);
        notifyViews();
      },
      remove: (name) => {
        this.#checkLock();
        if (this.files.delete(name)) {
          notifyViews();
        }
      },
      dispose: () => {
        this.#views.delete(changes);
        changes.dispose();
      },
    };
  }

  #checkLock(): void {
    if (this.isLocked) {
      throw new Error('The folder is locked');
    }
  }
}
