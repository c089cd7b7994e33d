import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { type Build, isFailedOrGone } from '../../builds/build.ts';
import type { BuildMonitor } from '../../builds/buildMonitor.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { UnacknowledgedResults } from '../../builds/unacknowledgedResults.ts';
import { createCommand } from '../../platform/commands.ts';
import { toPlainText, escapeMarkdownText } from '../../platform/serverText.ts';
import { withConnectionName } from '../../platform/connectionSuffix.ts';
import { getBuildIconMarkup } from '../../platform/labels.ts';
import { appendBuildLine, createBuildMarkdown } from './buildTooltip.ts';
import { formatDuration } from '../../builds/durations.ts';
import { describeActivity, describeResult } from './buildLabels.ts';

const tickMs = 1000;
/** The minimum time between two tooltips for the same builds. */
const tooltipRefreshMs = 10_000;
/** How long a result that needs no attention is shown. */
const resultDisplayMs = 10_000;

/** The maximum number of builds in the tooltip; the Builds view lists all. */
const maxTooltipLines = 15;

interface StatusItemDeps {
  readonly buildMonitor: BuildMonitor;
  readonly connections: ConnectionStore;
  readonly clock: Clock;
  /** The typical durations of builds. */
  readonly typicalDurations: { get(build: Build): number | undefined };
}

/**
 * The status bar item for builds. It shows the elapsed time of running builds, the results of builds that were started
 * here and all failures until the user has seen them, and any other result for a few seconds.
 */
export class BuildStatusItem implements Disposable {
  readonly #builds: BuildMonitor;
  readonly #connections: ConnectionStore;
  readonly #clock: Clock;
  readonly #typicalDurations: StatusItemDeps['typicalDurations'];
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;
  #timer: Disposable | undefined;
  readonly #unacknowledgedResults = new UnacknowledgedResults();
  /** A text that identifies the content of the current tooltip, and the time when it was shown. */
  #tooltip = { fingerprint: '', shownAt: 0 };

  constructor({ buildMonitor: builds, connections, clock, typicalDurations }: StatusItemDeps) {
    this.#builds = builds;
    this.#connections = connections;
    this.#clock = clock;
    this.#typicalDurations = typicalDurations;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem('datamodelStudio.builds', vscode.StatusBarAlignment.Left),
    );
    this.#item.name = vscode.l10n.t('Datamodel Builds');
    this.#item.command = createCommand('datamodelStudio.builds.show', vscode.l10n.t('Show Builds'));
    this.#store.add(builds.onDidChange(() => this.#update()));
    this.#store.add(
      builds.onDidEnd((event) => {
        this.#unacknowledgedResults.add(event);
        this.#update();
      }),
    );
    this.#store.add(
      builds.onDidAcknowledge(() => {
        this.#unacknowledgedResults.acknowledge();
        this.#update();
      }),
    );
    this.#update();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#store.dispose();
  }

  #update(): void {
    this.#timer?.dispose();
    this.#unacknowledgedResults.update((connectionId, oid) => this.#builds.find(connectionId, oid));
    const running = this.#builds.runningBuilds;
    const now = this.#clock.now();
    if (running.length > 0) {
      this.#unacknowledgedResults.clearLatestResult();
      this.#show(this.#formatRunning(running, now), 'running', running, this.#getAccessibleLabel(running));
      this.#timer = this.#clock.schedule(tickMs, () => this.#update());
      return;
    }
    const { results, latestResult } = this.#unacknowledgedResults;
    const failedOrGoneResults = results.filter(isFailedOrGone);
    const [failedOrGoneResult] = failedOrGoneResults;
    if (failedOrGoneResult !== undefined) {
      this.#show(this.#describeResults(failedOrGoneResults), failedOrGoneResult.phase, results);
    } else if (latestResult !== undefined) {
      this.#show(this.#describeResults([latestResult]), latestResult.phase, [latestResult]);
      this.#timer = this.#clock.schedule(resultDisplayMs, () => {
        this.#unacknowledgedResults.clearLatestResult();
        this.#update();
      });
    } else if (results.length > 0) {
      this.#show(this.#describeResults(results), 'done', results);
    } else {
      this.#item.hide();
    }
  }

  /** @param label the text for screen readers, without the elapsed time, which would be announced every second */
  #show(text: string, phase: Build['phase'], builds: readonly Build[], label = text): void {
    this.#item.text = `${getBuildIconMarkup(phase)} ${toPlainText(text)}`;
    this.#item.accessibilityInformation = { label, role: 'button' };
    this.#showTooltip(builds);
    this.#item.show();
  }

  /** Updates the tooltip, but not every second: users could then neither read it nor click its links. */
  #showTooltip(builds: readonly Build[]): void {
    const now = this.#clock.now();
    const fingerprint = JSON.stringify(
      builds.map(({ connectionId, oid, status, phase }) => [connectionId, oid, status, phase]),
    );
    if (fingerprint === this.#tooltip.fingerprint && now - this.#tooltip.shownAt < tooltipRefreshMs) {
      return;
    }
    this.#tooltip = { fingerprint, shownAt: now };
    const tooltip = createBuildMarkdown();
    for (const build of builds.slice(0, maxTooltipLines)) {
      appendBuildLine(tooltip, { clock: this.#clock }, build, this.#typicalDurations.get(build));
    }
    if (builds.length > maxTooltipLines) {
      tooltip.appendMarkdown(
        escapeMarkdownText(vscode.l10n.t('… and {0} more', builds.length - maxTooltipLines)),
      );
    }
    this.#item.tooltip = tooltip;
  }

  /** Describes results, which are either all successful or all failed or unknown. */
  #describeResults(results: readonly Build[]): string {
    const [result] = results;
    if (results.length === 1 && result !== undefined) {
      return this.#withConnectionName(result, describeResult(result));
    }
    if (results.every(({ phase }) => phase === 'failed')) {
      return vscode.l10n.t('{0} builds failed', results.length);
    }
    return results.some(isFailedOrGone)
      ? vscode.l10n.t('{0} builds failed or have an unknown outcome', results.length)
      : vscode.l10n.t('{0} builds done', results.length);
  }

  #formatRunning(running: readonly Build[], now: number): string {
    const longest = formatDuration(Math.max(...running.map((build) => now - build.firstSeen)));
    const [onlyBuild] = running;
    return running.length === 1 && onlyBuild !== undefined
      ? `${this.#withConnectionName(onlyBuild, describeActivity(onlyBuild))} ${longest}`
      : vscode.l10n.t('{0} builds {1}', running.length, longest);
  }

  #getAccessibleLabel(running: readonly Build[]): string {
    const [onlyBuild] = running;
    return running.length === 1 && onlyBuild !== undefined
      ? this.#withConnectionName(onlyBuild, describeActivity(onlyBuild))
      : vscode.l10n.t('{0} builds are running', running.length);
  }

  #withConnectionName({ connectionId }: Build, text: string): string {
    return withConnectionName(this.#connections, connectionId, text);
  }
}
