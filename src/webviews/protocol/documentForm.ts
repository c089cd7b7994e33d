import type { JsonValue } from '../../base/json.ts';
import type { ValueChange } from '../../json/text/valueChanges.ts';

/** The position of the first JSON syntax error; lines and columns start at 1. */
export interface FormSyntaxError {
  readonly line: number;
  readonly column: number;
}

/** A problem in the document. The message is localized. */
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

/** The datamodel of the document, and whether its tables are loaded. */
export type FormDatamodelState =
  | { readonly state: 'loading'; readonly title: string }
  /** The document names no datamodel, or one that does not exist on the current connection. */
  | { readonly state: 'none'; readonly title: string }
  | { readonly state: 'failed'; readonly title: string; readonly message: string }
  | {
      readonly state: 'ready';
      readonly title: string;
      /** Whether all of its tables could be read: otherwise, an unknown name may exist. */
      readonly complete: boolean;
      readonly tables: readonly FormTable[];
    };

/** The known values of a column, to offer while values are typed. */
export interface FormColumnValues {
  readonly table: string;
  readonly column: string;
  readonly values: readonly string[];
}

/** Display names of the groups and users in the document, by ID. */
export type FormNames = Readonly<Record<string, string>>;

/**
 * Messages from the host to the page of a document's form. `epoch` counts external changes of the document;
 * `lastProcessedEdit` is the number of the last edit of the page that the host processed before it sent the message.
 */
export type ToForm =
  /** The whole document: sent initially, and when the text is valid JSON again. */
  | {
      readonly type: 'document';
      readonly value: JsonValue;
      readonly epoch: number;
      readonly lastProcessedEdit: number;
      readonly isReadOnly: boolean;
    }
  /** The text is not valid JSON. The form shows the last valid document, if there was one, and cannot be edited. */
  | {
      readonly type: 'invalid';
      readonly error: FormSyntaxError;
      readonly epoch: number;
      readonly lastProcessedEdit: number;
    }
  | {
      readonly type: 'changes';
      readonly changes: readonly ValueChange[];
      readonly epoch: number;
      readonly lastProcessedEdit: number;
    }
  /** Whether the file of the document has been deleted since it was opened. */
  | { readonly type: 'file'; readonly isDeleted: boolean }
  | { readonly type: 'problems'; readonly problems: readonly FormProblem[] }
  | { readonly type: 'model'; readonly model: FormDatamodelState }
  | { readonly type: 'names'; readonly names: FormNames }
  /** The known values of columns, in addition to those that were posted before. */
  | { readonly type: 'values'; readonly columns: readonly FormColumnValues[] };

/** Messages from the page of a form to the host. */
export type FromForm<Edit, Question> =
  | { readonly type: 'ready' }
  /**
   * An edit. It applies to what the page displayed: the document of `epoch` plus the page's earlier edits. `number`
   * counts the edits of the page; the host returns it as `lastProcessedEdit`.
   */
  | { readonly type: 'edit'; readonly number: number; readonly epoch: number; readonly edit: Edit }
  /** Opens the text beside the form, and reveals the value at the path. */
  | { readonly type: 'showText'; readonly path?: readonly (string | number)[] | undefined }
  | { readonly type: 'reloadModel' }
  /**
   * Opens a quick pick in VS Code; the selection arrives as a change of the document. Like an edit, the question refers
   * to what the page displayed.
   */
  | { readonly type: 'ask'; readonly epoch: number; readonly question: Question };
