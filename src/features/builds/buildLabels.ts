import * as vscode from 'vscode';
import type { Build } from '../../builds/build.ts';
import { formatDuration } from '../../builds/durations.ts';
import { getBuildDuration } from '../../builds/pastBuild.ts';
import { getBuildStatusLabel } from '../../platform/buildTexts.ts';

/** Returns the title of the datamodel, or else its ID, or else the oid of the build task. */
export const getBuildTitle = (build: Build): string => build.datamodelTitle ?? build.datamodelId ?? build.oid;

/** A live datamodel is published, not built (rest-api.md, "POST /builds body"). */
export const isPublish = (build: Build): boolean => build.buildType === 'publish';

/** Describes a running build in a title, such as "Building Retail". */
export const describeActivity = (build: Build): string =>
  isPublish(build)
    ? vscode.l10n.t('Publishing {0}', getBuildTitle(build))
    : vscode.l10n.t('Building {0}', getBuildTitle(build));

/** Formats a final duration: below ten seconds with one decimal, otherwise like {@link formatDuration}. */
export const formatFinalDuration = (milliseconds: number): string =>
  milliseconds < 10_000
    ? vscode.l10n.t(
        '{0} s',
        (milliseconds / 1000).toLocaleString(vscode.env.language, { maximumFractionDigits: 1 }),
      )
    : formatDuration(milliseconds);

/**
 * Returns the text to show if a failure has no reason: build tasks of real instances have no error text
 * (platform-facts.md, "BuildOutput").
 */
export const getMissingReasonMessage = (): string =>
  vscode.l10n.t('the server reported no reason (see the build log of the datamodel in the web interface)');

/** Describes why a build failed, with the failed table if the server reports it. */
export function describeBuildFailure(build: Build): string {
  const reason = build.reason ?? getMissingReasonMessage();
  return build.failedTable === undefined
    ? reason
    : vscode.l10n.t('table {0}: {1}', build.failedTable, reason);
}

/** Describes the current state of a build, such as "done in 0:12". */
export function describePhase(build: Build, now: number): string {
  switch (build.phase) {
    case 'running':
      return build.startedBy === undefined
        ? vscode.l10n.t(
            '{0}, first seen {1} ago',
            getBuildStatusLabel(build.status),
            formatDuration(now - build.firstSeen),
          )
        : vscode.l10n.t(
            '{0} for {1}',
            getBuildStatusLabel(build.status),
            formatDuration(now - build.firstSeen),
          );
    case 'done': {
      const durationMs = getBuildDuration(build);
      return durationMs === undefined
        ? vscode.l10n.t('done')
        : vscode.l10n.t('done in {0}', formatFinalDuration(durationMs));
    }
    case 'failed':
      return vscode.l10n.t('failed: {0}', describeBuildFailure(build));
    case 'cancelled':
      return vscode.l10n.t('canceled');
    case 'gone':
      return vscode.l10n.t(
        'not listed since {0} (last known state: {1}); outcome unknown',
        formatEventTime(build.ended ?? now),
        getBuildStatusLabel(build.status),
      );
  }
}

/** Returns whether a build has not begun: its status is null at first, then pending (platform-facts.md, 1.1). */
export const isQueued = (build: Build): boolean =>
  ['pending', undefined].includes(build.status?.toLowerCase());

/** Describes the result of a build, such as "Build of Retail failed". */
export function describeResult(build: Build): string {
  const title = getBuildTitle(build);
  switch (build.phase) {
    case 'done':
      return isPublish(build)
        ? vscode.l10n.t('{0} published', title)
        : describeSuccess(title, getBuildDuration(build));
    case 'failed':
      return vscode.l10n.t('Build of {0} failed', title);
    case 'cancelled':
      return vscode.l10n.t('Build of {0} canceled', title);
    case 'gone':
    case 'running':
      return vscode.l10n.t('Build of {0}: outcome unknown', title);
  }
}

const describeSuccess = (title: string, durationMs: number | undefined): string =>
  durationMs === undefined
    ? vscode.l10n.t('{0} built', title)
    : vscode.l10n.t('{0} built in {1}', title, formatFinalDuration(durationMs));

/** Describes the typical duration of a build; `undefined` if it is unknown. */
export const describeTypicalDuration = (typicalMs: number | undefined): string | undefined =>
  typicalMs === undefined ? undefined : vscode.l10n.t('usually {0}', formatFinalDuration(typicalMs));

/** Formats a timestamp in the user's locale; the date is left out if it is today. */
export function formatEventTime(time: number): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? date.toLocaleTimeString(vscode.env.language)
    : date.toLocaleString(vscode.env.language, { dateStyle: 'short', timeStyle: 'short' });
}
