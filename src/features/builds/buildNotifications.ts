import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { Log } from '../../base/log.ts';
import { type Build, isRunning } from '../../builds/build.ts';
import type { BuildMonitor } from '../../builds/buildMonitor.ts';
import { runCommand } from '../../platform/commands.ts';
import { showError } from '../../platform/messages.ts';
import { plainText } from '../../platform/plainText.ts';
import { activityText, buildTitle, failureText, isQueued } from './buildWords.ts';

/** Progress with Cancel for builds that were started here, and one error for each that failed; success is quiet. */
export class BuildNotifications implements Disposable {
  readonly #builds: BuildMonitor;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  readonly #followed = new Set<string>();

  constructor(builds: BuildMonitor, log: Log) {
    this.#builds = builds;
    this.#log = log;
    this.#store.add(builds.onDidChange(() => this.#followNew()));
    this.#store.add(builds.onDidEnd((build) => this.#tellEnd(build)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #followNew(): void {
    for (const build of this.#builds.running) {
      if (build.startedHere && !this.#followed.has(build.oid)) {
        this.#followed.add(build.oid);
        void this.#follow(build);
      }
    }
  }

  async #follow(build: Build): Promise<void> {
    const title = plainText(activityText(build));
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    await vscode.window.withProgress(options, (progress, cancellation) => {
      cancellation.onCancellationRequested(() => void this.#cancel(build));
      return this.#untilEnded(build, (current) => {
        progress.report({ message: isQueued(current) ? vscode.l10n.t('queued') : '' });
      });
    });
    this.#followed.delete(build.oid);
  }

  /** Resolves when the build has ended or this is disposed; tells each change on the way. */
  #untilEnded(build: Build, onChange: (current: Build) => void): Promise<void> {
    return new Promise((resolve) => {
      const settled = toDisposable(resolve);
      const subscription = this.#builds.onDidChange(() => look());
      const look = (): void => {
        const current = this.#builds.find(build.connectionId, build.oid);
        if (current !== undefined && isRunning(current)) {
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
      await this.#builds.cancel(build);
    } catch (error) {
      this.#log.error('builds', 'Cancelling failed', { build: build.oid, reason: String(error) });
      const { userMessage } = await import('../../platform/userErrors.ts');
      const title = buildTitle(build);
      await showError(
        vscode.l10n.t('The build of {0} could not be cancelled: {1}', title, userMessage(error)),
      );
    }
  }

  #tellEnd(build: Build): void {
    this.#log.info('builds', 'Ended', { build: build.oid, phase: build.phase, reason: build.reason });
    if (build.phase === 'failed') {
      void this.#tellFailure(build);
    }
  }

  async #tellFailure(build: Build): Promise<void> {
    const showLog = vscode.l10n.t('Show Log');
    const message = vscode.l10n.t('Build of {0} failed: {1}', buildTitle(build), failureText(build));
    if ((await showError(message, showLog)) === showLog) {
      await runCommand('datamodelStudio.log.show');
    }
  }
}
