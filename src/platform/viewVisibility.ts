import type { Disposable } from '../base/disposable.ts';

/** The views of the extension, which share a side bar and are shown together. */
export class ViewVisibility {
  readonly #views = new Map<string, { readonly visible: boolean }>();

  /** Tracks a view until the result is disposed. */
  track(id: string, view: { readonly visible: boolean }): Disposable {
    this.#views.set(id, view);
    return {
      dispose: () => {
        this.#views.delete(id);
      },
    };
  }

  /** Returns whether any view except the one with this ID is shown. Collapsed views don't count as shown. */
  isOtherViewShown(id: string): boolean {
    return [...this.#views].some(([otherId, { visible }]) => otherId !== id && visible);
  }
}
