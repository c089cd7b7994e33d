import type { JsonValue } from '../../base/json.ts';
import type { ValueChange } from '../../json/text/valueChanges.ts';

/** The place where a text stops being JSON; lines and columns count from 1. */
export interface FormError {
  readonly line: number;
  readonly column: number;
}

/** A problem in the document, worded for the user. */
export interface FormProblem {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'information';
  readonly message: string;
  readonly path: readonly (string | number)[];
}

export interface FormTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type?: number; readonly hidden?: boolean }[];
}

/** The state of the document's datamodel. */
export type FormModel =
  | { readonly state: 'loading'; readonly title: string }
  /** No datamodel is named, or none is known by the name. */
  | { readonly state: 'none'; readonly title: string }
  | { readonly state: 'failed'; readonly title: string; readonly message: string }
  | {
      readonly state: 'ready';
      readonly title: string;
      readonly complete: boolean;
      readonly tables: readonly FormTable[];
    };

/** Display names of groups and users that have other names in the document, by ID. */
export type FormNames = Readonly<Record<string, string>>;

/** Messages from the host to the page of a document's form. */
export type ToForm =
  /** The whole document: initially, and after a text that was not JSON. */
  | {
      readonly type: 'document';
      readonly value: JsonValue;
      readonly epoch: number;
      readonly done: number;
      readonly isReadOnly: boolean;
    }
  /** The text is not JSON: the form keeps its last state and waits. */
  | { readonly type: 'invalid'; readonly error: FormError; readonly epoch: number; readonly done: number }
  | {
      readonly type: 'changes';
      readonly changes: readonly ValueChange[];
      readonly epoch: number;
      readonly done: number;
    }
  | { readonly type: 'problems'; readonly problems: readonly FormProblem[] }
  | { readonly type: 'model'; readonly model: FormModel }
  | { readonly type: 'names'; readonly names: FormNames };

/** Messages from the page of a form to the host. */
export type FromForm<Edit, Question> =
  | { readonly type: 'ready' }
  /**
   * An edit, made while the document of `epoch` and the edits before it were displayed; `number` counts the page's
   * edits, and is returned as `done` with the first message that includes it.
   */
  | { readonly type: 'edit'; readonly number: number; readonly epoch: number; readonly edit: Edit }
  /** Shows the text beside the form, at a part of the document. */
  | { readonly type: 'showText'; readonly path?: readonly (string | number)[] | undefined }
  | { readonly type: 'reloadModel' }
  /**
   * Opens a picker in the editor; the answer arrives as a change of the document. Asked while the document of `epoch`
   * and the edits before it were displayed.
   */
  | { readonly type: 'ask'; readonly epoch: number; readonly question: Question };
