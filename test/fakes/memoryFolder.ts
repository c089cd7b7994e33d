import { Emitter } from '../../src/base/event.ts';
import type { SharedFolder } from '../../src/builds/sharedFolder.ts';

/** A folder in memory that several windows of a test share. */
export class MemoryDisk {
  readonly files = new Map<string, string>();
  readonly #views = new Set<Emitter<void>>();
  /** Whether windows hear of changes at once, as where the system can watch a folder. */
  watched = true;

  /** Whether writing fails, as on a full disk. */
  failing = false;

  /** The folder as one window sees it. */
  open(): SharedFolder {
    const changes = new Emitter<void>();
    this.#views.add(changes);
    const notifyViews = (): void => {
      for (const view of this.watched ? this.#views : []) {
        if (view !== changes) {
          view.fire();
        }
      }
    };
    return {
      onDidChange: changes.event,
      readAll: async () => new Map(this.files),
      write: async (name, text) => {
        if (this.failing) {
          throw new Error('No space left on the device');
        }
        this.files.set(name, text);
        notifyViews();
      },
      remove: (name) => {
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
}
