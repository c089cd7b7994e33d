import * as vscode from 'vscode';
import { toPlainText } from '../../platform/serverText.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { RuleCellEdit, RulesEdit } from '../../project/language/languageCalls.ts';
import { isConflicting } from '../../security/matrix/matrixDraft.ts';
import { createRuleMatrix } from '../../security/matrix/ruleMatrix.ts';
import { deserializeCellEdit } from '../../security/matrix/serializedDraft.ts';
import { isObject } from '../../security/readRules.ts';
import type { FileRulesReference } from '../../webviews/protocol/access.ts';
import type {
  MatrixPageMessage,
  MatrixCellChange,
  MatrixHostMessage,
} from '../../webviews/protocol/ruleMatrix.ts';
import type { AccessFeatureDeps } from './deps.ts';
import { FileAccessFeed, getRulesSubjectTitle } from './fileAccessFeed.ts';
import type { FileParties } from './fileParties.ts';
import { getFileTargetKey } from './fileTarget.ts';
import type { ApplyOutcome, MatrixSource } from './matrixSource.ts';
import { writeRuleFiles } from './writeRuleFiles.ts';

const t = vscode.l10n.t;

/** The rules of a datamodel or cube set in the files of a project, in the grid. Nothing is sent to a server. */
export class FileMatrix implements MatrixSource {
  readonly rulesReference: FileRulesReference;
  readonly draftKey: string;
  readonly title: string;
  readonly name: string;
  /** A project that was removed may be restored, for example by checking out another branch. */
  readonly canReopen = true;
  readonly #deps: AccessFeatureDeps;
  readonly #panel: vscode.WebviewPanel;
  readonly #feed: FileAccessFeed;
  readonly #showAccess: () => Promise<void>;

  constructor(
    { deps, target, catalogs, showAccess }: FileMatrixOptions,
    panel: vscode.WebviewPanel,
    post: (message: MatrixHostMessage) => void,
  ) {
    this.#deps = deps;
    this.#panel = panel;
    this.#showAccess = showAccess;
    this.rulesReference = target;
    this.draftKey = getFileTargetKey(target);
    const title = toPlainText(getRulesSubjectTitle(target.subject));
    this.name = t('{0} (files)', title);
    this.title = t('Rules: {0} (files)', title);
    this.#feed = new FileAccessFeed(deps, target, catalogs, post, { isForEditing: true });
  }

  setTitle(title: string): void {
    this.#panel.title = title;
  }

  reload(): Promise<void> {
    return this.#feed.reload();
  }

  load(): Promise<void> {
    return this.#feed.load();
  }

  postParty(type: 'user' | 'group', text: string): void {
    this.#feed.postParty(type, text);
  }

  openAccess(): Promise<void> {
    return this.#showAccess();
  }

  async openRules(column: Extract<MatrixPageMessage, { type: 'openRules' }>['column']): Promise<void> {
    const rules = this.#feed.shownRules?.rules.rules ?? [];
    const index =
      column === undefined
        ? createRuleMatrix(rules, { needsIds: false }).unplacedIndexes[0]
        : rules.findIndex(
            (rule) => isObject(rule) && rule['table'] === column.table && rule['column'] === column.column,
          );
    const location = index === undefined ? undefined : await this.#feed.locateRule(index);
    if (location !== undefined) {
      const { start } = location.range;
      await vscode.window.showTextDocument(location.uri, { selection: new vscode.Range(start, start) });
    }
  }

  async apply(cells: readonly MatrixCellChange[]): Promise<ApplyOutcome> {
    try {
      return await this.#apply(cells);
    } catch (error) {
      this.#deps.log.warn('access', 'The rules could not be written to files', { reason: String(error) });
      return { outcome: 'failed', message: getUserMessage(error) };
    }
  }

  async #apply(cells: readonly MatrixCellChange[]): Promise<ApplyOutcome> {
    await this.#feed.load();
    const { shownRules } = this.#feed;
    const catalog = await this.#feed.findProject();
    if (shownRules === undefined || catalog === undefined) {
      return { outcome: 'failed', message: t("The project files can't be read.") };
    }
    const { parties, rules } = shownRules;
    const matrix = createRuleMatrix(parties.rules, { needsIds: false });
    if (cells.map(deserializeCellEdit).some((edit) => isConflicting(edit, matrix))) {
      return { outcome: 'conflict' };
    }
    const result = await catalog.query('editRules', {
      subject: this.rulesReference.subject,
      version: rules.version,
      cells: cells.map((cell) => toFileEdit(cell, parties)),
    });
    if ('refusal' in result) {
      return result.refusal === 'changed'
        ? { outcome: 'conflict' }
        : { outcome: 'failed', message: describeUnreadable(result) };
    }
    const problem = await writeRuleFiles(catalog, result.changes);
    return problem === undefined ? { outcome: 'applied' } : { outcome: 'failed', message: problem };
  }

  dispose(): void {
    this.#feed.dispose();
  }
}

/** The dependencies of a grid for rules in files. */
export interface FileMatrixOptions {
  readonly deps: AccessFeatureDeps;
  readonly target: FileRulesReference;
  readonly catalogs: FileCatalogs;
  /** Shows Effective Access of the same files. */
  readonly showAccess: () => Promise<void>;
}

function toFileEdit({ party, column, value }: MatrixCellChange, parties: FileParties): RuleCellEdit {
  const { type, id } = party;
  return {
    party,
    column,
    value,
    aliases: type === 'default' || id === undefined ? [] : parties.getAliases(type, id),
  };
}

function describeUnreadable({ paths }: Extract<RulesEdit, { refusal: 'unreadable' }>): string {
  const [path = '', ...others] = paths;
  return others.length === 0
    ? t("{0} can't be read and might have rules on the same columns. Correct it first.", path)
    : others.length === 1
      ? t(
          "{0} and 1 more file can't be read and might have rules on the same columns. Correct them first.",
          path,
        )
      : t(
          "{0} and {1} more files can't be read and might have rules on the same columns. Correct them first.",
          path,
          others.length,
        );
}
