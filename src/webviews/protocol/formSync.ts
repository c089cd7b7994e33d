import type { JsonValue } from '../../base/json.ts';
import { computeEdits } from '../../json/text/computeEdits.ts';
import { type ParsedJson, toParsedJson } from '../../json/text/parsedJson.ts';
import { applyEdits } from '../../base/textEdit.ts';
import { reuseEqualParts, computeValueChanges } from '../../json/text/valueChanges.ts';
import { type EditableJsonDocument, maxAttempts } from './editDocument.ts';
import type { FormSyntaxError, ToForm } from './documentForm.ts';

/** The operations of a form that depend on the type of its document. */
export interface FormDocumentAdapter<Edit> {
  /** The value to use for an empty text. */
  readonly emptyValue: JsonValue;
  apply(value: JsonValue, edit: Edit): JsonValue;
  /** Adapts an edit of the displayed value to the current one; `undefined` if it no longer applies. */
  rebase(edit: Edit, displayedValue: JsonValue, currentValue: JsonValue): Edit | undefined;
}

/** The edits of a page that lags behind by more external changes than this are dropped. */
const maxKeptEpochs = 50;

/**
 * Keeps the page of a form and the text of its document in sync, while both may change at any time. The text is the
 * single source of truth: an edit of the page becomes an edit of the text, and the changed value is sent to the page.
 * Each message contains the number of the last page edit that was processed, so that the page can apply its later edits
 * on top; and an epoch, which counts external changes, so that edits made before such a change are rebased.
 */
export class FormSync<Edit> {
  readonly #document: EditableJsonDocument;
  readonly #adapter: FormDocumentAdapter<Edit>;
  readonly #post: (message: ToForm) => void;
  #json: ParsedJson;
  /** The value of the last text that could be parsed. This is the value that an open page has received. */
  #value: JsonValue;
  /** False until a text could be parsed. Until then, no document is sent to the page, which would show it as empty. */
  #hasValue: boolean;
  #epoch = 0;
  #lastProcessedEdit = 0;
  /** The text that the edit being written will produce, and the number of that edit. */
  #pendingText: { readonly text: string; readonly number: number } | undefined;
  /** For each past epoch that the page may still refer to: its last value, with the page edits since then applied. */
  readonly #valuesByEpoch = new Map<number, JsonValue>();
  #queue: Promise<void> = Promise.resolve();

  constructor(
    document: EditableJsonDocument,
    adapter: FormDocumentAdapter<Edit>,
    post: (message: ToForm) => void,
  ) {
    this.#document = document;
    this.#adapter = adapter;
    this.#post = post;
    this.#json = toParsedJson(document.json);
    this.#hasValue = this.#json.error === undefined;
    this.#value = this.#hasValue ? (this.#json.value ?? adapter.emptyValue) : adapter.emptyValue;
  }

  /** The value of the last text that could be parsed; that of an empty text if none could be. */
  get value(): JsonValue {
    return this.#value;
  }

  /** Sends the document to a page that has just been loaded. */
  start(): void {
    this.#lastProcessedEdit = 0;
    if (this.#hasValue) {
      this.#postDocument();
    }
    this.#postError();
  }

  /**
   * Applies an edit of the page. Edits are applied one at a time, in the order of the calls. Rejects if the editor
   * fails; the page then displays the text without the edit.
   */
  applyEdit(message: {
    readonly number: number;
    readonly epoch: number;
    readonly edit: Edit;
  }): Promise<void> {
    const processed = this.#queue.then(() => this.#processEdit(message));
    // The caller handles the failure, which must not prevent later edits.
    this.#queue = processed.catch(() => undefined);
    return processed;
  }

  /**
   * Returns the value that the page displayed when it sent a question: the document of that epoch with the page's own
   * edits. `undefined` if that epoch is too old.
   */
  async getValueAt(epoch: number): Promise<JsonValue | undefined> {
    await this.#queue;
    return epoch === this.#epoch ? this.#value : this.#valuesByEpoch.get(epoch);
  }

  /** Updates the page; must be called whenever the text may have changed, even through `applyEdit`. */
  handleTextChange(): void {
    const { json } = this.#document;
    const { text } = json;
    if (text === this.#json.text) {
      return;
    }
    const wasInvalid = this.#json.error !== undefined;
    const previousValue = this.#value;
    const parsed = toParsedJson(json);
    const value = reuseEqualParts(previousValue, parsed.value ?? this.#adapter.emptyValue);
    this.#json = { ...parsed, value: parsed.value === undefined ? undefined : value };
    if (text === this.#pendingText?.text) {
      this.#lastProcessedEdit = this.#pendingText.number;
    } else {
      this.#valuesByEpoch.set(this.#epoch, previousValue);
      this.#valuesByEpoch.delete(this.#epoch - maxKeptEpochs);
      this.#epoch += 1;
    }
    if (parsed.error !== undefined) {
      this.#postError();
      return;
    }
    this.#value = value;
    this.#hasValue = true;
    if (wasInvalid) {
      this.#postDocument();
    } else {
      this.#postChanges(previousValue);
    }
  }

  async #processEdit(message: {
    readonly number: number;
    readonly epoch: number;
    readonly edit: Edit;
  }): Promise<void> {
    // The change event for the last keystrokes in the text may still be pending.
    this.handleTextChange();
    for (const pastEpoch of this.#valuesByEpoch.keys()) {
      if (pastEpoch < message.epoch) {
        this.#valuesByEpoch.delete(pastEpoch);
      }
    }
    try {
      await this.#writeEdit(message);
      for (const [epoch, value] of this.#valuesByEpoch) {
        // The next edit of the page refers to a value that includes this edit.
        this.#valuesByEpoch.set(
          epoch,
          reuseEqualParts(this.#value, this.#adapter.apply(value, message.edit)),
        );
      }
    } finally {
      this.#pendingText = undefined;
      if (this.#lastProcessedEdit !== message.number) {
        this.#lastProcessedEdit = message.number;
        this.#postChanges(this.#value);
        this.#postError();
      }
    }
  }

  /**
   * Applies an edit of the page to the text. An editor rejects edits if the text has changed since they were computed,
   * for example by typing or undo: they are then computed again, so that no keystroke is lost.
   */
  async #writeEdit({
    number,
    epoch,
    edit,
  }: {
    readonly number: number;
    readonly epoch: number;
    readonly edit: Edit;
  }) {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const rebasedEdit = this.#rebaseEdit(edit, epoch);
      if (rebasedEdit === undefined || this.#json.error !== undefined || this.#document.isReadOnly) {
        return;
      }
      const { text } = this.#json;
      const edits = computeEdits(this.#json, this.#adapter.apply(this.#value, rebasedEdit));
      if (edits.length === 0) {
        return;
      }
      this.#pendingText = { text: applyEdits(text, edits), number };
      const isApplied = await this.#document.apply(edits);
      this.handleTextChange();
      this.#pendingText = undefined;
      if (isApplied || this.#json.text === text) {
        return;
      }
    }
  }

  /** Adapts the edit to the current document; `undefined` if it no longer applies. */
  #rebaseEdit(edit: Edit, epoch: number): Edit | undefined {
    if (epoch === this.#epoch) {
      return edit;
    }
    const displayedValue = this.#valuesByEpoch.get(epoch);
    return displayedValue === undefined ? undefined : this.#adapter.rebase(edit, displayedValue, this.#value);
  }

  #postDocument(): void {
    this.#post({
      type: 'document',
      value: this.#value,
      epoch: this.#epoch,
      lastProcessedEdit: this.#lastProcessedEdit,
      isReadOnly: this.#document.isReadOnly,
    });
  }

  #postChanges(previousValue: JsonValue): void {
    const changes = computeValueChanges(previousValue, this.#value);
    this.#post({ type: 'changes', changes, epoch: this.#epoch, lastProcessedEdit: this.#lastProcessedEdit });
  }

  #postError(): void {
    const { error, text } = this.#json;
    if (error !== undefined) {
      this.#post({
        type: 'invalid',
        error: toLineAndColumn(text, error.start),
        epoch: this.#epoch,
        lastProcessedEdit: this.#lastProcessedEdit,
      });
    }
  }
}

function toLineAndColumn(text: string, offset: number): FormSyntaxError {
  const precedingLines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: precedingLines.length, column: (precedingLines.at(-1)?.length ?? 0) + 1 };
}
