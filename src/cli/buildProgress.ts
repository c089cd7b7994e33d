import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Build } from '../builds/build.ts';
import { formatDuration } from '../builds/durations.ts';
import type { CommandOutput } from './shell.ts';
import { formatCliError } from './errorMessages.ts';

const tickMs = 1000;
/** Without a terminal, a line is printed this often even if nothing changes: CI servers cancel jobs without output. */
const reminderMs = 60_000;

/**
 * Shows the progress of a build: on a terminal in one line that is updated every second, elsewhere as a line for each
 * new status and every minute.
 */
export class BuildProgress implements Disposable {
  readonly #output: CommandOutput;
  readonly #clock: Clock;
  readonly #isTerminal: boolean;
  #build: Build;
  #hasPollFailed = false;
  #lastPrintedAt: number;
  #timer: Disposable | undefined;

  constructor(build: Build, context: { output: CommandOutput; clock: Clock; isTerminal: boolean }) {
    this.#build = build;
    this.#output = context.output;
    this.#clock = context.clock;
    this.#isTerminal = context.isTerminal;
    this.#lastPrintedAt = this.#clock.now();
    if (this.#isTerminal) {
      this.#tick();
    }
  }

  /**
   * Updates the progress after a poll.
   * @param pollError the error of the poll; `undefined` if it succeeded
   */
  update(build: Build, pollError: unknown): void {
    const { status } = this.#build;
    this.#build = build;
    if (pollError !== undefined && !this.#hasPollFailed) {
      this.#output.printMessage(
        `Can't read the build status at the moment. ${formatCliError(pollError)}`,
        'warning',
      );
    }
    this.#hasPollFailed = pollError !== undefined;
    const now = this.#clock.now();
    if (this.#isTerminal) {
      this.#show();
    } else if (
      build.phase === 'running' &&
      (build.status !== status || now - this.#lastPrintedAt >= reminderMs)
    ) {
      this.#lastPrintedAt = now;
      this.#output.printMessage(this.#format());
    }
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#output.showProgress();
  }

  #tick(): void {
    this.#show();
    this.#timer = this.#clock.schedule(tickMs, () => this.#tick());
  }

  #show(): void {
    this.#output.showProgress(this.#format());
  }

  #format(): string {
    const { datamodelTitle = '', status, firstSeen } = this.#build;
    const elapsed = formatDuration(this.#clock.now() - firstSeen);
    return `${datamodelTitle}: ${this.#hasPollFailed ? 'status unknown' : (status ?? 'started')} (${elapsed})`;
  }
}
