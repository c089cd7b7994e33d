/** Releases a resource. Same shape as `vscode.Disposable`. */
export interface Disposable {
  dispose(): void;
}

/** Creates a disposable that runs a function only once, even if `dispose` is called again. */
export function toDisposable(dispose: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) {
        return;
      }
      done = true;
      dispose();
    },
  };
}

/**
 * Owns disposables and disposes them in reverse order, once. If some of them throw, the others are still disposed, and
 * the errors are thrown together at the end. A disposable added after that is disposed immediately.
 */
export class DisposableStore implements Disposable {
  readonly #disposables = new Set<Disposable>();
  #disposed = false;

  get isDisposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(disposable: T): T {
    if (this.#disposed) {
      disposable.dispose();
    } else {
      this.#disposables.add(disposable);
    }
    return disposable;
  }

  /** Removes a disposable from the store and disposes it, like VS Code's own `DisposableStore`. */
  delete(disposable: Disposable): void {
    if (this.#disposables.delete(disposable)) {
      disposable.dispose();
    }
  }

  dispose(): void {
    if (this.#disposed) {
      return;
    }
    this.#disposed = true;
    const errors: unknown[] = [];
    for (const disposable of [...this.#disposables].reverse()) {
      try {
        disposable.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    this.#disposables.clear();
    if (errors.length > 0) {
      throw new AggregateError(errors, 'Some resources could not be released');
    }
  }
}
