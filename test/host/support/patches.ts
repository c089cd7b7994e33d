/** Replaces methods of an object of the editor's API, and restores them. */
export class Patches implements Disposable {
  readonly #restoreCallbacks: (() => void)[] = [];

  /** @param create receives the original method, bound to its object */
  replace<T extends object, Key extends keyof T>(
    target: T,
    key: Key,
    create: (original: T[Key]) => unknown,
  ): void {
    const descriptor = Object.getOwnPropertyDescriptor(target, key);
    const original = target[key];
    const boundOriginal = typeof original === 'function' ? original.bind(target) : original;
    Object.defineProperty(target, key, {
      value: create(boundOriginal),
      configurable: true,
      writable: true,
      enumerable: true,
    });
    this.#restoreCallbacks.push(() => {
      if (descriptor === undefined) {
        Reflect.deleteProperty(target, key);
      } else {
        Object.defineProperty(target, key, descriptor);
      }
    });
  }

  [Symbol.dispose](): void {
    for (const restore of this.#restoreCallbacks.splice(0).toReversed()) {
      restore();
    }
  }
}
