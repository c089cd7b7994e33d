import type { Disposable } from '../../base/disposable.ts';
import type * as vscode from 'vscode';
import type { Event } from '../../base/event.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ValueStorage } from '../../base/valueStorage.ts';
import type { CommandLineHistory } from '../../changes/journal/commandLineJournal.ts';
import type { History } from '../../changes/journal/history.ts';
import type { Operation } from '../../changes/model/operation.ts';
import type { PlannedAccess } from '../../changes/model/plan.ts';
import type { PlanHash } from '../../changes/run/writeErrors.ts';
import type { AlternativePage, FollowUp } from '../../platform/followUp.ts';
import type { LocatedSection } from '../../platform/locatedSections.ts';
import type { Writer } from '../../changes/run/writer.ts';
import type { UserDirectories } from '../../connections/userDirectories.ts';
import type { Sessions } from '../../connections/sessions.ts';
import type { JsonTrees } from '../../json/text/jsonTrees.ts';
import type { FileCatalogs } from '../../platform/projects/fileCatalogs.ts';
import type { SelectedEnvironments } from '../../platform/projects/selectedEnvironments.ts';
import type { WriteAccessDeps } from '../../platform/ensureWritable.ts';
import type { ConnectionPickerDeps } from '../../platform/pickConnection.ts';
import type { ApplyResult } from './applyResults.ts';

/** Who sees what a plan makes visible, and how it changes the access to what is already visible. */
export interface SeparatedAccess {
  readonly changedAccess: PlannedAccess | undefined;
  /** Whether the access to more may change, because something that affects access couldn't be compared. */
  readonly isPartlyUnknown: boolean;
  /** Sentences on who sees what becomes visible. */
  readonly newlyVisible: readonly string[];
  /** What becomes visible, first what everyone sees. */
  readonly sections: readonly LocatedSection[];
}

/** The dependencies of projects. */
export interface ProjectDeps extends ConnectionPickerDeps, WriteAccessDeps {
  readonly changeReview: {
    /** Shows the plan of an operation, runs it once the user confirms, and shows the result. */
    reviewOperations(request: {
      readonly title: string;
      readonly applyLabel: string;
      readonly operation: Operation;
      readonly notes?: readonly string[];
      readonly blockingSections?: readonly LocatedSection[];
      /** Separates who sees new tables from the access that changes. */
      readonly separateNewlyVisible?: (access: PlannedAccess | undefined) => SeparatedAccess;
      readonly leadingSections?: readonly LocatedSection[];
      readonly unchangedSections: readonly LocatedSection[];
      readonly blockedReason?: string | undefined;
      readonly isPreview?: boolean;
      readonly followUp?: FollowUp | undefined;
      readonly alternative?: AlternativePage | undefined;
      readonly outdatedHandling?: {
        readonly watch: (onOutdated: () => void) => Disposable;
        readonly watchResult: (onOutdated: () => void) => Disposable;
        readonly planAgain: FollowUp;
      };
      readonly run: (planHash: PlanHash) => Promise<ApplyResult>;
    }): Promise<void>;
  };
  /** Fires with the ID of a connection after this window has written to its instance, or may have. */
  readonly onDidWrite: Event<string>;
  readonly changeServices: () => Promise<{
    readonly writer: Writer;
    readonly history: History;
    readonly commandLine: Pick<CommandLineHistory, 'watch'>;
  }>;
  readonly sessions: Pick<Sessions, 'get' | 'peek'>;
  readonly userDirectories: Pick<UserDirectories, 'peek'>;
  readonly projectEnvironments: SelectedEnvironments;
  /** The results of merges that are not complete. */
  readonly unfinishedMergeStorage: ValueStorage;
  readonly extensionUri: vscode.Uri;
  readonly loadFileCatalogs: () => Promise<FileCatalogs>;
  readonly jsonTrees: JsonTrees;
  readonly clock: Clock;
  readonly log: Log;
}
