import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Build } from '../../builds/build.ts';
import type { BuildMonitor } from '../../builds/buildMonitor.ts';
import { UnseenEnds } from '../../builds/unseenEnds.ts';
import { commandLink } from '../../platform/commands.ts';
import { plainText, markdownText } from '../../platform/serverText.ts';
import { iconText } from '../../platform/labels.ts';
import { appendBuildLine, buildMarkdown } from './buildItem.ts';
import { activityText, duration, endedText } from './buildWords.ts';

const tickMs = 1000;
/** How old the times in the tooltip may be. */
const tooltipMs = 10_000;
/** How long a finished build stays in the status bar. */
const doneShownMs = 10_000;

/** How many builds the tooltip tells of; the Builds view tells of all. */
const mostLines = 15;

interface StatusItemDeps {
  readonly builds: BuildMonitor;
  readonly clock: Clock;
  /** How long builds usually take. */
  readonly usual: { of(build: Build): number | undefined };
}

/** The status bar item: nothing when idle, count and elapsed time while building, a failure until it was looked at. */
export class BuildStatusItem implements Disposable {
  readonly #builds: BuildMonitor;
  readonly #clock: Clock;
  readonly #usual: StatusItemDeps['usual'];
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;
  #timer: Disposable | undefined;
  readonly #unseen = new UnseenEnds();
  /** What the tooltip tells, and since when. */
  #tooltip = { told: '', at: 0 };

  constructor({ builds, clock, usual }: StatusItemDeps) {
    this.#builds = builds;
    this.#clock = clock;
    this.#usual = usual;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem('datamodelStudio.builds', vscode.StatusBarAlignment.Left),
    );
    this.#item.name = vscode.l10n.t('Datamodel Builds');
    this.#item.command = commandLink('datamodelStudio.builds.show', vscode.l10n.t('Show Builds'));
    this.#store.add(builds.onDidChange(() => this.#update()));
    this.#store.add(
      builds.onDidEnd((end) => {
        this.#unseen.add(end);
        this.#update();
      }),
    );
    this.#store.add(
      builds.onDidAcknowledge(() => {
        this.#unseen.acknowledge();
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
    const running = this.#builds.running;
    const now = this.#clock.now();
    if (running.length > 0) {
      this.#unseen.forgetLast();
      this.#show(runningText(running, now), 'running', running, runningLabel(running));
      this.#timer = this.#clock.schedule(tickMs, () => this.#update());
      return;
    }
    const { failures, last } = this.#unseen;
    const [failure] = failures;
    if (failure !== undefined) {
      const text =
        failures.length === 1 ? endedText(failure) : vscode.l10n.t('{0} builds failed', failures.length);
      this.#show(text, 'failed', failures);
      return;
    }
    if (last === undefined) {
      this.#item.hide();
      return;
    }
    this.#show(endedText(last), last.phase, [last]);
    this.#timer = this.#clock.schedule(doneShownMs, () => {
      this.#unseen.forgetLast();
      this.#update();
    });
  }

  /** @param label what a screen reader says; it does not change with every second */
  #show(text: string, phase: Build['phase'], builds: readonly Build[], label = text): void {
    this.#item.text = `${iconText(phase)} ${plainText(text)}`;
    this.#item.accessibilityInformation = { label, role: 'button' };
    this.#showTooltip(builds);
    this.#item.show();
  }

  /** A tooltip that is replaced every second cannot be read, nor its links be clicked. */
  #showTooltip(builds: readonly Build[]): void {
    const now = this.#clock.now();
    const told = JSON.stringify(
      builds.map(({ connectionId, oid, status, phase }) => [connectionId, oid, status, phase]),
    );
    if (told === this.#tooltip.told && now - this.#tooltip.at < tooltipMs) {
      return;
    }
    this.#tooltip = { told, at: now };
    const tooltip = buildMarkdown();
    for (const build of builds.slice(0, mostLines)) {
      appendBuildLine(tooltip, { clock: this.#clock }, build, this.#usual.of(build));
    }
    if (builds.length > mostLines) {
      tooltip.appendMarkdown(markdownText(vscode.l10n.t('… and {0} more', builds.length - mostLines)));
    }
    this.#item.tooltip = tooltip;
  }
}

function runningText(running: readonly Build[], now: number): string {
  const longest = duration(Math.max(...running.map((build) => now - build.firstSeen)));
  const [only] = running;
  return running.length === 1 && only !== undefined
    ? `${activityText(only)} ${longest}`
    : vscode.l10n.t('{0} builds {1}', running.length, longest);
}

function runningLabel(running: readonly Build[]): string {
  const [only] = running;
  return running.length === 1 && only !== undefined
    ? activityText(only)
    : vscode.l10n.t('{0} builds are running', running.length);
}
