import type { JsonValue } from '../../base/json.ts';
import { computeEdits } from '../../json/text/computeEdits.ts';
import { type ParsedJson, toParsedJson } from '../../json/text/parsedJson.ts';
import { applyEdits } from '../../json/text/textEdit.ts';
import { reuseEqualParts, computeValueChanges } from '../../json/text/valueChanges.ts';
import { type EditableJsonDocument, maxAttempts } from './editDocument.ts';
import type { FormError, ToForm } from './documentForm.ts';

/** What a form does with its kind of document. */
export interface FormModelAdapter<Edit> {
  /** What stands for a text without a value. */
  readonly empty: JsonValue;
  apply(value: JsonValue, edit: Edit): JsonValue;
  /** The edit as it applies to what the document has become; `undefined` where it no longer does. */
  rebase(edit: Edit, seen: JsonValue, now: JsonValue): Edit | undefined;
}

/** A page that is further behind than so many changes made elsewhere loses its edit. */
const maxKeptEpochs = 50;

/**
 * Keeps the page of a form and the text of its document the same, while both may change at any time. The text is the
 * only model: an edit of the page becomes an edit of the text, and what the text then says goes to the page as
 * changes. Each message tells how many edits of the page it knows of, so that the page can show its later ones on
 * top; and an epoch that counts changes made elsewhere, so that an edit that crosses one on the way is rebased.
 */
export class FormSync<Edit> {
  readonly #document: EditableJsonDocument;
  readonly #kind: FormModelAdapter<Edit>;
  readonly #post: (message: ToForm) => void;
  #json: ParsedJson;
  /** What the page knows, or would if it were there: the last value that could be read. */
  #value: JsonValue;
  #epoch = 0;
  #lastDone = 0;
  /** The text that our own edit will make, and the number that the page gave it. */
  #pendingText: { readonly text: string; readonly number: number } | undefined;
  /** What the page showed at the end of each epoch that it may still speak of, with its edits since. */
  readonly #valuesByEpoch = new Map<number, JsonValue>();
  #queue: Promise<void> = Promise.resolve();

  constructor(document: EditableJsonDocument, kind: FormModelAdapter<Edit>, post: (message: ToForm) => void) {
    this.#document = document;
    this.#kind = kind;
    this.#post = post;
    this.#json = toParsedJson(document.json);
    this.#value = this.#json.error === undefined ? (this.#json.value ?? kind.empty) : kind.empty;
  }

  /** The value of the document when it could last be read. */
  get value(): JsonValue {
    return this.#value;
  }

  /** Tells a page that has just begun everything. */
  start(): void {
    this.#lastDone = 0;
    this.#postDocument();
    this.#postError();
  }

  /** Takes an edit of the page. Edits are done one after the other, in the order of the page. */
  applyEdit(message: {
    readonly number: number;
    readonly epoch: number;
    readonly edit: Edit;
  }): Promise<void> {
    this.#queue = this.#queue.then(() => this.#processEdit(message));
    return this.#queue;
  }

  /**
   * What the page showed when it asked something: the document of its epoch with the edits that it made before.
   * `undefined` where the page is too far behind.
   */
  async getValueAt(epoch: number): Promise<JsonValue | undefined> {
    await this.#queue;
    return epoch === this.#epoch ? this.#value : this.#valuesByEpoch.get(epoch);
  }

  /** To be called whenever the text may have changed, by whomever. */
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
    // What was typed into the text a moment ago may not have been told yet.
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
   * Makes an edit of the page one of the text. An editor refuses edits of a text that has changed since they were
   * thought of, as when somebody types in it or undoes: they are then made anew, so that no keystroke is lost.
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

  /** The edit as it applies now. */
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
