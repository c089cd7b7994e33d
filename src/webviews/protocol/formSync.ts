import type { JsonValue } from '../../base/json.ts';
import { editsTo } from '../../json/text/editsTo.ts';
import { type JsonText, jsonTextOf } from '../../json/text/jsonText.ts';
import { applyEdits } from '../../json/text/textEdit.ts';
import { shareParts, valueChanges } from '../../json/text/valueChanges.ts';
import { type ChangingText, mostAttempts } from './changeText.ts';
import type { FormError, ToForm } from './documentForm.ts';

/** What a form does with its kind of document. */
export interface FormKind<Edit> {
  /** What stands for a text without a value. */
  readonly empty: JsonValue;
  apply(value: JsonValue, edit: Edit): JsonValue;
  /** The edit as it applies to what the document has become; `undefined` where it no longer does. */
  rebase(edit: Edit, seen: JsonValue, now: JsonValue): Edit | undefined;
}

/** A page that is further behind than so many changes made elsewhere loses its edit. */
const mostEpochs = 50;

/**
 * Keeps the page of a form and the text of its document the same, while both may change at any time. The text is the
 * only model: an edit of the page becomes an edit of the text, and what the text then says goes to the page as
 * changes. Each message tells how many edits of the page it knows of, so that the page can show its later ones on
 * top; and an epoch that counts changes made elsewhere, so that an edit that crosses one on the way is rebased.
 */
export class FormSync<Edit> {
  readonly #document: ChangingText;
  readonly #kind: FormKind<Edit>;
  readonly #post: (message: ToForm) => void;
  #json: JsonText;
  /** What the page knows, or would if it were there: the last value that could be read. */
  #value: JsonValue;
  #epoch = 0;
  #done = 0;
  /** The text that our own edit will make, and the number that the page gave it. */
  #expected: { readonly text: string; readonly number: number } | undefined;
  /** What the page showed at the end of each epoch that it may still speak of, with its edits since. */
  readonly #seen = new Map<number, JsonValue>();
  #queue: Promise<void> = Promise.resolve();

  constructor(document: ChangingText, kind: FormKind<Edit>, post: (message: ToForm) => void) {
    this.#document = document;
    this.#kind = kind;
    this.#post = post;
    this.#json = jsonTextOf(document.json);
    this.#value = this.#json.error === undefined ? (this.#json.value ?? kind.empty) : kind.empty;
  }

  /** The value of the document when it could last be read. */
  get value(): JsonValue {
    return this.#value;
  }

  /** Tells a page that has just begun everything. */
  start(): void {
    this.#done = 0;
    this.#postDocument();
    this.#postError();
  }

  /** Takes an edit of the page. Edits are done one after the other, in the order of the page. */
  receive(message: { readonly number: number; readonly epoch: number; readonly edit: Edit }): Promise<void> {
    this.#queue = this.#queue.then(() => this.#edit(message));
    return this.#queue;
  }

  /**
   * What the page showed when it asked something: the document of its epoch with the edits that it made before.
   * `undefined` where the page is too far behind.
   */
  async seenAt(epoch: number): Promise<JsonValue | undefined> {
    await this.#queue;
    return epoch === this.#epoch ? this.#value : this.#seen.get(epoch);
  }

  /** To be called whenever the text may have changed, by whomever. */
  textChanged(): void {
    const { json } = this.#document;
    const { text } = json;
    if (text === this.#json.text) {
      return;
    }
    const wasInvalid = this.#json.error !== undefined;
    const before = this.#value;
    const read = jsonTextOf(json);
    const value = shareParts(before, read.value ?? this.#kind.empty);
    this.#json = { ...read, value: read.value === undefined ? undefined : value };
    if (text === this.#expected?.text) {
      this.#done = this.#expected.number;
    } else {
      this.#seen.set(this.#epoch, before);
      this.#seen.delete(this.#epoch - mostEpochs);
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

  async #edit(message: {
    readonly number: number;
    readonly epoch: number;
    readonly edit: Edit;
  }): Promise<void> {
    // What was typed into the text a moment ago may not have been told yet.
    this.textChanged();
    for (const past of this.#seen.keys()) {
      if (past < message.epoch) {
        this.#seen.delete(past);
      }
    }
    await this.#make(message);
    for (const [epoch, value] of this.#seen) {
      // So that the next edit of the same part still finds it.
      this.#seen.set(epoch, shareParts(this.#value, this.#kind.apply(value, message.edit)));
    }
    if (this.#done !== message.number) {
      this.#done = message.number;
      this.#postChanges(this.#value);
      this.#postError();
    }
  }

  /**
   * Makes an edit of the page one of the text. An editor refuses edits of a text that has changed since they were
   * thought of, as when somebody types in it or undoes: they are then made anew, so that no keystroke is lost.
   */
  async #make({
    number,
    epoch,
    edit,
  }: {
    readonly number: number;
    readonly epoch: number;
    readonly edit: Edit;
  }) {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const current = this.#current(edit, epoch);
      if (current === undefined || this.#json.error !== undefined || this.#document.isReadOnly) {
        return;
      }
      const { text } = this.#json;
      const edits = editsTo(this.#json, this.#kind.apply(this.#value, current));
      if (edits.length === 0) {
        return;
      }
      this.#expected = { text: applyEdits(text, edits), number };
      const isDone = await this.#document.apply(edits);
      this.textChanged();
      this.#expected = undefined;
      if (isDone || this.#json.text === text) {
        return;
      }
    }
  }

  /** The edit as it applies now. */
  #current(edit: Edit, epoch: number): Edit | undefined {
    if (epoch === this.#epoch) {
      return edit;
    }
    const seen = this.#seen.get(epoch);
    return seen === undefined ? undefined : this.#kind.rebase(edit, seen, this.#value);
  }

  #postDocument(): void {
    this.#post({
      type: 'document',
      value: this.#value,
      epoch: this.#epoch,
      done: this.#done,
      isReadOnly: this.#document.isReadOnly,
    });
  }

  #postChanges(before: JsonValue): void {
    const changes = valueChanges(before, this.#value);
    this.#post({ type: 'changes', changes, epoch: this.#epoch, done: this.#done });
  }

  #postError(): void {
    const { error, text } = this.#json;
    if (error !== undefined) {
      this.#post({
        type: 'invalid',
        error: positionOf(text, error.start),
        epoch: this.#epoch,
        done: this.#done,
      });
    }
  }
}

function positionOf(text: string, offset: number): FormError {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
