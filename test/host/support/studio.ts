import * as vscode from 'vscode';
import { activate } from '../../../src/extension.ts';
import { type TextMatcher, toExactPattern } from '../../editor/support/textPatterns.ts';
import { createContext } from './context.ts';
import { FileWriteRecorder } from './fileWrites.ts';
import { Manifest } from './manifest.ts';
import { Messages, type ShownMessage } from './messages.ts';
import { Pages } from './pages.ts';
import { Patches } from './patches.ts';
import { QuickInput, contains } from './quickInput.ts';
import { startCommand } from './startCommand.ts';
import { StatusBar } from './statusBar.ts';
import { Tasks } from './tasks.ts';
import { type TreeRow, type TreeRowPath, Trees } from './tree.ts';
import { waitFor } from './waiting.ts';

/** Commands of the editor that tests run by their title. */
const editorCommands: Readonly<Record<string, string>> = {
  'View: Close Editor': 'workbench.action.closeActiveEditor',
  'View: Close All Editors': 'workbench.action.closeAllEditors',
  'File: Save': 'workbench.action.files.save',
  'File: Save without Formatting': 'workbench.action.files.saveWithoutFormatting',
  'File: Revert File': 'workbench.action.files.revert',
  Undo: 'undo',
  Redo: 'redo',
  'Format Document': 'editor.action.formatDocument',
};

export interface StudioOptions {
  /** Environment variables of the extension. */
  readonly env?: Readonly<Record<string, string>>;
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

const revealCommand = 'datamodelStudio.explorer.reveal';

/** Commands of the editor that open something outside of its window: they are recorded, but not run. */
const externalCommands = new Set(['workbench.action.openIssueReporter', 'git.init']);

interface FileDialogs {
  readonly save: (vscode.Uri | undefined)[];
  readonly open: (readonly vscode.Uri[] | undefined)[];
}

let studioCount = 0;

/** The context that VS Code gave to the extension; set by its entry point. */
const hostContext: { current: vscode.ExtensionContext | undefined } = { current: undefined };

export function setHostContext(context: vscode.ExtensionContext): void {
  hostContext.current = context;
}

export function getHostContext(): vscode.ExtensionContext {
  const { current } = hostContext;
  if (current === undefined) {
    throw new Error('The extension has no context yet');
  }
  return current;
}

/**
 * The extension, activated in the real editor with state of its own, and the actions of a person in it. Everything that
 * a person reads or answers outside of editors (prompts, messages, the status bar, trees, pages) goes through the test;
 * documents, diagnostics and everything else are the editor's.
 */
export class HostStudio implements AsyncDisposable {
  readonly quickInput: QuickInput;
  readonly messages: Messages;
  readonly status: StatusBar;
  readonly tree: Trees;
  readonly pages: Pages;
  readonly tasks: Tasks;
  readonly fileWrites: FileWriteRecorder;
  readonly manifest: Manifest;
  readonly #patches = new Patches();
  readonly #contextKeys: Record<string, unknown> = {};
  readonly #name = `studio${studioCount++}`;
  readonly #options: StudioOptions;
  readonly #dialogs: FileDialogs = { save: [], open: [] };
  readonly #settingRestorers: (() => Thenable<void> | void)[] = [];
  readonly #changedSettingRestorers: (() => Thenable<void>)[] = [];
  readonly #commandRuns: (readonly [command: string, args: readonly unknown[]])[] = [];
  readonly #reveals: Thenable<unknown>[] = [];
  readonly #openedLinks: string[] = [];
  readonly #windowState = new vscode.EventEmitter<vscode.WindowState>();
  #proposedFile: vscode.Uri | undefined;
  #context: vscode.ExtensionContext | undefined;

  private constructor(options: StudioOptions) {
    this.#options = options;
    this.manifest = new Manifest(getHostContext().extension);
    this.quickInput = new QuickInput(this.#patches);
    this.messages = new Messages(this.#patches);
    this.status = new StatusBar(this.#patches);
    this.pages = new Pages(this.#patches);
    this.tasks = new Tasks(this.#patches);
    this.fileWrites = new FileWriteRecorder(this.#patches);
    this.tree = new Trees(this.#patches, this.manifest, () => this.contextKeys);
    this.#patches.replace(
      vscode.commands,
      'executeCommand',
      (execute) =>
        async (command: string, ...args: readonly unknown[]) => {
          if (command === 'setContext') {
            this.#contextKeys[String(args[0])] = args[1];
          }
          this.#commandRuns.push([command, args]);
          if (externalCommands.has(command)) {
            return undefined;
          }
          const running: Thenable<unknown> = Reflect.apply(execute, vscode.commands, [command, ...args]);
          if (command === revealCommand) {
            this.#reveals.push(running);
          }
          return running;
        },
    );
    this.#patches.replace(
      vscode.window,
      'onDidChangeWindowState',
      // Only the test moves the focus: the editor also reports when nobody has used its window for a while.
      () => this.#windowState.event,
    );
    this.#patches.replace(
      vscode.window,
      'showSaveDialog',
      () => async (options?: vscode.SaveDialogOptions) => {
        this.#proposedFile = options?.defaultUri;
        return this.#dialogs.save.shift();
      },
    );
    this.#patches.replace(vscode.env, 'openExternal', () => async (link: unknown) => {
      this.#openedLinks.push(String(link));
      return true;
    });
    this.#patches.replace(vscode.window, 'showOpenDialog', () => async () => this.#dialogs.open.shift());
  }

  /** Activates the extension. Its dispose deactivates it and closes what it has opened. */
  static async open(options: StudioOptions = {}): Promise<HostStudio> {
    const studio = new HostStudio(options);
    await studio.#applySettings();
    studio.#activate();
    return studio;
  }

  /** The context keys for the `when` clauses of menus. */
  get contextKeys(): Readonly<Record<string, unknown>> {
    const document = vscode.window.activeTextEditor?.document;
    const groupingKey = 'datamodelStudio.explorer.groupViewpoints';
    return {
      ...this.#contextKeys,
      [`config.${groupingKey}`]: vscode.workspace.getConfiguration().get(groupingKey),
      resourceScheme: document?.uri.scheme,
      resourceFilename: document?.uri.path.split('/').at(-1),
      editorLangId: document?.languageId,
    };
  }

  /** The folder in which the extension of this studio stores its files. */
  get storageFolder(): vscode.Uri {
    const uri = this.#context?.globalStorageUri;
    if (uri === undefined) {
      throw new Error('The studio is closed');
    }
    return uri;
  }

  /** The state and secrets of the extension of this studio. */
  get storedState(): Pick<vscode.ExtensionContext, 'globalState' | 'workspaceState' | 'secrets'> {
    if (this.#context === undefined) {
      throw new Error('The studio is closed');
    }
    return this.#context;
  }

  /** The arguments of each run of a command since the last reset, oldest first. */
  getCommandRuns(command: string): readonly (readonly unknown[])[] {
    return this.#commandRuns.filter(([id]) => id === command).map(([, args]) => args);
  }

  /** The addresses that were opened in the browser, oldest first. */
  get openedLinks(): readonly string[] {
    return this.#openedLinks;
  }

  /** Changes a user setting until the window is reset. */
  async changeSetting(key: string, value: unknown): Promise<void> {
    this.#changedSettingRestorers.push(await applySetting(key, value));
  }

  /** Fires the event of a user who returns to this window from another one. */
  focusWindow(): void {
    this.#windowState.fire({ focused: true, active: true });
  }

  /** Runs a command of the palette by its title. Most are only started: they wait for answers. */
  async runCommand(title: string, ...args: readonly unknown[]): Promise<void> {
    const editorCommand = editorCommands[title];
    if (editorCommand !== undefined) {
      await vscode.commands.executeCommand(editorCommand);
      return;
    }
    // The commands in the palette depend on context keys, which are updated with a delay.
    const command = await waitFor(
      () => this.manifest.findInPalette(title, this.contextKeys),
      () => `The palette has no ${title}`,
    );
    await startCommand(command, ...args);
  }

  /** Shows the Connections view of the extension. */
  async openExplorer(): Promise<void> {
    await vscode.commands.executeCommand('datamodelStudio.explorer.focus');
  }

  findTreeItem(path: TreeRowPath): Promise<TreeRow> {
    return this.tree.findItem(path);
  }

  waitForTreeItemGone(path: readonly [TextMatcher, ...TextMatcher[]]): Promise<void> {
    return this.tree.waitForItemGone(path);
  }

  expand(path: TreeRowPath): Promise<void> {
    return this.tree.expand(path);
  }

  chooseFromContextMenu(path: TreeRowPath, ...labels: readonly TextMatcher[]): Promise<void> {
    return this.tree.chooseFromContextMenu(path, ...labels);
  }

  getContextMenuLabels(path: TreeRowPath): Promise<readonly string[]> {
    return this.tree.getContextMenuLabels(path);
  }

  selectQuickPick(label: TextMatcher): Promise<void> {
    return this.quickInput.pick(label);
  }

  submitInputBox(text: string): Promise<void> {
    return this.quickInput.submitText(text);
  }

  waitForStatusBarItem(text: TextMatcher): Promise<void> {
    return this.status.waitForText(text);
  }

  waitForNotification(text: TextMatcher): Promise<ShownMessage> {
    return this.messages.find(text);
  }

  waitForNotificationGone(text: TextMatcher): Promise<void> {
    return this.messages.waitForGone(text);
  }

  clickNotificationAction(text: TextMatcher, action: string): Promise<void> {
    return this.messages.clickAction(text, action);
  }

  clickDialogAction(action: string): Promise<void> {
    return this.messages.answerQuestion(action);
  }

  /** Answers the next dialog for a file to save. */
  answerSaveDialog(uri: vscode.Uri | undefined): void {
    this.#dialogs.save.push(uri);
  }

  /** The file that the last dialog for a file to save has proposed. */
  get proposedFile(): vscode.Uri | undefined {
    return this.#proposedFile;
  }

  /** Answers the next dialog for files to open. */
  answerOpenDialog(uris: readonly vscode.Uri[] | undefined): void {
    this.#dialogs.open.push(uris);
  }

  /** Waits until the active tab has the title; if it shows a text, until its text editor is the active one. */
  async waitForEditor(title: TextMatcher): Promise<vscode.Tab> {
    const pattern = toExactPattern(title);
    const isReady = ({ label, input }: vscode.Tab): boolean =>
      pattern.test(label) &&
      // The editor reports a tab before the text editor in it. Until then, the one before it is the active one.
      (!(input instanceof vscode.TabInputText) ||
        vscode.window.activeTextEditor?.document.uri.toString() === input.uri.toString());
    return waitFor(
      () => {
        const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
        return tab !== undefined && isReady(tab) ? tab : undefined;
      },
      () =>
        `The active tab is not ${title} but ${vscode.window.tabGroups.activeTabGroup.activeTab?.label}, the text ${vscode.window.activeTextEditor?.document.uri.path}`,
    );
  }

  /** Waits until the active text editor shows the text. */
  async waitForEditorText(text: TextMatcher): Promise<vscode.TextEditor> {
    return waitFor(
      () => {
        const editor = vscode.window.activeTextEditor;
        return editor !== undefined && contains(editor.document.getText(), text) ? editor : undefined;
      },
      () =>
        `The editor does not show ${text} but ${vscode.window.activeTextEditor?.document.getText().slice(0, 1000)}`,
    );
  }

  /** Replaces all of the active document's text, as typing does. */
  async replaceText(text: string): Promise<vscode.TextDocument> {
    const editor = await waitFor(
      () => vscode.window.activeTextEditor,
      () => 'No text editor is active',
    );
    const { document } = editor;
    const all = new vscode.Range(
      new vscode.Position(0, 0),
      document.lineAt(document.lineCount - 1).range.end,
    );
    await editor.edit((edit) => edit.replace(all, text));
    return document;
  }

  /** Waits for the problems of a document that match. */
  async waitForProblemsWithText(uri: vscode.Uri, text: TextMatcher): Promise<readonly vscode.Diagnostic[]> {
    const find = (): readonly vscode.Diagnostic[] =>
      vscode.languages.getDiagnostics(uri).filter(({ message }) => contains(message, text));
    await waitFor(
      () => find().length > 0,
      () =>
        `No problem ${text} but: ${vscode.languages
          .getDiagnostics(uri)
          .map(({ message }) => message)
          .join(' | ')}`,
    );
    return find();
  }

  /** Waits for the newest save to fail with this text. */
  waitForSaveError(text: TextMatcher): Promise<string> {
    return this.fileWrites.waitForError(text);
  }

  findPage(viewType: string, title?: TextMatcher): ReturnType<Pages['find']> {
    return this.pages.find(viewType, title);
  }

  /** Deactivates the extension and activates it again with the state that it kept, as a reload of the window does. */
  async reloadWindow(): Promise<void> {
    // Unlike a person, a test reloads before the editor's storage is written: wait for the current write and the next one.
    for (const _ of ['current', 'next']) {
      await Promise.all([
        getHostContext().globalState.update('settled', undefined),
        getHostContext().workspaceState.update('settled', undefined),
      ]);
    }
    await this.#deactivate();
    this.#activate();
  }

  /** Closes editors, prompts and messages: the next test starts with a clean window. */
  async reset(): Promise<void> {
    await this.quickInput.reset();
    // If its provider is disposed while the editor reveals a row, a tree doesn't show the rows of the next provider.
    await Promise.allSettled(this.#reveals.splice(0));
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document, { preview: false });
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    this.messages.reset();
    this.status.reset();
    this.fileWrites.reset();
    this.#dialogs.save.length = 0;
    this.#dialogs.open.length = 0;
    this.#commandRuns.length = 0;
    for (const restore of this.#changedSettingRestorers.splice(0).toReversed()) {
      await restore();
    }
    await this.#forgetConnections();
  }

  /** Forgets the connections that a test has added, since an address can be added only once. */
  async #forgetConnections(): Promise<void> {
    const { globalState } = this.storedState;
    const saved = globalState.get<readonly { readonly kind: string }[]>('connections') ?? [];
    const others = saved.filter(({ kind }) => kind !== 'remote');
    if (others.length < saved.length) {
      await globalState.update('connections', others);
      this.focusWindow();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.reset();
    await this.#deactivate();
    this.#patches[Symbol.dispose]();
    for (const restore of this.#settingRestorers.toReversed()) {
      await restore();
    }
  }

  #activate(): void {
    const context = createContext(getHostContext(), this.#name);
    this.#context = context;
    const before = { ...process.env };
    Object.assign(process.env, this.#options.env);
    try {
      activate(context);
    } finally {
      for (const key of Object.keys(this.#options.env ?? {})) {
        if (before[key] === undefined) {
          Reflect.deleteProperty(process.env, key);
        } else {
          process.env[key] = before[key];
        }
      }
    }
  }

  async #deactivate(): Promise<void> {
    const subscriptions = this.#context?.subscriptions ?? [];
    for (const subscription of subscriptions.toReversed()) {
      await subscription.dispose();
    }
    this.#context = undefined;
  }

  async #applySettings(): Promise<void> {
    for (const [key, value] of Object.entries(this.#options.settings ?? {})) {
      this.#settingRestorers.push(await applySetting(key, value));
    }
  }
}

/** Changes a user setting; the returned function restores it. */
async function applySetting(key: string, value: unknown): Promise<() => Thenable<void>> {
  const configuration = vscode.workspace.getConfiguration();
  const before = configuration.inspect(key)?.globalValue;
  await configuration.update(key, value, vscode.ConfigurationTarget.Global);
  return () => configuration.update(key, before, vscode.ConfigurationTarget.Global);
}
