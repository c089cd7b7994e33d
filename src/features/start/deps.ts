import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { RecentProblems } from '../../connections/report/recentProblems.ts';

export interface StartFeatureDeps {
  readonly extension: vscode.Extension<unknown>;
  readonly connections: ConnectionStore;
  readonly clock: Clock;
  readonly log: RecentProblems;
}
