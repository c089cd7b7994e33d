import type { JsonValue } from '../../base/json.ts';
import type { Table } from '../../contract/table.ts';
import type { CatalogRelation, CatalogTable, RenameConflict } from '../../sql/language.ts';
import type { NumberedReference } from '../instance/parties.ts';
import type { ItemKey } from '../item.ts';
import type { FormCellEdit } from '../../security/form/ruleEdit.ts';
import type { ColumnName } from '../../security/tableAccess.ts';
import type { Finding } from '../validate/finding.ts';

/** A position in a file, as in the editor: the first line and character are 0. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

export interface PositionRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** A part of a file of the project. */
export interface FileLocation {
  readonly path: string;
  readonly span: PositionRange;
}

/** A table or column of a datamodel of the project. */
export interface TableOrColumnName {
  readonly datamodel: string;
  readonly table: string;
  readonly column?: string;
}

/** A table of the project, with its SQL. Its ID and those of its columns are names, see `createColumnId`. */
export interface FileTable {
  readonly path: string;
  readonly dataset: string;
  readonly table: Table;
  /** The table in the catalog, with the columns that its SQL will have. */
  readonly catalogTable: CatalogTable;
}

/** What has changed in a datamodel since a revision. */
export interface DatamodelUpdate {
  readonly title: string;
  readonly type: string;
  /** Whether all tables could be read. If not, a table that isn't there may still exist. */
  readonly hasAllTables: boolean;
  readonly datasets: readonly string[];
  /** The names of all tables, in order. */
  readonly tableNames: readonly string[];
  readonly relations: readonly CatalogRelation[];
  /** The tables that have changed, or some of them if there are many. */
  readonly tables: readonly FileTable[];
  /** The revision that the caller has with these tables. */
  readonly revision: number;
  /** Whether the caller has to request further tables. */
  readonly hasMore: boolean;
}

/** What a file of the project contains, and where it belongs. */
export interface FileContext {
  /** The item in the file; `undefined` if it can't be read at the moment. */
  readonly key: ItemKey | undefined;
  /** The title of the datamodel whose folder the file is in, if the project has it. */
  readonly datamodel: string | undefined;
}

/** The names that rules and viewpoints of the project use, and all of its datamodels. */
export interface ProjectNameLists {
  readonly apps: readonly string[];
  readonly groups: readonly string[];
  readonly users: readonly string[];
  /** The values in rules, by the ID of their column. */
  readonly members: ReadonlyMap<string, readonly string[]>;
  readonly datamodels: readonly { readonly title: string; readonly isLive: boolean }[];
}

/** The findings that have changed since a revision, or some of them if there are many. */
export interface FindingsUpdate {
  /** All findings of each file whose findings have changed; none if it has no findings anymore, or no longer exists. */
  readonly files: readonly (readonly [path: string, findings: readonly Finding[]])[];
  /** The revision that the caller has with these findings. */
  readonly revision: number;
  /** Whether the caller has to request further findings. */
  readonly hasMore: boolean;
}

/** What rules of the project apply to. */
export type RulesSubject = { readonly datamodel: string } | { readonly cubeSet: string };

/** Where a rule is: the index in the list of its file. */
export interface RuleLocation {
  readonly path: string;
  readonly index: number;
}

/** The rules of a datamodel or cube set. */
export interface FileRules {
  /** A text that changes with every change of the rules. */
  readonly version: string;
  /**
   * The files and folders that may have further rules, because they can't be read, or because several have rules on the
   * same column; absent if all rules are known.
   */
  readonly unreadablePaths?: readonly string[];
  /** The rules, with names of users and groups in place of IDs; absent if the caller already has these rules. */
  readonly rules?: readonly JsonValue[];
  /** The location of each rule; absent if the rules are. */
  readonly ruleLocations?: readonly RuleLocation[];
}

/** A cell of the rules grid with its new content. */
export interface RuleCellEdit extends FormCellEdit {
  /** Other IDs that files use for the same party, such as the email address of a user. */
  readonly aliases: readonly string[];
}

/** A change of a file with rules. A file that would have no rules left is deleted. */
export type RuleFileChange =
  | { readonly kind: 'create'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string; readonly textBefore: string }
  | {
      readonly kind: 'edit';
      readonly path: string;
      readonly textBefore: string;
      readonly edits: readonly { readonly span: PositionRange; readonly newText: string }[];
    };

/**
 * The file changes that apply edits of the rules grid, or why no file is changed:
 * - `changed`: the rules are no longer those that the cells were compared with
 * - `unreadable`: these files can't be read, and may have rules on the columns of the cells
 */
export type RulesEdit =
  | { readonly changes: readonly RuleFileChange[] }
  | { readonly refusal: 'changed' }
  | { readonly refusal: 'unreadable'; readonly paths: readonly string[] };

/** An edit of a file, as part of a rename. */
export interface FileEdit extends FileLocation {
  readonly newText: string;
  /** Set if it is not certain that the name refers to what is renamed. */
  readonly isUncertain?: boolean;
}

/**
 * Why a table or column can't be renamed:
 * - `empty`, `same`: the new name is empty, or the current one
 * - `taken`: another table or column has the name
 * - `not-found`: the files no longer have the table or column
 * - `star`: the column comes from a `*` in the query of its table
 * - `renamed-before`: some instances still have the former name in the file, and others already the current one
 * - `conflict`: in the SQL at this position, a name would change its meaning
 */
export type RenameRefusal =
  | { readonly reason: 'empty' | 'same' | 'taken' | 'not-found' | 'star' }
  | { readonly reason: 'renamed-before'; readonly formerName: string }
  | {
      readonly reason: 'conflict';
      readonly path: string;
      readonly line: number;
      readonly conflict: RenameConflict;
    };

export type ProjectRename =
  | {
      readonly edits: readonly FileEdit[];
      /** The files that can't be read, so that they may still have the former name. */
      readonly unreadablePaths: readonly string[];
    }
  | { readonly refusal: RenameRefusal };

/** What has changed in the project. */
export interface ProjectChange {
  /** The titles of the datamodels in which names of tables or columns have changed, or that were added or removed. */
  readonly datamodels: readonly string[];
}

type Answer<T> = T | Promise<T>;

/** The calls of the thread that knows the names of a project. They are answered one after the other, in order. */
export interface LanguageCalls {
  /** Reads all files of the folder again. */
  readonly reload: () => Answer<ProjectChange>;
  /** Returns the paths of files that may have changed since the last call, or since they were read. */
  readonly findChanges: () => Answer<readonly string[]>;
  /** Reads again the files and folders that may have changed. */
  readonly update: (paths: readonly string[]) => Answer<ProjectChange>;
  /** Sets the texts of files with unsaved changes. Files without a text have been saved or reverted. */
  readonly setUnsaved: (
    texts: readonly { readonly path: string; readonly text?: string }[],
  ) => Answer<ProjectChange>;
  readonly getFile: (path: string) => Answer<FileContext>;
  /** Returns the tables that have changed since a revision; `undefined` if the project has no such datamodel. */
  readonly getDatamodel: (request: {
    readonly title: string;
    readonly since: number;
  }) => Answer<DatamodelUpdate | undefined>;
  readonly getProjectNames: () => Answer<ProjectNameLists>;
  /** Returns the problems of a file that `validate` reports. */
  readonly getFindings: (path: string) => Answer<readonly Finding[]>;
  /** Returns the problems of all files that have changed since a revision. Checks only some of the files at once. */
  readonly getFindingsUpdate: (since: number) => Answer<FindingsUpdate>;
  /** Returns the table or column that the name at an offset refers to. */
  readonly findName: (request: {
    readonly path: string;
    readonly offset: number;
  }) => Answer<{ readonly name: TableOrColumnName; readonly span: PositionRange } | undefined>;
  /** Returns where a table or column is in the file of the table. */
  readonly findDefinition: (name: TableOrColumnName) => Answer<FileLocation | undefined>;
  readonly findReferences: (request: {
    readonly name: TableOrColumnName;
    readonly includesDeclaration: boolean;
  }) => Answer<readonly FileLocation[]>;
  /** Returns the columns that have rules. */
  readonly getSecuredColumns: (datamodel: string) => Answer<readonly ColumnName[]>;
  /** Returns the rules of a datamodel or cube set, if they have changed since a version. */
  readonly getRules: (request: {
    readonly subject: RulesSubject;
    readonly since: string | undefined;
  }) => Answer<FileRules>;
  /**
   * Returns the file changes that apply edits of the rules grid.
   * @throws RangeError for a cell that can't be changed
   */
  readonly editRules: (request: {
    readonly subject: RulesSubject;
    /** The version of the rules that the cells were compared with. */
    readonly version: string;
    readonly cells: readonly RuleCellEdit[];
  }) => Answer<RulesEdit>;
  readonly locateRule: (place: RuleLocation) => Answer<FileLocation | undefined>;
  /** Returns the references that files contain as numbers, from the lock file of an environment. */
  readonly getNumberedReferences: (environmentName: string) => Answer<readonly NumberedReference[]>;
  /** Returns the file of a relation, which is identified by the IDs of its columns. */
  readonly findRelation: (request: {
    readonly datamodel: string;
    readonly columns: readonly string[];
  }) => Answer<FileLocation | undefined>;
  readonly rename: (request: {
    readonly name: TableOrColumnName;
    readonly newName: string;
  }) => Answer<ProjectRename>;
}

/** What the thread is started with. */
export interface LanguageTarget {
  /** The absolute path of the project's folder. */
  readonly folder: string;
}
