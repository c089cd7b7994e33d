import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';

/** A folder of small files that all windows on this machine share. */
export interface SharedFolder extends Disposable {
  /**
   * Fires soon after another window changed a file; it may miss changes, so waiting callers also check from time to
   * time.
   */
  readonly onDidChange: Event<void>;
  /** The texts of all files by name. A file that cannot be read is left out. */
  readAll(): Promise<ReadonlyMap<string, string>>;
  /** Writes a file so that others see the old text or the new one, never a part. */
  write(name: string, text: string): Promise<void>;
  /** Removes a file synchronously: the window may be closing. */
  remove(name: string): void;
}
