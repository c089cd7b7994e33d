import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Build } from '../../builds/build.ts';
import type { BuildMonitor } from '../../builds/buildMonitor.ts';
import { commandLink } from '../../platform/commands.ts';
import { plainText } from '../../platform/plainText.ts';
import { appendBuildLine, buildMarkdown } from './buildItem.ts';
import { activityText, duration, endedText } from './buildWords.ts';

const tickMs = 1000;
/** How long a finished build stays in the status bar. */
const doneShownMs = 10_000;

const icons: Readonly<Record<Build['phase'], string>> = {
  running: 'loading~spin',
  done: 'check',
  failed: 'error',
  cancelled: 'circle-slash',
  gone: 'question',
};

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
  #ended: Build | undefined;
  /** Failures that nobody has looked at yet, the oldest first. */
  #failures: readonly Build[] = [];

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
      builds.onDidEnd(({ build, tell }) => {
        if (build.phase === 'failed' && tell) {
          this.#failures = [...this.#failures, build];
        } else {
          this.#ended = build;
        }
        this.#update();
      }),
    );
    this.#store.add(builds.onDidAcknowledge(() => this.#acknowledge()));
    this.#update();
  }

  /** The person has looked: a failure need not be shown any longer. */
  #acknowledge(): void {
    this.#ended = undefined;
    this.#failures = [];
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
      this.#ended = undefined;
      this.#show(runningText(running, now), 'loading~spin', running);
      this.#timer = this.#clock.schedule(tickMs, () => this.#update());
      return;
    }
    const [failure] = this.#failures;
    if (failure !== undefined) {
      const text =
        this.#failures.length === 1
          ? endedText(failure)
          : vscode.l10n.t('{0} builds failed', this.#failures.length);
      this.#show(text, 'error', this.#failures);
      return;
    }
    if (this.#ended === undefined) {
      this.#item.hide();
      return;
    }
    this.#show(endedText(this.#ended), icons[this.#ended.phase], [this.#ended]);
    this.#timer = this.#clock.schedule(doneShownMs, () => {
      this.#ended = undefined;
      this.#update();
    });
  }

  #show(text: string, icon: string, builds: readonly Build[]): void {
    this.#item.text = `$(${icon}) ${plainText(text)}`;
    this.#item.accessibilityInformation = { label: text, role: 'button' };
    const tooltip = buildMarkdown();
    for (const build of builds.slice(0, mostLines)) {
      appendBuildLine(tooltip, { clock: this.#clock }, build, this.#usual.of(build));
    }
    if (builds.length > mostLines) {
      tooltip.appendText(vscode.l10n.t('… and {0} more', builds.length - mostLines));
    }
    this.#item.tooltip = tooltip;
    this.#item.show();
  }
}

function runningText(running: readonly Build[], now: number): string {
  const longest = duration(Math.max(...running.map((build) => now - build.firstSeen)));
  const [only] = running;
  return running.length === 1 && only !== undefined
    ? `${activityText(only)} ${longest}`
    : vscode.l10n.t('{0} builds {1}', running.length, longest);
}
