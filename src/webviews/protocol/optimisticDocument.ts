import { assertNever } from '../../base/assertNever.ts';
import type { JsonValue } from '../../base/json.ts';
import { applyValueChanges, reuseEqualParts } from '../../json/text/valueChanges.ts';
import type { FormError, ToForm } from './documentForm.ts';

/** What the page of a form shows: what the host has told, and on top of it the edits that it does not know yet. */
export class OptimisticDocument<Edit> {
  readonly #apply: (value: JsonValue, edit: Edit) => JsonValue;
  #confirmed: JsonValue | undefined;
  #pending: readonly { readonly number: number; readonly edit: Edit }[] = [];
  #current: JsonValue | undefined;
  #epoch = 0;
  #editCount = 0;
  #error: FormError | undefined;
  #isReadOnly = false;

  constructor(apply: (value: JsonValue, edit: Edit) => JsonValue) {
    this.#apply = apply;
  }

  /** The document as it is shown; `undefined` until the host has told it. */
  get value(): JsonValue | undefined {
    return this.#current;
  }

  /** Why the text is no JSON now; the value is then that of the last text that was. */
  get error(): FormError | undefined {
    return this.#error;
  }

  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  /** Which state of the document the page knows; it goes with what the page says of its parts. */
  get epoch(): number {
    return this.#epoch;
  }

  /** How many edits the page has made. */
  get editCount(): number {
    return this.#editCount;
  }

  /** Whether the host has told that the first `count` edits are done. */
  hasConfirmed(count: number): boolean {
    return this.#pending.every(({ number }) => number > count);
  }

  /** Shows an edit at once, and answers the message that tells the host. */
  edit(edit: Edit): {
    readonly type: 'edit';
    readonly number: number;
    readonly epoch: number;
    readonly edit: Edit;
  } {
    this.#editCount += 1;
    this.#pending = [...this.#pending, { number: this.#editCount, edit }];
    this.#current = this.#current === undefined ? undefined : this.#apply(this.#current, edit);
    return { type: 'edit', number: this.#editCount, epoch: this.#epoch, edit };
  }

  /** Takes what the host tells of the document; true where that was it. */
  receive(message: ToForm): boolean {
    switch (message.type) {
      case 'document':
        this.#confirmed = message.value;
        this.#error = undefined;
        this.#isReadOnly = message.isReadOnly;
        break;
      case 'changes':
        this.#confirmed =
          this.#confirmed === undefined ? undefined : applyValueChanges(this.#confirmed, message.changes);
        this.#error = undefined;
        break;
      case 'invalid':
        this.#error = message.error;
        break;
      case 'model':
      case 'names':
      case 'problems':
        return false;
      default:
        return assertNever(message);
    }
    this.#epoch = message.epoch;
    this.#pending = this.#pending.filter(({ number }) => number > message.done);
    this.#update();
    return true;
  }

  #update(): void {
    const confirmed = this.#confirmed;
    // What comes back as it is shown already stays the same object: nothing is drawn anew for it.
    this.#current =
      confirmed === undefined
        ? undefined
        : reuseEqualParts(
            this.#current,
            this.#pending.reduce((value, { edit }) => this.#apply(value, edit), confirmed),
          );
  }
}
