import { assertNever } from '../../base/assertNever.ts';
import type { JsonValue } from '../../base/json.ts';
import { applyValueChanges, reuseEqualParts } from '../../json/text/valueChanges.ts';
import type { FormSyntaxError, ToForm } from './documentForm.ts';

/** The document displayed on a form page: the host's version with the page's unconfirmed edits applied. */
export class OptimisticDocument<Edit> {
  readonly #apply: (value: JsonValue, edit: Edit) => JsonValue;
  #confirmedValue: JsonValue | undefined;
  #pendingEdits: readonly { readonly number: number; readonly edit: Edit }[] = [];
  #displayedValue: JsonValue | undefined;
  #epoch = 0;
  #editCount = 0;
  #error: FormSyntaxError | undefined;
  #isReadOnly = false;

  constructor(apply: (value: JsonValue, edit: Edit) => JsonValue) {
    this.#apply = apply;
  }

  /** The displayed document; `undefined` until the host has sent one. */
  get value(): JsonValue | undefined {
    return this.#displayedValue;
  }

  /** Set while the text is not valid JSON; `value` is then that of the last valid text. */
  get error(): FormSyntaxError | undefined {
    return this.#error;
  }

  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  /** The epoch of the displayed document (see `FormSync`); sent with each message that refers to parts of it. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The number of edits made by the page. */
  get editCount(): number {
    return this.#editCount;
  }

  /** Returns whether the host has confirmed the first `count` edits. */
  hasConfirmed(count: number): boolean {
    return this.#pendingEdits.every(({ number }) => number > count);
  }

  /** Applies an edit to the displayed document, and returns the message to send to the host. */
  edit(edit: Edit): {
    readonly type: 'edit';
    readonly number: number;
    readonly epoch: number;
    readonly edit: Edit;
  } {
    this.#editCount += 1;
    this.#pendingEdits = [...this.#pendingEdits, { number: this.#editCount, edit }];
    this.#displayedValue =
      this.#displayedValue === undefined ? undefined : this.#apply(this.#displayedValue, edit);
    return { type: 'edit', number: this.#editCount, epoch: this.#epoch, edit };
  }

  /** Handles a message of the host; returns false if it does not concern the document. */
  receive(message: ToForm): boolean {
    switch (message.type) {
      case 'document':
        this.#confirmedValue = message.value;
        this.#error = undefined;
        this.#isReadOnly = message.isReadOnly;
        break;
      case 'changes':
        this.#confirmedValue =
          this.#confirmedValue === undefined
            ? undefined
            : applyValueChanges(this.#confirmedValue, message.changes);
        this.#error = undefined;
        break;
      case 'invalid':
        this.#error = message.error;
        break;
      case 'file':
      case 'model':
      case 'names':
      case 'values':
      case 'problems':
        return false;
      default:
        return assertNever(message);
    }
    this.#epoch = message.epoch;
    this.#pendingEdits = this.#pendingEdits.filter(({ number }) => number > message.lastProcessedEdit);
    this.#update();
    return true;
  }

  #update(): void {
    const confirmed = this.#confirmedValue;
    // Equal values stay the same objects, so that unchanged components are not rendered again.
    this.#displayedValue =
      confirmed === undefined
        ? undefined
        : reuseEqualParts(
            this.#displayedValue,
            this.#pendingEdits.reduce((value, { edit }) => this.#apply(value, edit), confirmed),
          );
  }
}
