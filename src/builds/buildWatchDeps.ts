import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Build } from './build.ts';
import type { PollSettings } from './pollDelay.ts';
import type { SharedFolder } from './sharedFolder.ts';
import type { BuildApi } from './buildApi.ts';

/** Stores the results of builds, because the server deletes its tasks eventually. */
export interface BuildArchive {
  /** Stores builds that have ended or are gone. Never rejects. */
  add(endedBuilds: readonly Build[]): Promise<void>;
}

/** The dependencies of the build watch. */
export interface BuildWatchDeps {
  readonly buildApi: BuildApi;
  /** The folder that all windows share. */
  readonly folder: SharedFolder;
  readonly history: BuildArchive;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly getPollSettings: () => PollSettings;
  /** Identifies this window among all others. */
  readonly windowId: string;
}
