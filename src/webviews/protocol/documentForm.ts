import type { JsonValue } from '../../base/json.ts';
import type { ValueChange } from '../../json/text/valueChanges.ts';

/** Where a text ceases to be JSON; lines and columns count from 1. */
export interface FormError {
  readonly line: number;
  readonly column: number;
}

/** Something wrong in the document, worded for a person. */
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

/** What is known of the datamodel that the document is about. */
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

/** What people call the groups and users that are known by other names, by id. */
export type FormNames = Readonly<Record<string, string>>;

/** What the host says to the page of a document's form. */
export type ToForm =
  /** The whole document: at first, and after a text that was no JSON. */
  | {
      readonly type: 'document';
      readonly value: JsonValue;
      readonly epoch: number;
      readonly done: number;
      readonly isReadOnly: boolean;
    }
  /** The text is no JSON: the form stays as it was last, and waits. */
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

/** What the page of a form says to its host. */
export type FromForm<Edit, Question> =
  | { readonly type: 'ready' }
  /**
   * An edit, made in view of the document of `epoch` and the edits before it; `number` counts the page's edits, and
   * comes back as `done` with the first message that knows of it.
   */
  | { readonly type: 'edit'; readonly number: number; readonly epoch: number; readonly edit: Edit }
  /** Shows the text beside the form, at a part of the document. */
  | { readonly type: 'showText'; readonly path?: readonly (string | number)[] | undefined }
  | { readonly type: 'reloadModel' }
  /**
   * Lets the person choose in the editor's own way; the answer comes as a change of the document. Asked in view of the
   * document of `epoch` and the edits before it.
   */
  | { readonly type: 'ask'; readonly epoch: number; readonly question: Question };
