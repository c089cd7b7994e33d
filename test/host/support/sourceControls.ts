import * as vscode from 'vscode';
import { Patches } from './patches.ts';
import { waitFor } from './waiting.ts';

interface ShownGroup {
  /** The label at first: the extension may add a time to it. */
  readonly name: string;
  readonly group: vscode.SourceControlResourceGroup;
}

/** The source controls that the extension has created, as the Source Control view shows them. */
export class SourceControls implements Disposable {
  readonly #patches = new Patches();
  readonly #shown = new Map<vscode.SourceControl, ShownGroup[]>();
  /** What source controls have shown when they were created, by their labels. */
  readonly firstGroups = new Map<string, readonly string[]>();

  constructor() {
    this.#patches.replace(vscode.scm, 'createSourceControl', (create) => (...args: readonly unknown[]) => {
      const sourceControl: vscode.SourceControl = Reflect.apply(create, vscode.scm, args);
      const groups: ShownGroup[] = [];
      this.#shown.set(sourceControl, groups);
      // Runs before the extension continues after the first thing that it waits for.
      queueMicrotask(() => this.firstGroups.set(sourceControl.label, this.getGroups(sourceControl.label)));
      const patches = new Patches();
      patches.replace(sourceControl, 'createResourceGroup', (createGroup) => (id: string, name: string) => {
        const group = createGroup(id, name);
        groups.push({ name, group });
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

  /** The labels of the groups that are shown, with the number of their rows. */
  getGroups(label: string): readonly string[] {
    return this.#getGroups(label)
      .filter(({ group }) => group.hideWhenEmpty !== true || group.resourceStates.length > 0)
      .map(({ group }) => `${group.label}: ${group.resourceStates.length}`);
  }

  /** The rows of a source control: the paths of the files by the group, in their order. */
  getRows(label: string): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(
      this.#getGroups(label)
        .filter(({ group }) => group.resourceStates.length > 0)
        .map(({ name, group }) => [
          name,
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
    const row = this.#getGroups(label)
      .flatMap(({ group }) => group.resourceStates)
      .find(({ resourceUri }) => resourceUri.path.endsWith(path));
    if (row === undefined) {
      throw new Error(`No row ${path}`);
    }
    return row;
  }

  /** Runs the command of a row, as a click does, without waiting for it: it may ask something. */
  click(label: string, path: string): void {
    const { command } = this.getRow(label, path);
    if (command === undefined) {
      throw new Error(`A click on ${path} does nothing`);
    }
    void vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
  }

  #getGroups(label: string): readonly ShownGroup[] {
    return [...this.#shown].find(([sourceControl]) => sourceControl.label === label)?.[1] ?? [];
  }

  [Symbol.dispose](): void {
    this.#patches[Symbol.dispose]();
  }
}
