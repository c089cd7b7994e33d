import { Emitter } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import { type Build, getBuildKey } from './build.ts';
import { type HistoryFile, latestPartName } from './historyFile.ts';
import { type PastBuild, toPastBuild, readPastBuild } from './pastBuild.ts';
import type { BuildArchive } from './buildWatchDeps.ts';

/** How many builds the history keeps, and how many lines a part has before the next one is started. */
const maxBuilds = 2_000;

/** The build history of this machine, since the server deletes its tasks eventually (decisions.md, "Builds"). */
export class BuildHistory implements BuildArchive {
  readonly #file: HistoryFile;
  readonly #log: Log;
  readonly #onDidChange = new Emitter<void>();
  /** Fires when this window has added builds. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(file: HistoryFile, log: Log) {
    this.#file = file;
    this.#log = log;
  }

  async add(endedBuilds: readonly Build[]): Promise<void> {
    const lines = endedBuilds
      .flatMap((build) => toPastBuild(build) ?? [])
      .map((pastBuild) => `${JSON.stringify(pastBuild)}\n`);
    if (lines.length === 0) {
      return;
    }
    try {
      await this.#file.append(lines.join(''));
      this.#onDidChange.fire();
    } catch (error) {
      this.#log.warn('builds', 'A build could not be kept in the history', { reason: String(error) });
    }
  }

  /**
   * Returns the latest 2,000 stored builds, oldest first. A build that reappeared after it was gone is included once,
   * with its result. Also keeps the file short: starts a new part if the latest one is long, and removes the parts of
   * which no build is returned anymore.
   */
  async readAndTrim(): Promise<readonly PastBuild[]> {
    const parts = (await this.#file.read()).map(({ name, text }) => {
      const lines = text.split('\n').filter((line) => line !== '');
      return { name, lineCount: lines.length, builds: lines.flatMap((line) => readPastBuild(line) ?? []) };
    });
    const buildsByKey = new Map<string, PastBuild>();
    for (const pastBuild of parts.flatMap(({ builds }) => builds)) {
      const existing = buildsByKey.get(getBuildKey(pastBuild));
      if (existing === undefined || existing.outcome === 'gone') {
        buildsByKey.set(getBuildKey(pastBuild), pastBuild);
      }
    }
    const builds = [...buildsByKey.values()].toSorted((a, b) => a.ended - b.ended).slice(-maxBuilds);
    const keptKeys = new Set(builds.map(getBuildKey));
    const shouldStartPart = parts.some(
      ({ name, lineCount }) => name === latestPartName && lineCount > maxBuilds,
    );
    const unneededParts = parts.filter(
      (part) =>
        part.name !== latestPartName && !part.builds.some((build) => keptKeys.has(getBuildKey(build))),
    );
    await this.#rotate({ shouldStartPart, unneededParts: unneededParts.map(({ name }) => name) });
    return builds;
  }

  /**
   * Starts a new part if asked to, and removes parts that are no longer needed. A failure is only logged: the files
   * stay long but valid.
   */
  async #rotate({
    shouldStartPart,
    unneededParts,
  }: {
    readonly shouldStartPart: boolean;
    readonly unneededParts: readonly string[];
  }): Promise<void> {
    try {
      if (shouldStartPart) {
        await this.#file.rotate();
      }
      await Promise.all(unneededParts.map((name) => this.#file.remove(name)));
    } catch (error) {
      this.#log.warn('builds', 'The history could not be shortened', { reason: String(error) });
    }
  }
}
