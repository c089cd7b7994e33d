import type * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { UserDirectories } from '../../connections/userDirectories.ts';
import type { ActivePanels } from '../../platform/activePanels.ts';
import type { WriteAccessDeps } from '../../platform/ensureWritable.ts';
import type { Writer } from '../../changes/run/writer.ts';

export interface PlanFeatureDeps extends WriteAccessDeps {
  /** The writer of all changes; loaded with the first write. */
  readonly changeServices: () => Promise<{ readonly writer: Writer }>;
  readonly activePanels: ActivePanels;
  readonly sessions: Pick<Sessions, 'get'>;
  readonly userDirectories: Pick<UserDirectories, 'get'>;
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
  /**
   * The pages that stay open while the pages that replace them are loaded. They close when another plan page of the
   * same connection opens.
   */
  readonly loadingPages: Set<LoadingPage>;
}

/** A page that stays open while the page that replaces it is loaded. */
interface LoadingPage {
  readonly connectionId: string;
  close(): void;
}

/** A file that the caller of an operation changes together with the server. */
export interface ChangedFile {
  readonly name: string;
  readonly detail: string;
}
