import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Build } from './build.ts';
import type { PollPace } from './pollDelay.ts';
import type { SharedFolder } from './sharedFolder.ts';
import type { BuildSource } from './source.ts';

/** Where builds that ended are kept, since the server forgets them. */
export interface BuildArchive {
  /** Keeps builds that have ended or are gone. Never rejects. */
  add(ended: readonly Build[]): Promise<void>;
}

/** What following builds is made from. */
export interface BuildWatchDeps {
  readonly source: BuildSource;
  /** What the windows share. */
  readonly folder: SharedFolder;
  readonly history: BuildArchive;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly pace: () => PollPace;
  /** What tells this window from all others. */
  readonly window: string;
}
