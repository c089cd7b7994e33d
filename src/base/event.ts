import { type Disposable, toDisposable } from './disposable.ts';

/** Subscribes a listener; disposing the returned value unsubscribes it. Same shape as `vscode.Event`. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The firing end of an {@link Event}. A listener that throws does not keep the others from being called. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    // A new function per subscription: the same listener may subscribe twice and unsubscribe once.
    const entry = (value: T): void => listener(value);
    this.#listeners.add(entry);
    return toDisposable(() => this.#listeners.delete(entry));
  };

  fire(value: T): void {
    const errors: unknown[] = [];
    for (const listener of Array.from(this.#listeners)) {
      try {
        listener(value);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) {
      throw new AggregateError(errors, 'A listener failed');
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
