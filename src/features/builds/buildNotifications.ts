import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { type Build, isFailedOrGone, isRunning } from '../../builds/build.ts';
import type { BuildEndEvent, BuildWatchFailure } from '../../builds/buildWatchEvents.ts';
import { runCommand } from '../../platform/commands.ts';
import { showError, showInformation, showWarning } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { getSetting } from '../../platform/settings.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { withConnectionName } from '../../platform/connectionSuffix.ts';
import {
  describeActivity,
  getBuildTitle,
  describeResult,
  describeBuildFailure,
  isQueued,
} from './buildLabels.ts';
import type { BuildsDeps } from './deps.ts';
import type { FaultySql } from './findSqlErrors.ts';

/**
 * Shows notifications about builds: the progress of builds that were started here, failed builds, builds whose result
 * is unknown, and connections whose builds cannot be watched. The setting `builds.notifications` limits them.
 */
export class BuildNotifications implements Disposable {
  readonly #deps: BuildsDeps;
  readonly #store = new DisposableStore();
  #isShowingProgress = false;

  constructor(deps: BuildsDeps) {
    this.#deps = deps;
    const { buildMonitor } = deps;
    this.#store.add(buildMonitor.onDidChange(() => this.#showNextProgress()));
    this.#store.add(buildMonitor.onDidEnd((event) => this.#notifyEnd(event)));
    this.#store.add(buildMonitor.onDidFail((failure) => void this.#notifyWatchError(failure)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Shows the progress of one build at a time; the status bar shows the other builds. */
  #showNextProgress(): void {
    const { buildMonitor } = this.#deps;
    if (this.#isShowingProgress || !['progress', 'all'].includes(getSetting('builds.notifications'))) {
      return;
    }
    const nextBuild = buildMonitor.runningBuilds.find(
      (build) => build.startedBy !== undefined && buildMonitor.isReportedHere(build),
    );
    if (nextBuild !== undefined) {
      this.#isShowingProgress = true;
      void this.#showProgress(nextBuild);
    }
  }

  async #showProgress(build: Build): Promise<void> {
    const title = toPlainText(this.#withConnectionName(build, describeActivity(build)));
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    await vscode.window.withProgress(options, (progress, cancellation) => {
      cancellation.onCancellationRequested(() => void this.#cancel(build));
      return this.#waitForEnd(build, (current) => {
        progress.report({ message: isQueued(current) ? vscode.l10n.t('queued') : '' });
      });
    });
    this.#isShowingProgress = false;
    if (!this.#store.isDisposed) {
      this.#showNextProgress();
    }
  }

  /** Resolves when the build has ended, is no longer watched, or this object is disposed; reports each change. */
  #waitForEnd(build: Build, onChange: (current: Build) => void): Promise<void> {
    const { buildMonitor } = this.#deps;
    return new Promise((resolve) => {
      const completion = toDisposable(resolve);
      const subscription = buildMonitor.onDidChange(() => checkBuild());
      const checkBuild = (): void => {
        const current = buildMonitor.find(build.connectionId, build.oid);
        if (current !== undefined && isRunning(current) && buildMonitor.isMonitored(current)) {
          onChange(current);
          return;
        }
        this.#store.delete(subscription);
        this.#store.delete(completion);
      };
      this.#store.add(completion);
      this.#store.add(subscription);
      checkBuild();
    });
  }

  async #cancel(build: Build): Promise<void> {
    try {
      await this.#deps.buildMonitor.cancel(build);
    } catch (error) {
      this.#deps.log.error('builds', 'Canceling failed', { build: build.oid, reason: String(error) });
      const title = this.#withConnectionName(build, getBuildTitle(build));
      await showError(vscode.l10n.t("Can't cancel the build of {0}. {1}", title, getUserMessage(error)));
    }
  }

  #notifyEnd({ build, shouldNotify }: BuildEndEvent): void {
    const { oid, phase, reason } = build;
    this.#deps.log.info('builds', 'Ended', { build: oid, phase, reason, reported: shouldNotify });
    const setting = getSetting('builds.notifications');
    if (!shouldNotify) {
      return;
    }
    if (isFailedOrGone(build)) {
      if (setting !== 'none') {
        void (phase === 'failed' ? this.#notifyFailure(build) : this.#notifyUnknownResult(build));
      }
    } else if (setting === 'all') {
      void showInformation(describeResult(build));
    }
  }

  /** Reports a build whose result is unknown, since the server no longer lists its task. */
  async #notifyUnknownResult(build: Build): Promise<void> {
    const { connectionId, oid } = build;
    const buildAgainLabel = vscode.l10n.t('Build Again');
    const showBuildsLabel = vscode.l10n.t('Show Builds');
    const title = this.#withConnectionName(build, getBuildTitle(build));
    const message = vscode.l10n.t(
      'The outcome of the build of {0} is unknown. The server no longer lists the build.',
      title,
    );
    const buildAgainActions = build.datamodelId === undefined ? [] : [buildAgainLabel];
    const selectedAction = await showWarning(message, ...buildAgainActions, showBuildsLabel);
    if (selectedAction === buildAgainLabel) {
      await runCommand('datamodelStudio.builds.again', { connectionId, oid });
    } else if (selectedAction === showBuildsLabel) {
      await runCommand('datamodelStudio.builds.show');
    }
  }

  async #notifyFailure(build: Build): Promise<void> {
    const { connectionId, oid } = build;
    const openTableLabel = vscode.l10n.t('Open Table');
    const showBuildsLabel = vscode.l10n.t('Show Builds');
    const showLogLabel = vscode.l10n.t('Show Log');
    const openSqlLabel = vscode.l10n.t('Open SQL');
    const title = this.#withConnectionName(build, getBuildTitle(build));
    const failure = vscode.l10n.t('Build of {0} failed: {1}', title, describeBuildFailure(build));
    const [faultySql, ...otherFaultySql] = await this.#findSqlErrors(build);
    const message =
      faultySql === undefined
        ? failure
        : vscode.l10n.t('{0}. {1}', failure, describeSqlErrors(faultySql.label, otherFaultySql.length));
    const actions = [
      ...(faultySql === undefined ? [] : [openSqlLabel]),
      ...(build.failedTable === undefined ? [] : [openTableLabel]),
      showBuildsLabel,
      showLogLabel,
    ];
    const selectedAction = await showError(message, ...actions);
    if (selectedAction === openSqlLabel) {
      await runCommand('datamodelStudio.documents.open', faultySql?.target);
    } else if (selectedAction === openTableLabel) {
      await runCommand('datamodelStudio.builds.openTable', { connectionId, oid });
    } else if (selectedAction === showBuildsLabel) {
      await runCommand('datamodelStudio.builds.show');
    } else if (selectedAction === showLogLabel) {
      await runCommand('datamodelStudio.log.show');
    }
  }

  /** Finds SQL with errors if the server has reported no reason for a failure, so that something leads to them. */
  async #findSqlErrors({ connectionId, datamodelId, reason }: Build): Promise<readonly FaultySql[]> {
    if (reason !== undefined || datamodelId === undefined) {
      return [];
    }
    try {
      const { findSqlErrors } = await import('./findSqlErrors.ts');
      const { catalog } = await this.#deps.sessions.get(connectionId);
      return await findSqlErrors(catalog.namedDatamodels, { connectionId, datamodelId });
    } catch (error) {
      this.#deps.log.warn('builds', 'The SQL of a failed build was not checked', { reason: String(error) });
      return [];
    }
  }

  #withConnectionName({ connectionId }: Build, text: string): string {
    return withConnectionName(this.#deps.connections, connectionId, text);
  }

  /** Reports that the user must act before builds can be watched, for example because the token has expired. */
  async #notifyWatchError({ connectionId, error }: BuildWatchFailure): Promise<void> {
    const connection = this.#deps.connections.find(connectionId);
    if (connection === undefined || getSetting('builds.notifications') === 'none') {
      return;
    }
    const message = vscode.l10n.t("Can't monitor builds on {0}. {1}", connection.name, getUserMessage(error));
    const signInLabel = vscode.l10n.t('Sign In…');
    const testConnectionLabel = vscode.l10n.t('Test Connection…');
    const selectedAction = await (connection.kind === 'remote'
      ? showError(message, signInLabel, testConnectionLabel)
      : showError(message, testConnectionLabel));
    if (selectedAction === signInLabel) {
      await runCommand('datamodelStudio.connections.signIn', { connectionId });
    } else if (selectedAction === testConnectionLabel) {
      await runCommand('datamodelStudio.connections.test', { connectionId });
    }
  }
}

/** Describes which SQL has errors; they need not be the reason of the failure. */
function describeSqlErrors(label: string, otherCount: number): string {
  if (otherCount === 0) {
    return vscode.l10n.t('The SQL of {0} has errors.', label);
  }
  return otherCount === 1
    ? vscode.l10n.t('The SQL of {0} and 1 other table or column has errors.', label)
    : vscode.l10n.t('The SQL of {0} and {1} other tables or columns has errors.', label, otherCount);
}
