import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type {
  FormDatamodelState,
  FormNames,
  FormProblem,
  FormTable,
  FromForm,
  ToForm,
} from '../../../src/webviews/protocol/documentForm.ts';
import type { FormDocumentAdapter } from '../../../src/webviews/protocol/formSync.ts';
import { FormTextHost } from '../../support/formTextHost.ts';
import { TestPage, type PageOptions } from './testPage.ts';

/** Some tables of the demo's datamodel. */
export const retailTables: readonly FormTable[] = [
  {
    name: 'Customers',
    columns: [
      { name: 'Segment', type: 18 },
      { name: 'City', type: 18 },
    ],
  },
  {
    name: 'Orders',
    columns: [
      { name: 'Order Id', type: 8 },
      { name: 'Order Date', type: 31 },
    ],
  },
];

/** The state that the host of a form posts in addition to the document. */
export interface FormOptions extends PageOptions {
  readonly isReadOnly?: boolean;
  readonly model?: FormDatamodelState;
  readonly names?: FormNames;
}

/** The page of a form. A host synchronizes it with a text; the test posts all messages other than the document. */
export class TestForm<Edit, Question> {
  readonly testPage: TestPage<ToForm, FromForm<Edit, Question>>;
  readonly #host: FormTextHost<Edit>;
  readonly #gate: Gate<FromForm<Edit, Question>>;

  private constructor(
    testPage: TestPage<ToForm, FromForm<Edit, Question>>,
    host: FormTextHost<Edit>,
    gate: Gate<FromForm<Edit, Question>>,
  ) {
    this.testPage = testPage;
    this.#host = host;
    this.#gate = gate;
  }

  /**
   * Opens the page of a form on a text.
   * @param bundle the name of the page's folder
   */
  static async open<Edit, Question>(
    bundle: string,
    adapter: FormDocumentAdapter<Edit>,
    text: string,
    options: FormOptions = {},
  ): Promise<TestForm<Edit, Question>> {
    let post: (message: ToForm) => void = () => undefined;
    const host = new FormTextHost(adapter, text, (message) => post(message), options.isReadOnly);
    const gate = new Gate<FromForm<Edit, Question>>((message) => host.receive(message));
    const testPage = await TestPage.open<ToForm, FromForm<Edit, Question>>(
      bundle,
      options,
      (message, page) => {
        post = (message) => page.post(message);
        return gate.pass(message);
      },
    );
    const form = new TestForm(testPage, host, gate);
    await testPage.page.exposeFunction('undoInEditor', () => host.undo());
    await testPage.page.evaluate(forwardUndo);
    testPage.post({
      type: 'model',
      model: options.model ?? { state: 'ready', title: 'Retail', complete: true, tables: retailTables },
    });
    testPage.post({ type: 'names', names: options.names ?? {} });
    await form.page.getByRole('main').waitFor();
    return form;
  }

  get page(): Page {
    return this.testPage.page;
  }

  get text(): string {
    return this.#host.text;
  }

  getButton(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
    }
  }

  /** Waits until the text of the document matches. */
  async waitForText(expected: string | RegExp): Promise<void> {
    await expect.poll(() => this.text).toMatch(expected);
  }

  /** Replaces the text, as typing in a text editor does. */
  setText(text: string): void {
    this.#host.setText(text);
  }

  /** Posts the problems that the host finds in the document. */
  postProblems(problems: readonly FormProblem[]): void {
    this.testPage.post({ type: 'problems', problems });
  }

  /** Waits until the latest question of the page is the given one. */
  async waitForQuestion(question: Question): Promise<void> {
    await expect
      .poll(() => this.testPage.messages.findLast(({ type }) => type === 'ask'))
      .toMatchObject({ question });
  }

  /** Waits until the latest request to show the text has this path, or no path if it is absent. */
  async waitForShowText(path?: readonly (string | number)[]): Promise<void> {
    await expect
      .poll(() => this.testPage.messages.findLast(({ type }) => type === 'showText'))
      .toEqual(path === undefined ? { type: 'showText' } : { type: 'showText', path });
  }

  /** Writes an edit into the document, as the answer to the latest question of the page. */
  async answer(edit: Edit): Promise<void> {
    const { epoch } = await this.testPage.waitForMessage('ask');
    expect(await this.#host.answer(edit, epoch)).toBe('written');
  }

  /** Queues the messages of the page, as if the host were slow, until the returned function is called. */
  holdMessages(): () => Promise<void> {
    this.#gate.close();
    return () => this.#gate.open();
  }
}

/** Passes messages to a handler; queues them while it is closed. */
class Gate<Message> {
  readonly #handle: (message: Message) => Promise<void>;
  #heldMessages: Message[] | undefined;

  constructor(handle: (message: Message) => Promise<void>) {
    this.#handle = handle;
  }

  async pass(message: Message): Promise<void> {
    if (this.#heldMessages === undefined) {
      await this.#handle(message);
    } else {
      this.#heldMessages.push(message);
    }
  }

  close(): void {
    this.#heldMessages ??= [];
  }

  async open(): Promise<void> {
    const heldMessages = this.#heldMessages ?? [];
    this.#heldMessages = undefined;
    for (const message of heldMessages) {
      await this.#handle(message);
    }
  }
}

/** Forwards undo to the editor, as VS Code does with the keys of pages. Runs in the page. */
function forwardUndo(): void {
  const host = globalThis as unknown as { undoInEditor(): void };
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey && event.key === 'z') {
      event.preventDefault();
      host.undoInEditor();
    }
  });
}
