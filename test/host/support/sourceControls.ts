import * as vscode from 'vscode';
import { Patches } from './patches.ts';
import { waitFor } from './waiting.ts';

/** The source controls that the extension has created, as the Source Control view shows them. */
export class SourceControls implements Disposable {
  readonly #patches = new Patches();
  readonly #shown = new Map<vscode.SourceControl, vscode.SourceControlResourceGroup[]>();

  constructor() {
    this.#patches.replace(vscode.scm, 'createSourceControl', (create) => (...args: readonly unknown[]) => {
      const sourceControl: vscode.SourceControl = Reflect.apply(create, vscode.scm, args);
      const groups: vscode.SourceControlResourceGroup[] = [];
      this.#shown.set(sourceControl, groups);
      const patches = new Patches();
      patches.replace(sourceControl, 'createResourceGroup', (createGroup) => (id: string, label: string) => {
        const group = createGroup(id, label);
        groups.push(group);
        return group;
      });
      patches.replace(sourceControl, 'dispose', (dispose) => () => {
        this.#shown.delete(sourceControl);
        dispose();
      });
      return sourceControl;
    });
  }

  /** The labels of the source controls. */
  get labels(): readonly string[] {
    return [...this.#shown.keys()].map(({ label }) => label);
  }

  /** Waits for a source control. */
  find(label: string): Promise<vscode.SourceControl> {
    return waitFor(
      () => [...this.#shown.keys()].find((sourceControl) => sourceControl.label === label),
      () => `No source control ${label}; there is: ${this.labels.join(', ')}`,
    );
  }

  /** The rows of a source control: the paths of the files by the group, in their order. */
  getRows(label: string): Readonly<Record<string, readonly string[]>> {
    const found = [...this.#shown].find(([sourceControl]) => sourceControl.label === label);
    return Object.fromEntries(
      (found?.[1] ?? [])
        .filter(({ resourceStates }) => resourceStates.length > 0)
        .map((group) => [
          group.label,
          group.resourceStates.map(({ resourceUri }) => vscode.workspace.asRelativePath(resourceUri, false)),
        ]),
    );
  }

  /** Waits until a source control shows exactly these rows. */
  async waitForRows(label: string, rows: Readonly<Record<string, readonly string[]>>): Promise<void> {
    const expected = JSON.stringify(rows);
    await waitFor(
      () => JSON.stringify(this.getRows(label)) === expected,
      () => `Expected ${expected}, shown: ${JSON.stringify(this.getRows(label))}`,
    );
  }

  /** The row of a file. */
  getRow(label: string, path: string): vscode.SourceControlResourceState {
    const row = [...this.#shown]
      .filter(([sourceControl]) => sourceControl.label === label)
      .flatMap(([, groups]) => groups)
      .flatMap(({ resourceStates }) => resourceStates)
      .find(({ resourceUri }) => resourceUri.path.endsWith(path));
    if (row === undefined) {
      throw new Error(`No row ${path}`);
    }
    return row;
  }

  [Symbol.dispose](): void {
    this.#patches[Symbol.dispose]();
  }
}
