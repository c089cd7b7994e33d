import * as vscode from 'vscode';
import { type FileRename, renameInFiles } from '../../changes/plan/rename/renameInFiles.ts';
import type { Rename } from '../../changes/model/tableRenames.ts';
import type { RenameState } from '../../changes/plan/rename/renameState.ts';
import { showWarning } from '../../platform/messages.ts';
import { LineOffsets } from '../../base/lineOffsets.ts';
import { toTextRange } from '../../platform/textRange.ts';
import type { ChangedFile, RenameDeps, WorkspaceSqlFile } from './deps.ts';
import type { ReferringFile } from './askForExcludedReferences.ts';

const t = vscode.l10n.t;

/** A rename in the SQL files of the workspace, which are changed after the server. */
export interface WorkspaceRename {
  readonly references: readonly ReferringFile[];
  /** Describes the files that change, for Review Changes. */
  describe(excludedKeys: ReadonlySet<string>): readonly ChangedFile[];
  /** Changes the current contents of the files, in one step that can be undone. */
  apply(excludedKeys: ReadonlySet<string>): Promise<void>;
}

/** Finds what a rename changes in the SQL files of the workspace; nothing is changed yet. */
export async function planWorkspaceRename(
  { findSqlFiles }: Pick<RenameDeps, 'findSqlFiles'>,
  datamodel: { readonly connectionId: string; readonly datamodelId: string },
  { state, rename }: { readonly state: RenameState; readonly rename: Rename },
): Promise<WorkspaceRename> {
  const { files, exceededLimit } = await findSqlFiles(datamodel);
  const references = renameInFiles(state.model, rename, files).map(({ file: { uri }, edits }) => ({
    key: getFileKey(uri),
    name: vscode.workspace.asRelativePath(uri),
    detail: edits.length === 1 ? t('1 reference') : t('{0} references', edits.length),
  }));
  return {
    references,
    describe: (excludedKeys) => [
      ...references.filter(({ key }) => !excludedKeys.has(key)),
      ...(exceededLimit === undefined
        ? []
        : [
            {
              name: t('Other SQL files'),
              detail: t("not searched: more than {0} files aren't assigned to a datamodel", exceededLimit),
            },
          ]),
    ],
    apply: async (excludedKeys) => {
      const plannedKeys = new Set(references.map(({ key }) => key).filter((key) => !excludedKeys.has(key)));
      if (plannedKeys.size === 0) {
        return;
      }
      // The files may have been edited while the plan was open.
      const { files: currentFiles } = await findSqlFiles(datamodel);
      const fileRenames = renameInFiles(
        state.model,
        rename,
        currentFiles.filter(({ uri }) => plannedKeys.has(getFileKey(uri))),
      );
      if (!(await vscode.workspace.applyEdit(toWorkspaceEdit(fileRenames), { isRefactoring: true }))) {
        const names = fileRenames.map(({ file: { uri } }) => vscode.workspace.asRelativePath(uri));
        await showWarning(
          t(
            "Renamed on the server, but these files couldn't be updated. Change the name in them manually: {0}",
            names.join(', '),
          ),
        );
      }
    },
  };
}

const getFileKey = (uri: vscode.Uri): string => `file/${String(uri)}`;

function toWorkspaceEdit(fileRenames: readonly FileRename<WorkspaceSqlFile>[]): vscode.WorkspaceEdit {
  const workspaceEdit = new vscode.WorkspaceEdit();
  for (const { file, edits } of fileRenames) {
    const lines = new LineOffsets(file.text);
    workspaceEdit.set(
      file.uri,
      edits.map((edit) => new vscode.TextEdit(toTextRange(lines, edit), edit.newText)),
    );
  }
  return workspaceEdit;
}
