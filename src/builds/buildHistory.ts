import { Emitter } from '../base/event.ts';
import type { Log } from '../base/log.ts';
import type { Build } from './build.ts';
import { type PastBuild, toPastBuild, readPastBuild } from './pastBuild.ts';
import type { BuildArchive } from './watchDeps.ts';

/** A text file that several windows append lines to. */
export interface LineFile {
  /** The text of the file; empty if it does not exist. */
  read(): Promise<string>;
  append(lines: string): Promise<void>;
  /** Rewrites the file; others see the old text or the new one. */
  replace(text: string): Promise<void>;
}

/** Number of builds to keep. Beyond twice as many lines the file is rewritten. */
const maxBuilds = 2_000;

/** The builds that ended, kept on this machine because the server forgets them (decisions.md, "Builds"). */
export class BuildHistory implements BuildArchive {
  readonly #file: LineFile;
  readonly #log: Log;
  readonly #onDidChange = new Emitter<void>();
  /** This window has added a build. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(file: LineFile, log: Log) {
    this.#file = file;
    this.#log = log;
  }

  async add(ended: readonly Build[]): Promise<void> {
    const lines = ended
      .flatMap((build) => toPastBuild(build) ?? [])
      .map((past) => `${JSON.stringify(past)}\n`);
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

  /** All builds that are kept, oldest first. One that reappeared after it was gone counts once, with its real end. */
  async all(): Promise<readonly PastBuild[]> {
    const lines = (await this.#file.read()).split('\n').filter((line) => line !== '');
    const byTask = new Map<string, PastBuild>();
    for (const past of lines.flatMap((line) => readPastBuild(line) ?? [])) {
      const key = `${past.connectionId}\n${past.oid}`;
      const known = byTask.get(key);
      if (known === undefined || known.outcome === 'gone') {
        byTask.set(key, past);
      }
    }
    const all = [...byTask.values()].toSorted((a, b) => a.ended - b.ended).slice(-maxBuilds);
    if (lines.length > 2 * maxBuilds) {
      await this.#shorten(all);
    }
    return all;
  }

  /** If this fails, the file stays long: what was read is just as good. */
  async #shorten(all: readonly PastBuild[]): Promise<void> {
    try {
      await this.#file.replace(all.map((past) => `${JSON.stringify(past)}\n`).join(''));
    } catch (error) {
      this.#log.warn('builds', 'The history could not be shortened', { reason: String(error) });
    }
  }
}
