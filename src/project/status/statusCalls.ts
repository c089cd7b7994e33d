import type { Message } from '../../base/localize.ts';
import type { SelectionLimits } from '../settings/projectSettings.ts';
import type { ReadScope } from '../source/readInstance.ts';
import type { ItemStatus, UncomparedFile } from './itemStatus.ts';
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
  /** The other files that weren't compared with the instance although it was read, sorted by path. */
  readonly uncomparedFiles: readonly UncomparedFile[];
  /** Why resources of the instance can't be files. */
  readonly conversionErrors: readonly Message[];
  /** Whether the instance was read. Without that, only the changes of the project are known. */
  readonly isServerKnown: boolean;
  /** Whether what was read of the instance was discarded, because the instance has probably changed since. */
  readonly isOutdated: boolean;
  /** Whether the environment was pulled before. */
  readonly isPulled: boolean;
  /** The settings, or the file or the lock file of the environment, if it can't be used: nothing else is known then. */
  readonly fault?: { readonly path: string; readonly message: Message };
}

type Answer<T> = T | Promise<T>;

/** The calls of the thread that computes the status of a project. They are answered one after the other, in order. */
export interface StatusCalls {
  /** Reads all files of the folder again. */
  readonly reload: () => Answer<ProjectStatus>;
  /**
   * Returns the paths of files that may have changed since the last call, or since they were read. Reads no file:
   * the status changes only when {@link update} is called with the paths.
   */
  readonly findChanges: () => Answer<readonly string[]>;
  /** Reads again the files and folders that may have changed. */
  readonly update: (paths: readonly string[]) => Answer<ProjectStatus>;
  /** Starts a new reading of the instance. Documents of an earlier reading that did not finish are discarded. */
  readonly startReading: () => Answer<void>;
  /** Adds some documents to the reading that was started. */
  readonly addDocuments: (chunk: DocumentChunk) => Answer<void>;
  /** Replaces the documents of the instance by those that were added. */
  readonly finishReading: (scope: ReadScope) => Answer<ProjectStatus>;
  /** Discards what was read of the instance, because something was written to it. */
  readonly discardReading: () => Answer<ProjectStatus>;
  /**
   * Returns the text that a file would have if its item were the same as on the instance: as it is now if the instance
   * was read, otherwise as the last pull has seen it. `undefined` if the item doesn't exist there, or isn't known.
   */
  readonly getServerText: (path: string) => Answer<string | undefined>;
  /**
   * Returns name patterns for the datamodels and viewpoints that files and folders belong to; `undefined` if a file
   * belongs to anything else, or if there are none.
   */
  readonly getSelectionLimits: (paths: readonly string[]) => Answer<SelectionLimits | undefined>;
}

/** What the thread is started with. */
export interface StatusTarget {
  /** The absolute path of the project's folder. */
  readonly folder: string;
  readonly environmentName: string;
}
