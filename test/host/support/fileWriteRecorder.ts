import * as vscode from 'vscode';
import type { TextMatcher } from '../../editor/support/textPatterns.ts';
import type { Patches } from './patches.ts';
import { contains } from './quickInput.ts';
import { waitFor } from './waiting.ts';

/** Records the results of the file writes that the editor requests from the extension: no API returns them. */
export class FileWriteRecorder {
  #writes = 0;
  readonly #errors: string[] = [];

  constructor(patches: Patches) {
    patches.replace(
      vscode.workspace,
      'registerFileSystemProvider',
      (register) =>
        (
          scheme: string,
          provider: vscode.FileSystemProvider,
          options: { readonly isCaseSensitive?: boolean },
        ) =>
          register(scheme, this.#track(provider), options),
    );
  }

  /** The number of writes that reached the extension since the last reset. */
  get writeCount(): number {
    return this.#writes;
  }

  /** The messages of the writes that failed since the last reset. */
  get errors(): readonly string[] {
    return this.#errors;
  }

  /** Waits for the newest write to fail with this text. */
  async waitForError(text: TextMatcher): Promise<string> {
    return waitFor(
      () => this.#errors.slice(-1).find((error) => contains(error, text)),
      () => `No write failed with ${text}, but: ${this.#errors.join(' | ')}`,
    );
  }

  reset(): void {
    this.#writes = 0;
    this.#errors.length = 0;
  }

  #track(provider: vscode.FileSystemProvider): vscode.FileSystemProvider {
    const writeFile: vscode.FileSystemProvider['writeFile'] = async (...args) => {
      this.#writes += 1;
      try {
        await provider.writeFile(...args);
      } catch (error) {
        this.#errors.push(error instanceof Error ? error.message : String(error));
        throw error;
      }
    };
    return new Proxy(provider, {
      get: (target, key) => {
        if (key === 'writeFile') {
          return writeFile;
        }
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }
}
