import * as vscode from 'vscode';
import type { FromForm, ToForm } from '../../../src/webviews/protocol/documentForm.ts';
import type { HostedPage } from './pages.ts';
import type { HostStudio } from './studio.ts';
import { waitFor } from './waiting.ts';

type Received<Type extends ToForm['type']> = Extract<ToForm, { type: Type }>;

/** The form of a document without its page: the test posts and reads the messages of its protocol. */
export class HostedForm<Edit, Question> {
  readonly #page: HostedPage;
  readonly document: vscode.TextDocument;
  #editCount = 0;

  private constructor(page: HostedPage, document: vscode.TextDocument) {
    this.#page = page;
    this.document = document;
  }

  /** Replaces the text editor with the form. */
  static async open<Edit, Question>(
    studio: HostStudio,
    viewType: string,
    { document }: vscode.TextEditor,
  ): Promise<HostedForm<Edit, Question>> {
    const earlierPages = new Set(studio.pages.open);
    await studio.runCommand('Datamodel Studio: Open Form');
    await waitFor(
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputCustom,
      () => 'The form is not open',
    );
    // The text editor closes if it has no unsaved changes.
    const hasTextEditor = (): boolean =>
      vscode.window.tabGroups.activeTabGroup.tabs.some(({ input }) => input instanceof vscode.TabInputText);
    await waitFor(
      () => document.isDirty || !hasTextEditor(),
      () => 'The text editor stays open',
    );
    // The tab is shown before its page, and other documents may be open in their forms.
    const page = await waitFor(
      () => studio.pages.open.find((open) => open.viewType === viewType && !earlierPages.has(open)),
      () => `No page ${viewType} is opened`,
    );
    const form = new HostedForm<Edit, Question>(page, document);
    await form.waitForMessage('document');
    return form;
  }

  /** The form that a command has opened in the active tab. */
  static async fromActiveTab<Edit, Question>(
    studio: HostStudio,
    viewType: string,
    title: string,
  ): Promise<HostedForm<Edit, Question>> {
    const { uri } = await waitFor(
      () => {
        const { label, input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
        return label === title && input instanceof vscode.TabInputCustom && input.viewType === viewType
          ? input
          : undefined;
      },
      () => {
        const { label, input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
        return `No ${viewType} of ${title} is active, but ${label}: ${JSON.stringify(input)}`;
      },
    );
    const document = await vscode.workspace.openTextDocument(uri);
    const form = new HostedForm<Edit, Question>(await studio.findPage(viewType), document);
    await form.waitForMessage('document');
    return form;
  }

  /** Waits until the tables of the datamodel are known. */
  async waitForTables(): Promise<void> {
    await this.waitForMessage('model', ({ model }) => model.state === 'ready');
  }

  waitForMessage<Type extends ToForm['type']>(
    type: Type,
    check: (message: Received<Type>) => boolean = () => true,
  ): Promise<Received<Type>> {
    return this.#page.waitForMessage<Received<Type>>(type, check);
  }

  post(message: FromForm<Edit, Question>): void {
    this.#page.post(message);
  }

  /** Edits as the page does, and waits until the document has it. */
  async edit(edit: Edit): Promise<void> {
    this.#editCount += 1;
    this.post({ type: 'edit', number: this.#editCount, epoch: this.#epoch, edit });
    await this.waitForMessage('changes', ({ lastProcessedEdit }) => lastProcessedEdit === this.#editCount);
  }

  /** Asks as the page does; the test answers the prompt. */
  ask(question: Question): void {
    this.post({ type: 'ask', epoch: this.#epoch, question });
  }

  /** The number of external changes that the page knows of. */
  get #epoch(): number {
    const newest = this.#page.messages.findLast((message) => 'epoch' in message);
    return newest !== undefined && 'epoch' in newest ? Number(newest.epoch) : 0;
  }
}
