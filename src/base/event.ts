import { type Disposable, toDisposable } from './disposable.ts';

/** Subscribes a listener; disposing the returned value unsubscribes it. Same shape as `vscode.Event`. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Fires an {@link Event}. If a listener throws, the others are still called, and {@link fire} throws afterwards. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    // A new function per subscription, so that the same listener can subscribe twice and unsubscribe once.
    const subscription = (value: T): void => listener(value);
    this.#listeners.add(subscription);
    return toDisposable(() => this.#listeners.delete(subscription));
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
