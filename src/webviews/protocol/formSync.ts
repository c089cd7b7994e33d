import type { JsonValue } from '../../base/json.ts';
import { computeEdits } from '../../json/text/computeEdits.ts';
import { type ParsedJson, toParsedJson } from '../../json/text/parsedJson.ts';
import { applyEdits } from '../../base/textEdit.ts';
import { reuseEqualParts, computeValueChanges } from '../../json/text/valueChanges.ts';
import { type EditableJsonDocument, maxAttempts } from './editDocument.ts';
import type { FormError, ToForm } from './documentForm.ts';

/** The operations of a form on its kind of document. */
export interface FormModelAdapter<Edit> {
  /** The value of a text without a value. */
  readonly empty: JsonValue;
  apply(value: JsonValue, edit: Edit): JsonValue;
  /** Adapts the edit to the changed document; `undefined` if it no longer applies. */
  rebase(edit: Edit, seen: JsonValue, now: JsonValue): Edit | undefined;
}

/** A page that is more than this many external changes behind loses its edit. */
const maxKeptEpochs = 50;

/**
 * Keeps the page of a form and the text of its document in sync, while both may change at any time. The text is the
 * only model: an edit of the page becomes an edit of the text, and the resulting text is sent to the page as changes.
 * Each message has the number of page edits it includes, so that the page can show its later ones on top; and an epoch
 * that counts external changes, so that an edit that crosses one on the way is rebased.
 */
export class FormSync<Edit> {
  readonly #document: EditableJsonDocument;
  readonly #kind: FormModelAdapter<Edit>;
  readonly #post: (message: ToForm) => void;
  #json: ParsedJson;
  /** The value that the page has, or would have if it were open: the last value that could be parsed. */
  #value: JsonValue;
  #epoch = 0;
  #lastDone = 0;
  /** The text that the own edit will produce, and the page's number of the edit. */
  #pendingText: { readonly text: string; readonly number: number } | undefined;
  /** The value displayed at the end of each epoch that the page may still refer to, with its edits since. */
  readonly #valuesByEpoch = new Map<number, JsonValue>();
  #queue: Promise<void> = Promise.resolve();

  constructor(document: EditableJsonDocument, kind: FormModelAdapter<Edit>, post: (message: ToForm) => void) {
    this.#document = document;
    this.#kind = kind;
    this.#post = post;
    this.#json = toParsedJson(document.json);
    this.#value = this.#json.error === undefined ? (this.#json.value ?? kind.empty) : kind.empty;
  }

  /** The value of the document when it could last be parsed. */
  get value(): JsonValue {
    return this.#value;
  }

  /** Sends everything to a page that has just started. */
  start(): void {
    this.#lastDone = 0;
    this.#postDocument();
    this.#postError();
  }

  /** Applies an edit of the page. Edits are done one after the other, in the order of the page. */
  applyEdit(message: {
    readonly number: number;
    readonly epoch: number;
    readonly edit: Edit;
  }): Promise<void> {
    this.#queue = this.#queue.then(() => this.#processEdit(message));
    return this.#queue;
  }

  /**
   * The value displayed when the page asked something: the document of its epoch with the edits that it made before.
   * `undefined` if the page is too far behind.
   */
  async getValueAt(epoch: number): Promise<JsonValue | undefined> {
    await this.#queue;
    return epoch === this.#epoch ? this.#value : this.#valuesByEpoch.get(epoch);
  }

  /** Must be called whenever the text may have changed, whatever the cause. */
  handleTextChange(): void {
    const { json } = this.#document;
    const { text } = json;
    if (text === this.#json.text) {
      return;
    }
    const wasInvalid = this.#json.error !== undefined;
    const before = this.#value;
    const read = toParsedJson(json);
    const value = reuseEqualParts(before, read.value ?? this.#kind.empty);
    this.#json = { ...read, value: read.value === undefined ? undefined : value };
    if (text === this.#pendingText?.text) {
      this.#lastDone = this.#pendingText.number;
    } else {
      this.#valuesByEpoch.set(this.#epoch, before);
      this.#valuesByEpoch.delete(this.#epoch - maxKeptEpochs);
      this.#epoch += 1;
    }
    if (read.error !== undefined) {
      this.#postError();
      return;
    }
    this.#value = value;
    if (wasInvalid) {
      this.#postDocument();
    } else {
      this.#postChanges(before);
    }
  }

  async #processEdit(message: {
    readonly number: number;
    readonly epoch: number;
    readonly edit: Edit;
  }): Promise<void> {
    // The last keystrokes in the text may not have been reported yet.
    this.handleTextChange();
    for (const past of this.#valuesByEpoch.keys()) {
      if (past < message.epoch) {
        this.#valuesByEpoch.delete(past);
      }
    }
    await this.#writeEdit(message);
    for (const [epoch, value] of this.#valuesByEpoch) {
      // So that the next edit of the same part still finds it.
      this.#valuesByEpoch.set(epoch, reuseEqualParts(this.#value, this.#kind.apply(value, message.edit)));
    }
    if (this.#lastDone !== message.number) {
      this.#lastDone = message.number;
      this.#postChanges(this.#value);
      this.#postError();
    }
  }

  /**
   * Converts an edit of the page to one of the text. An editor rejects edits of a text that has changed since they were
   * computed, for example by typing or undo: they are then computed again, so that no keystroke is lost.
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
      const current = this.#rebaseEdit(edit, epoch);
      if (current === undefined || this.#json.error !== undefined || this.#document.isReadOnly) {
        return;
      }
      const { text } = this.#json;
      const edits = computeEdits(this.#json, this.#kind.apply(this.#value, current));
      if (edits.length === 0) {
        return;
      }
      this.#pendingText = { text: applyEdits(text, edits), number };
      const isDone = await this.#document.apply(edits);
      this.handleTextChange();
      this.#pendingText = undefined;
      if (isDone || this.#json.text === text) {
        return;
      }
    }
  }

  /** The edit, adapted to the current document. */
  #rebaseEdit(edit: Edit, epoch: number): Edit | undefined {
    if (epoch === this.#epoch) {
      return edit;
    }
    const seen = this.#valuesByEpoch.get(epoch);
    return seen === undefined ? undefined : this.#kind.rebase(edit, seen, this.#value);
  }

  #postDocument(): void {
    this.#post({
      type: 'document',
      value: this.#value,
      epoch: this.#epoch,
      done: this.#lastDone,
      isReadOnly: this.#document.isReadOnly,
    });
  }

  #postChanges(before: JsonValue): void {
    const changes = computeValueChanges(before, this.#value);
    this.#post({ type: 'changes', changes, epoch: this.#epoch, done: this.#lastDone });
  }

  #postError(): void {
    const { error, text } = this.#json;
    if (error !== undefined) {
      this.#post({
        type: 'invalid',
        error: toLineAndColumn(text, error.start),
        epoch: this.#epoch,
        done: this.#lastDone,
      });
    }
  }
}

function toLineAndColumn(text: string, offset: number): FormError {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
