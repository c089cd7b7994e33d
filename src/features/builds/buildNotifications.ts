import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import { type Build, isRunning } from '../../builds/build.ts';
import type { BuildEnd, BuildTrouble } from '../../builds/buildWatch.ts';
import { runCommand } from '../../platform/commands.ts';
import { showError, showInformation } from '../../platform/messages.ts';
import { plainText } from '../../platform/serverText.ts';
import { setting } from '../../platform/settings.ts';
import { userMessage } from '../../platform/userErrors.ts';
import { sayingWhich } from '../../platform/whichConnection.ts';
import { activityText, buildTitle, endedText, failureText, isQueued } from './buildWords.ts';
import type { BuildsDeps } from './deps.ts';

/**
 * What is said of builds besides the status bar: progress with Cancel for builds that were started here, one error for
 * each that failed and for builds that cannot be watched; success is quiet. How much of it is a setting.
 */
export class BuildNotifications implements Disposable {
  readonly #deps: BuildsDeps;
  readonly #store = new DisposableStore();
  #isFollowing = false;

  constructor(deps: BuildsDeps) {
    this.#deps = deps;
    const { builds } = deps;
    this.#store.add(builds.onDidChange(() => this.#followNew()));
    this.#store.add(builds.onDidEnd((end) => this.#tellEnd(end)));
    this.#store.add(builds.onDidMeetTrouble((trouble) => void this.#tellTrouble(trouble)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** One progress at a time: of several builds the others are in the status bar until it is their turn. */
  #followNew(): void {
    const { builds } = this.#deps;
    if (this.#isFollowing || !['progress', 'all'].includes(setting('builds.notifications'))) {
      return;
    }
    const next = builds.running.find((build) => build.startedBy !== undefined && builds.isOurs(build));
    if (next !== undefined) {
      this.#isFollowing = true;
      void this.#follow(next);
    }
  }

  async #follow(build: Build): Promise<void> {
    const title = plainText(this.#sayingWhich(build, activityText(build)));
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    await vscode.window.withProgress(options, (progress, cancellation) => {
      cancellation.onCancellationRequested(() => void this.#cancel(build));
      return this.#untilEnded(build, (current) => {
        progress.report({ message: isQueued(current) ? vscode.l10n.t('queued') : '' });
      });
    });
    this.#isFollowing = false;
    if (!this.#store.isDisposed) {
      this.#followNew();
    }
  }

  /** Resolves when the build has ended or this is disposed; tells each change on the way. */
  #untilEnded(build: Build, onChange: (current: Build) => void): Promise<void> {
    const { builds } = this.#deps;
    return new Promise((resolve) => {
      const settled = toDisposable(resolve);
      const subscription = builds.onDidChange(() => look());
      const look = (): void => {
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
      look();
    });
  }

  async #cancel(build: Build): Promise<void> {
    try {
      await this.#deps.builds.cancel(build);
    } catch (error) {
      this.#deps.log.error('builds', 'Cancelling failed', { build: build.oid, reason: String(error) });
      const title = this.#sayingWhich(build, buildTitle(build));
      await showError(
        vscode.l10n.t('The build of {0} could not be cancelled: {1}', title, userMessage(error)),
      );
    }
  }

  #tellEnd({ build, tell }: BuildEnd): void {
    const { oid, phase, reason } = build;
    this.#deps.log.info('builds', 'Ended', { build: oid, phase, reason, told: tell });
    const wanted = setting('builds.notifications');
    if (tell && phase === 'failed' && wanted !== 'none') {
      void this.#tellFailure(build);
    }
    if (tell && phase !== 'failed' && wanted === 'all') {
      void showInformation(endedText(build));
    }
  }

  async #tellFailure(build: Build): Promise<void> {
    const { connectionId, oid } = build;
    const openTable = vscode.l10n.t('Open Table');
    const showBuilds = vscode.l10n.t('Show Builds');
    const showLog = vscode.l10n.t('Show Log');
    const title = this.#sayingWhich(build, buildTitle(build));
    const message = vscode.l10n.t('Build of {0} failed: {1}', title, failureText(build));
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

  #sayingWhich({ connectionId }: Build, words: string): string {
    return sayingWhich(this.#deps.connections, connectionId, words);
  }

  /** A token that has ended or a right that is missing: said once, since the builds go on unseen. */
  async #tellTrouble({ connectionId, error }: BuildTrouble): Promise<void> {
    const connection = this.#deps.connections.find(connectionId);
    if (connection === undefined || setting('builds.notifications') === 'none') {
      return;
    }
    const message = vscode.l10n.t(
      'The builds of {0} cannot be watched. {1}',
      connection.name,
      userMessage(error),
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
