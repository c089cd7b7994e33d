import { unescapePointer } from '../../base/jsonPointer.ts';
import * as vscode from 'vscode';
import { capitalize } from '../../base/capitalize.ts';
import { joinNames } from '../../base/joinNames.ts';
import { formatMessage } from '../../base/localize.ts';
import { escapeMarkdownLine, formatMarkdownTable } from '../../base/markdown.ts';
import { getUserMessage } from '../../platform/userErrors.ts';
import type { ConnectionRole } from '../../connections/connection.ts';
import type { PullConflict } from '../../project/pull/decideUnit.ts';
import { areAnyRulesUnknown } from '../../project/pull/leftOutItem.ts';
import type { UnreadPart } from '../../project/source/readInstance.ts';
import type { PullResult } from '../../project/pull/pullProject.ts';
import {
  describePullConflict,
  describeUnusableLock,
  describeNote,
  describeLeftOutItem,
  describeOrphanedRules,
  describeInstancePart,
} from '../../project/messages/pullTexts.ts';
import { appendEnvironmentLabel, formatEnvironment } from './environmentLabels.ts';
import { formatItemName } from '../../platform/projects/itemNames.ts';

const t = vscode.l10n.t;

/** The maximum number of columns that a notification names. */
const maxNames = 3;

/** Where a pull was read from and written to. */
export interface PullHeading {
  readonly connectionName: string;
  readonly folderPath: string;
  readonly environmentName: string;
  readonly environmentRole: ConnectionRole;
}

/** Describes why an item is in conflict, and in which of its values. */
export function formatPullConflict({ reason, pointers }: PullConflict): string {
  const conflictingPaths = pointers.filter((pointer) => pointer !== '');
  const text = describePullConflict(t, reason);
  return conflictingPaths.length === 0
    ? text
    : `${conflictingPaths.map(unescapePointer).join(', ')}: ${text}`;
}

/** Returns, as a sentence of its own, which part of an instance could not be read, and why. */
export const describeUnreadPart = ({ part, error }: UnreadPart): string =>
  `${capitalize(describeInstancePart(t, part))}: ${getUserMessage(error)}`;

/** Returns messages about everything that could not be read, on the instance and in the project. */
export const getUnreadMessages = ({ failedParts, pulled, project }: PullResult): readonly string[] => [
  ...failedParts.map(describeUnreadPart),
  ...pulled.conversionErrors.map(({ userMessage }) => formatMessage(t, userMessage)),
  ...project.problems
    .filter(({ severity }) => severity === 'error')
    .map(({ path, line, column, message }) => `${path}:${line}:${column}: ${formatMessage(t, message)}`),
];

/** Formats the notification about a completed pull. */
export function formatPullSummary(result: PullResult, heading: PullHeading): string {
  const { connectionName, folderPath, environmentName, environmentRole } = heading;
  const { counts, conflicts, deletedOnInstance, leftOutItems, orphanedRules } = result.plan;
  const folder = appendEnvironmentLabel(folderPath.slice(folderPath.lastIndexOf('/') + 1), {
    name: environmentName,
    role: environmentRole,
  });
  const isUnchanged = counts.created + counts.changed + counts.deleted === 0;
  const [unreadCount, unsavedCount] = [getUnreadMessages(result).length, result.unsavedPaths.length];
  const sentences = [
    isUnchanged
      ? t('Pulled {0} into {1}: no files changed.', connectionName, folder)
      : t(
          'Pulled {0} into {1}. Files: {2} created, {3} changed, {4} deleted.',
          connectionName,
          folder,
          counts.created,
          counts.changed,
          counts.deleted,
        ),
    orphanedRules.length === 0
      ? ''
      : t(
          'Rules no longer restrict what was renamed on the instance: {0}. For details, see the report.',
          joinNames(
            orphanedRules.map(({ newName }) => `${newName.table}.${newName.column}`),
            t,
            maxNames,
          ),
        ),
    conflicts.length === 0
      ? ''
      : conflicts.length === 1
        ? t('1 conflict was left unresolved.')
        : t('{0} conflicts were left unresolved.', conflicts.length),
    unsavedCount === 0
      ? ''
      : unsavedCount === 1
        ? t('1 file with unsaved changes was skipped.')
        : t('{0} files with unsaved changes were skipped.', unsavedCount),
    unreadCount === 0 ? '' : t("Some items couldn't be read, so their files were left unchanged."),
    areAnyRulesUnknown(leftOutItems) ? t("Some items weren't pulled, because not all rules are known.") : '',
    deletedOnInstance.length === 0
      ? ''
      : deletedOnInstance.length === 1
        ? t('1 item is no longer on the instance; its file was kept.')
        : t('{0} items are no longer on the instance; their files were kept.', deletedOnInstance.length),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Formats a pull as a Markdown report. */
export function formatPullReport(result: PullResult, heading: PullHeading): string {
  const { plan, pulled, project, unsavedPaths } = result;
  const { counts } = plan;
  return [
    `# ${escapeMarkdownLine(t('Pull of {0}', heading.connectionName))}`,
    '',
    ...formatMarkdownTable(
      ['', ''],
      [
        [t('Folder'), heading.folderPath],
        [
          t('Environment'),
          formatEnvironment({ name: heading.environmentName, role: heading.environmentRole }),
        ],
        [t('Files created'), String(counts.created)],
        [t('Files changed'), String(counts.changed)],
        [t('Files deleted'), String(counts.deleted)],
        [t('Files unchanged'), String(counts.unchanged)],
      ],
    ),
    ...formatSection(
      t('Conflicts'),
      plan.conflicts.map(
        (conflict) => `${conflict.path ?? formatItemName(conflict.key)}: ${formatPullConflict(conflict)}`,
      ),
    ),
    ...formatSection(t("Couldn't be read"), getUnreadMessages(result)),
    ...formatSection(t('Skipped because of unsaved changes'), unsavedPaths),
    ...formatSection(t('No longer on the instance'), plan.deletedOnInstance.map(formatItemName)),
    ...formatSection(t('Renamed on the instance'), [
      ...plan.renames.map(({ from, to }) => `${formatItemName(from)} → ${formatItemName(to)}`),
      ...plan.columnRenames.map(({ table, from, to }) => `${formatItemName(table)}: ${from} → ${to}`),
    ]),
    ...formatSection(t('Notes'), [
      ...pulled.notes.map((note) => describeNote(t, note)),
      ...plan.leftOutItems.map((item) => describeLeftOutItem(t, item, formatItemName(item.key))),
      ...result.unusableLockPaths.map((path) => describeUnusableLock(t, path)),
      ...plan.orphanedRules.map((rules) => describeOrphanedRules(t, rules, formatItemName(rules.key))),
      ...project.problems
        .filter(({ severity }) => severity === 'warning')
        .map(({ path, message }) => `${path}: ${formatMessage(t, message)}`),
    ]),
    ...formatSection(t('Created'), getWrittenPaths(result, true)),
    ...formatSection(t('Changed'), getWrittenPaths(result, false)),
    ...formatSection(
      t('Deleted'),
      plan.deletions.map(({ path }) => path),
    ),
    '',
  ].join('\n');
}

const getWrittenPaths = ({ plan }: PullResult, isNew: boolean): readonly string[] =>
  plan.writes.filter(({ previousText }) => (previousText === undefined) === isNew).map(({ path }) => path);

const formatSection = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0
    ? []
    : ['', `## ${escapeMarkdownLine(title)}`, '', ...lines.map((line) => `- ${escapeMarkdownLine(line)}`)];
