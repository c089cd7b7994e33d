import type * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { ActivePanels } from '../../platform/activePanels.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import type { ConnectionPickerDeps } from '../../platform/pickConnection.ts';
import type { TreeSelection } from '../../platform/treeSelection.ts';

/** The dependencies of the diagram. */
export interface DiagramFeatureDeps extends ConnectionPickerDeps {
  readonly sessions: Sessions;
  readonly activePanels: ActivePanels;
  readonly selection: TreeSelection;
  readonly extensionUri: vscode.Uri;
  /** The projects of the workspace. */
  readonly loadFileCatalogs: () => Promise<FileCatalogs>;
  readonly log: Log;
}
