import { NameFilter, emptyNameFilter } from '../../catalog/nameFilter.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';

/** The current filter of the Connections view. */
export class FilterState implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  #current = emptyNameFilter;

  get nameFilter(): NameFilter {
    return this.#current;
  }

  /** Sets the filter; an empty text shows everything. */
  set(text: string): void {
    if (text.trim() !== this.#current.text) {
      this.#current = new NameFilter(text);
      this.#onDidChange.fire();
    }
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }
}
