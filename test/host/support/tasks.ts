import * as vscode from 'vscode';
import type { TextMatcher } from '../../editor/support/textPatterns.ts';
import type { Patches } from './patches.ts';
import { contains } from './quickInput.ts';
import { waitFor } from './waiting.ts';

type CreateTerminal = (definition: vscode.TaskDefinition) => Thenable<vscode.Pseudoterminal>;

/** The tasks of the extension run in the editor's terminals; the test also reads what they print and types into them. */
export class Tasks {
  readonly #terminals: {
    readonly terminal: vscode.Pseudoterminal;
    text: string;
    writtenAt: number;
    openMs: number;
  }[] = [];

  constructor(patches: Patches) {
    patches.replace(
      vscode.tasks,
      'executeTask',
      (execute) => (task: vscode.Task) => execute(this.#track(task)),
    );
    patches.replace(
      vscode.tasks,
      'registerTaskProvider',
      (register) => (type: string, provider: vscode.TaskProvider) =>
        register(type, {
          provideTasks: async (token) =>
            (await provider.provideTasks(token))?.map((task) => this.#track(task)),
          resolveTask: async (task, token) => {
            const resolved = await provider.resolveTask(task, token);
            return resolved === undefined || resolved === null ? resolved : this.#track(resolved);
          },
        }),
    );
  }

  /** The output of the latest terminal. */
  get output(): string {
    return this.#terminals.at(-1)?.text ?? '';
  }

  /** How long the latest terminal was open, from the first text on, in milliseconds. */
  get durationMs(): number {
    return this.#terminals.at(-1)?.openMs ?? 0;
  }

  /** Waits until the latest terminal has printed the text. */
  async waitForOutput(text: TextMatcher): Promise<void> {
    await waitFor(
      () => contains(this.output, text),
      () => `The task did not print ${text} but: ${this.output}`,
    );
  }

  /** Types into the latest terminal. */
  type(text: string): void {
    this.#terminals.at(-1)?.terminal.handleInput?.(text);
  }

  /** Waits for a task of the folder, or of the extension, by its name. */
  async find(name: TextMatcher): Promise<vscode.Task> {
    let names: readonly string[] = [];
    return waitFor(
      async () => {
        const tasks = await vscode.tasks.fetchTasks();
        names = tasks.map((task) => task.name);
        return tasks.find((task) => contains(task.name, name));
      },
      () => `No task ${name} but: ${names.join(', ')}`,
    );
  }

  /** Runs a task and returns its exit code. */
  async run(task: vscode.Task): Promise<number | undefined> {
    const end = this.waitForEnd(task.name);
    await vscode.tasks.executeTask(task);
    return end;
  }

  /** Returns the exit code of the next task with a matching name that ends. */
  waitForEnd(name: TextMatcher): Promise<number | undefined> {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const subscription = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      if (contains(execution.task.name, name)) {
        subscription.dispose();
        resolve(exitCode);
      }
    });
    return promise;
  }

  /** The editor has no API for what a terminal prints, so the test listens to the terminal, too. */
  #track(task: vscode.Task): vscode.Task {
    const execution: { callback?: CreateTerminal } = Object(task.execution);
    const create = execution.callback;
    if (create !== undefined) {
      execution.callback = async (definition) => {
        const terminal = await create(definition);
        const entry = { terminal, text: '', writtenAt: 0, openMs: 0 };
        this.#terminals.push(entry);
        terminal.onDidWrite((text) => {
          entry.writtenAt ||= performance.now();
          entry.text += text;
        });
        terminal.onDidClose?.(() => {
          entry.openMs = performance.now() - entry.writtenAt;
        });
        return terminal;
      };
    }
    return task;
  }
}
