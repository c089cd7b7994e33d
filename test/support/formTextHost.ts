import { applyEdits, type TextEdit } from '../../src/base/textEdit.ts';
import { parseJsonTree } from '../../src/json/text/parseJsonTree.ts';
import { type AnswerOutcome, applyFormAnswer } from '../../src/webviews/protocol/applyFormAnswer.ts';
import type { FromForm, ToForm } from '../../src/webviews/protocol/documentForm.ts';
import type { EditableJsonDocument } from '../../src/webviews/protocol/editDocument.ts';
import { type FormDocumentAdapter, FormSync } from '../../src/webviews/protocol/formSync.ts';

/** A document of the editor, which can undo the edits of its form. */
class TextDocument implements EditableJsonDocument {
  readonly isReadOnly: boolean;
  text: string;
  readonly #undoStack: string[] = [];

  constructor(text: string, isReadOnly: boolean) {
    this.text = text;
    this.isReadOnly = isReadOnly;
  }

  get json(): EditableJsonDocument['json'] {
    return parseJsonTree(this.text);
  }

  async apply(edits: readonly TextEdit[]): Promise<boolean> {
    this.#undoStack.push(this.text);
    this.text = applyEdits(this.text, edits);
    return true;
  }

  undo(): void {
    this.text = this.#undoStack.pop() ?? this.text;
  }
}

/** The host of a form's page. Everything is real except the editor: the document is only a text. */
export class FormTextHost<Edit> {
  readonly #document: TextDocument;
  readonly #adapter: FormDocumentAdapter<Edit>;
  readonly #sync: FormSync<Edit>;

  constructor(
    adapter: FormDocumentAdapter<Edit>,
    text: string,
    post: (message: ToForm) => void,
    isReadOnly = false,
  ) {
    this.#document = new TextDocument(text, isReadOnly);
    this.#adapter = adapter;
    this.#sync = new FormSync(this.#document, adapter, post);
  }

  get text(): string {
    return this.#document.text;
  }

  /** Handles the messages of the page that concern the document. */
  async receive(message: FromForm<Edit, unknown>): Promise<void> {
    if (message.type === 'ready') {
      this.#sync.start();
    } else if (message.type === 'edit') {
      await this.#sync.applyEdit(message);
    }
  }

  /** Replaces the text, as typing in a text editor does. */
  setText(text: string): void {
    this.#document.text = text;
    this.#sync.handleTextChange();
  }

  /** Undoes the last edit, as the editor does. */
  undo(): void {
    this.#document.undo();
    this.#sync.handleTextChange();
  }

  /**
   * Writes the answer to a question of the page.
   * @param epoch the number of external changes that the page had seen when it asked
   */
  async answer(edit: Edit, epoch: number): Promise<AnswerOutcome> {
    const displayedValue = await this.#sync.getValueAt(epoch);
    const outcome =
      displayedValue === undefined
        ? 'outdated'
        : await applyFormAnswer(this.#document, this.#adapter, edit, displayedValue);
    this.#sync.handleTextChange();
    return outcome;
  }
}
