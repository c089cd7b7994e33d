import { Emitter } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import type { Build } from './build.ts';
import { type PastBuild, toPastBuild, readPastBuild } from './pastBuild.ts';
import type { BuildArchive } from './watchDeps.ts';

/** A text file that several windows append lines to. */
export interface LineFile {
  /** Returns the text of the file; empty if it does not exist. */
  read(): Promise<string>;
  append(lines: string): Promise<void>;
  /** Replaces the file atomically: others read either the old text or the new one. */
  replace(text: string): Promise<void>;
}

/** How many builds the history keeps. The file is shortened when it has twice as many lines. */
const maxBuilds = 2_000;

/** The build history of this machine, since the server deletes its tasks eventually (decisions.md, "Builds"). */
export class BuildHistory implements BuildArchive {
  readonly #file: LineFile;
  readonly #log: Log;
  readonly #onDidChange = new Emitter<void>();
  /** Fires when this window has added builds. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(file: LineFile, log: Log) {
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
   * Returns the stored builds, oldest first. A build that reappeared after it was gone is included once, with its
   * result.
   */
  async readAll(): Promise<readonly PastBuild[]> {
    const lines = (await this.#file.read()).split('\n').filter((line) => line !== '');
    const buildsByTask = new Map<string, PastBuild>();
    for (const pastBuild of lines.flatMap((line) => readPastBuild(line) ?? [])) {
      const key = `${pastBuild.connectionId}\n${pastBuild.oid}`;
      const existing = buildsByTask.get(key);
      if (existing === undefined || existing.outcome === 'gone') {
        buildsByTask.set(key, pastBuild);
      }
    }
    const builds = [...buildsByTask.values()].toSorted((a, b) => a.ended - b.ended).slice(-maxBuilds);
    if (lines.length > 2 * maxBuilds) {
      await this.#shorten(builds);
    }
    return builds;
  }

  /** Removes old lines from the file. A failure is only logged: the file stays long but valid. */
  async #shorten(builds: readonly PastBuild[]): Promise<void> {
    try {
      await this.#file.replace(builds.map((pastBuild) => `${JSON.stringify(pastBuild)}\n`).join(''));
    } catch (error) {
      this.#log.warn('builds', 'The history could not be shortened', { reason: String(error) });
    }
  }
}
