import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { type Build, isRunning } from '../../builds/build.ts';
import type { BuildEndEvent, BuildWatchFailure } from '../../builds/buildWatch.ts';
import { runCommand } from '../../platform/commands.ts';
import { showError, showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { getSetting } from '../../platform/settings.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import { withConnectionName } from '../../platform/connectionSuffix.ts';
import { describeActivity, getBuildTitle, describeEnd, describeFailure, isQueued } from './buildLabels.ts';
import type { BuildsDeps } from './deps.ts';

/**
 * Shows notifications about builds: the progress of builds that were started here, failed builds, and connections whose
 * builds cannot be watched. The setting `builds.notifications` limits them.
 */
export class BuildNotifications implements Disposable {
  readonly #deps: BuildsDeps;
  readonly #store = new DisposableStore();
  #isFollowing = false;

  constructor(deps: BuildsDeps) {
    this.#deps = deps;
    const { builds } = deps;
    this.#store.add(builds.onDidChange(() => this.#followNew()));
    this.#store.add(builds.onDidEnd((end) => this.#notifyEnd(end)));
    this.#store.add(builds.onDidFail((trouble) => void this.#notifyWatchError(trouble)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Shows the progress of one build at a time; the status bar shows the other builds. */
  #followNew(): void {
    const { builds } = this.#deps;
    if (this.#isFollowing || !['progress', 'all'].includes(getSetting('builds.notifications'))) {
      return;
    }
    const next = builds.running.find((build) => build.startedBy !== undefined && builds.isStartedHere(build));
    if (next !== undefined) {
      this.#isFollowing = true;
      void this.#follow(next);
    }
  }

  async #follow(build: Build): Promise<void> {
    const title = toPlainText(this.#withConnectionName(build, describeActivity(build)));
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    await vscode.window.withProgress(options, (progress, cancellation) => {
      cancellation.onCancellationRequested(() => void this.#cancel(build));
      return this.#waitForEnd(build, (current) => {
        progress.report({ message: isQueued(current) ? vscode.l10n.t('queued') : '' });
      });
    });
    this.#isFollowing = false;
    if (!this.#store.isDisposed) {
      this.#followNew();
    }
  }

  /** Resolves when the build has ended, is no longer watched, or this object is disposed; reports each change. */
  #waitForEnd(build: Build, onChange: (current: Build) => void): Promise<void> {
    const { builds } = this.#deps;
    return new Promise((resolve) => {
      const settled = toDisposable(resolve);
      const subscription = builds.onDidChange(() => checkBuild());
      const checkBuild = (): void => {
        const current = builds.find(build.connectionId, build.oid);
        if (current !== undefined && isRunning(current) && builds.isFollowed(current)) {
          onChange(current);
          return;
        }
        this.#store.release(subscription);
        this.#store.release(settled);
      };
      this.#store.add(settled);
      this.#store.add(subscription);
      checkBuild();
    });
  }

  async #cancel(build: Build): Promise<void> {
    try {
      await this.#deps.builds.cancel(build);
    } catch (error) {
      this.#deps.log.error('builds', 'Cancelling failed', { build: build.oid, reason: String(error) });
      const title = this.#withConnectionName(build, getBuildTitle(build));
      await showError(
        vscode.l10n.t('The build of {0} could not be cancelled: {1}', title, getUserMessage(error)),
      );
    }
  }

  #notifyEnd({ build, shouldNotify }: BuildEndEvent): void {
    const { oid, phase, reason } = build;
    this.#deps.log.info('builds', 'Ended', { build: oid, phase, reason, reported: shouldNotify });
    const wanted = getSetting('builds.notifications');
    if (shouldNotify && phase === 'failed' && wanted !== 'none') {
      void this.#notifyFailure(build);
    }
    if (shouldNotify && phase !== 'failed' && wanted === 'all') {
      void showInformation(describeEnd(build));
    }
  }

  async #notifyFailure(build: Build): Promise<void> {
    const { connectionId, oid } = build;
    const openTable = vscode.l10n.t('Open Table');
    const showBuilds = vscode.l10n.t('Show Builds');
    const showLog = vscode.l10n.t('Show Log');
    const title = this.#withConnectionName(build, getBuildTitle(build));
    const message = vscode.l10n.t('Build of {0} failed: {1}', title, describeFailure(build));
    const first = build.failedTable === undefined ? [] : [openTable];
    const chosen = await showError(message, ...first, showBuilds, showLog);
    if (chosen === openTable) {
      await runCommand('datamodelStudio.builds.openTable', { connectionId, oid });
    } else if (chosen === showBuilds) {
      await runCommand('datamodelStudio.builds.show');
    } else if (chosen === showLog) {
      await runCommand('datamodelStudio.log.show');
    }
  }

  #withConnectionName({ connectionId }: Build, words: string): string {
    return withConnectionName(this.#deps.connections, connectionId, words);
  }

  /** Reports that the user must act before builds can be watched, for example because the token has expired. */
  async #notifyWatchError({ connectionId, error }: BuildWatchFailure): Promise<void> {
    const connection = this.#deps.connections.find(connectionId);
    if (connection === undefined || getSetting('builds.notifications') === 'none') {
      return;
    }
    const message = vscode.l10n.t(
      'The builds of {0} cannot be watched. {1}',
      connection.name,
      getUserMessage(error),
    );
    const signIn = vscode.l10n.t('Sign In…');
    const test = vscode.l10n.t('Test Connection…');
    const chosen = await (connection.kind === 'remote'
      ? showError(message, signIn, test)
      : showError(message, test));
    if (chosen === signIn) {
      await runCommand('datamodelStudio.connections.signIn', { connectionId });
    } else if (chosen === test) {
      await runCommand('datamodelStudio.connections.test', { connectionId });
    }
  }
}
