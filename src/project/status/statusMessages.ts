import type { Message } from '../../base/localize.ts';
import type { SelectionLimits } from '../settings/projectSettings.ts';
import type { ReadScope } from '../source/readInstance.ts';
import type { ItemStatus } from './itemStatus.ts';
import type { DocumentChunk } from './serverReading.ts';

/** A file of a project that can't be read, so that the status of what is in it is unknown. */
export interface UnreadableFile {
  readonly path: string;
  readonly line: number;
  readonly message: Message;
}

/** The status of a project in one environment. */
export interface ProjectStatus {
  /** The items that differ, sorted by path. */
  readonly items: readonly ItemStatus[];
  readonly unreadableFiles: readonly UnreadableFile[];
  /** Why resources of the instance can't be files. */
  readonly refusals: readonly Message[];
  /** Whether the instance was read. Without that, only the changes of the project are known. */
  readonly isServerKnown: boolean;
  /** Whether the environment was pulled before. */
  readonly isPulled: boolean;
  /** The settings or the lock file of the environment, if it can't be used: nothing else is known then. */
  readonly fault?: { readonly path: string; readonly message: Message };
}

type Answer<T> = T | Promise<T>;

/** What the thread of a project's status can do. Calls are answered one after the other, in order. */
export interface StatusCalls {
  /** Reads all files of the folder again. */
  readonly reload: () => Answer<ProjectStatus>;
  /**
   * Returns the paths of files that may have changed since the last call, or since all files were read. Reads no file,
   * and nothing is shown as changed before {@link update} has the paths.
   */
  readonly findChanges: () => Answer<readonly string[]>;
  /** Reads again the files and folders that may have changed. */
  readonly update: (paths: readonly string[]) => Answer<ProjectStatus>;
  /** Starts a new reading of the instance. What an earlier one that did not finish has added is dropped. */
  readonly startReading: () => Answer<void>;
  /** Takes some documents of the reading that was started. */
  readonly addDocuments: (chunk: DocumentChunk) => Answer<void>;
  /** Replaces what is known of the instance by the documents that were added. */
  readonly finishReading: (scope: ReadScope) => Answer<ProjectStatus>;
  /**
   * Returns the text that a file would have if it were as on the instance: as the instance has it now if it was read,
   * otherwise as the last pull has seen it. `undefined` if there is none, or if it isn't known.
   */
  readonly getServerText: (path: string) => Answer<string | undefined>;
  /**
   * Returns the datamodels and viewpoints that files and folders belong to; `undefined` if something else is among
   * them, or if they belong to none.
   */
  readonly getLimits: (paths: readonly string[]) => Answer<SelectionLimits | undefined>;
}

/** What the thread is started with. */
export interface StatusTarget {
  /** The absolute path of the project's folder. */
  readonly folder: string;
  readonly environmentName: string;
}
