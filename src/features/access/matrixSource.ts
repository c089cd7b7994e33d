import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { FileRulesReference, RulesReference } from '../../webviews/protocol/access.ts';
import type {
  MatrixPageMessage,
  MatrixCellChange,
  MatrixHostMessage,
} from '../../webviews/protocol/ruleMatrix.ts';

export type ApplyOutcome = Omit<Extract<MatrixHostMessage, { type: 'outcome' }>, 'type'>;

/** Where the rules of a grid come from, and where its changes go: a server, or the files of a project. */
export interface MatrixSource extends Disposable {
  /** Identifies the rules, to restore the tab. */
  readonly rulesReference: RulesReference | FileRulesReference;
  /** Identifies the changes that are kept while the tab is closed. */
  readonly draftKey: string;
  /** The title of the tab. */
  readonly title: string;
  /** The name of the datamodel or cube set in messages. */
  readonly name: string;
  /** False if the rules can't be opened again. */
  readonly canReopen: boolean;
  /** Shows a title, such as {@link title} with a mark for unapplied changes. */
  setTitle(title: string): void;
  /** Posts everything again, after a check for changes at the source. */
  reload(): Promise<void>;
  /** Posts the current rules. */
  load(): Promise<void>;
  /** Looks up the user or group that a text names, and posts it, or why there is none. */
  postParty(type: 'user' | 'group', text: string): void | Promise<void>;
  openAccess(): Promise<void>;
  /** Opens the rules of a column as JSON; without a column, all rules or the first that isn't in the grid. */
  openRules(column: Extract<MatrixPageMessage, { type: 'openRules' }>['column']): Promise<void>;
  /** Makes the grid editable again after the server refused a change; absent if the source isn't a server. */
  retryEditing?(): void;
  apply(cells: readonly MatrixCellChange[]): Promise<ApplyOutcome>;
}

/** Creates the source for a tab, which receives what the source posts. */
export type MatrixSourceFactory = (
  panel: vscode.WebviewPanel,
  post: (message: MatrixHostMessage) => void,
) => MatrixSource;
