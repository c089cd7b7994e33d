import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';

/** A folder of small files that all windows on this machine share. */
export interface SharedFolder extends Disposable {
  /**
   * Fires soon after another window has changed a file. It may miss changes, so callers must also check at intervals.
   */
  readonly onDidChange: Event<void>;
  /** Returns the texts of all files, by name. Unreadable files are left out. */
  readAll(): Promise<ReadonlyMap<string, string>>;
  /** Writes a file atomically: others read either the old text or the new one. */
  write(name: string, text: string): Promise<void>;
  /** Deletes a file synchronously, because the window may be closing. */
  remove(name: string): void;
}
