import * as vscode from 'vscode';
import type { HistoryEntry, WriteState } from '../../changes/journal/entry.ts';
import { areRulesKnown } from '../../changes/journal/stoppedOperation.ts';
import type { RequestResult } from '../../changes/model/sentRequest.ts';
import type { OperationCause } from '../../changes/model/operation.ts';
import { formatRuleTitle } from '../../changes/messages/formatRuleTitle.ts';
import {
  changesRules,
  countCompletedRequests,
  formatDeniedAccess,
} from '../../changes/messages/describeStop.ts';
import { getSubjectsChangedByOthers } from '../../changes/run/writeErrors.ts';

const t = vscode.l10n.t;

const titles: Readonly<Record<OperationCause, (name: string) => string>> = {
  save: (name) => t('Changed {0}', name),
  create: (name) => t('Created {0}', name),
  duplicate: (name) => t('Duplicated {0}', name),
  delete: (name) => t('Deleted {0}', name),
  rename: (name) => t('Renamed {0}', name),
  hide: (name) => t('Hid {0}', name),
  unhide: (name) => t('Unhid {0}', name),
  'build-behaviour': (name) => t('Changed the build settings of {0}', name),
  describe: (name) => t('Changed the description of {0}', name),
  'change-connection': (name) => t('Changed the connection of {0}', name),
  'extend-relation': (name) => t('Added a column to relation {0}', name),
  publish: (name) => t('Published {0}', name),
  unpublish: (name) => t('Unpublished {0}', name),
  share: (name) => t('Shared {0}', name),
  'quick-fix': (name) => t('Fixed {0}', name),
  bulk: (name) => t('Changed the rules of {0}', name),
  apply: (name) => t('Applied the project {0}', name),
  undo: (name) => t('Undid the change to {0}', name),
  restore: (name) => t('Restored {0}', name),
};

/** Returns a short title of what the user did. */
export function getEntryTitle({ operation }: Pick<HistoryEntry, 'operation'>): string {
  const { cause, subject } = operation;
  return formatRuleTitle(t, operation, 'past') ?? titles[cause](subject.name);
}

/**
 * Describes the outcome of an entry; `undefined` if everything succeeded.
 * @param undo the undo of the entry, if it was undone
 */
export function describeOutcome(
  entry: HistoryEntry,
  undo?: Pick<HistoryEntry, 'keptNames'>,
): string | undefined {
  if (undo === undefined && changesRules(entry) && (entry.end === undefined || entry.end === 'stopped')) {
    return describeStoppedRuleChange(entry);
  }
  const doneCount = entry.writes.filter(({ state }) => state === 'done').length;
  const totalCount = entry.writes.length;
  if (undo !== undefined) {
    return undo.keptNames === undefined ? t('undone') : t('partly undone');
  }
  if (entry.end === undefined) {
    return t('interrupted after {0} of {1} requests', doneCount, totalCount);
  }
  if (entry.isAbandoned === true) {
    return t('abandoned after {0} of {1} requests', doneCount, totalCount);
  }
  if (entry.end === 'stopped' && entry.isCanceled === true) {
    return doneCount === 0 ? t('canceled') : t('canceled after {0} of {1} requests', doneCount, totalCount);
  }
  if (entry.end === 'stopped') {
    return doneCount === 0 ? t('failed') : t('stopped after {0} of {1} requests', doneCount, totalCount);
  }
  if (entry.end === 'rolled-back') {
    return t('rolled back');
  }
  return getSubjectsChangedByOthers(entry).length > 0 ? t('other rules changed in the meantime') : undefined;
}

/** Lists the names of what an undo has not restored; empty if it has restored everything. */
export const describeNotRestored = (undo: Pick<HistoryEntry, 'keptNames'> | undefined): string =>
  undo?.keptNames === undefined
    ? ''
    : t('Not restored because of later changes: {0}', undo.keptNames.join(', '));

/** Describes how far a stopped change of rules got: the number of its requests isn't known in advance. */
function describeStoppedRuleChange(entry: HistoryEntry): string {
  const count = countCompletedRequests(entry) ?? 0;
  const hasUnknownOutcome = entry.writes.some(({ state }) => state === 'unknown' || state === 'sending');
  const outcome =
    entry.end === undefined
      ? t('interrupted')
      : entry.isAbandoned === true
        ? t('abandoned')
        : entry.isCanceled === true
          ? t('canceled')
          : count === 0 && !hasUnknownOutcome
            ? t('failed')
            : t('stopped');
  return [
    outcome,
    ...(count === 0 ? [] : [count === 1 ? t('1 request completed') : t('{0} requests completed', count)]),
    ...(hasUnknownOutcome ? [t('outcome unknown')] : []),
  ].join(', ');
}

/** Describes who sees no values, or might see none, until a change is finished or rolled back, in sentences. */
export const describeDeniedAccess = (entry: HistoryEntry): readonly string[] =>
  formatDeniedAccess(t, entry, { isCertain: areRulesKnown(entry) });

/** Describes an entry beside its title: the outcome, if there is one to mention, the program, and the time. */
export const describeEntry = (
  { source, startedAt }: HistoryEntry,
  outcome: string | undefined,
  now: number,
): string =>
  [outcome, source === undefined ? undefined : t('from the command line'), formatTimeAgo(startedAt, now)]
    .filter((text) => text !== undefined)
    .join(', ');

/** Describes who has made the change of an entry on the command line; `undefined` for a change in the editor. */
export const describeActor = ({ source, actor }: HistoryEntry): string | undefined =>
  source === undefined
    ? undefined
    : actor === undefined
      ? t('On the command line')
      : t('On the command line, by {0} on {1}', actor.user, actor.host);

/** Describes the outcome of one request: its status and its duration. */
export function describeWriteOutcome(write: {
  readonly state: WriteState['state'] | RequestResult['state'];
  readonly status?: number | undefined;
  readonly ms?: number;
}): string {
  switch (write.state) {
    case 'waiting':
    case 'not-sent':
      return t('not sent');
    case 'sending':
      return t('outcome unknown');
    case 'unknown':
      return t('no response received');
    case 'done':
      return write.status === undefined || write.ms === undefined
        ? t('done, verified afterward')
        : t('{0}, {1} ms', write.status, write.ms);
    case 'failed':
      return write.status === undefined ? t('failed') : t('{0}, failed', write.status);
  }
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Formats a relative time; the exact time is in the tooltip. */
export function formatTimeAgo(time: number, now: number): string {
  const formatter = new Intl.RelativeTimeFormat(vscode.env.language, { numeric: 'auto', style: 'short' });
  const elapsedMs = Math.max(0, now - time);
  if (elapsedMs < minuteMs) {
    return t('just now');
  }
  if (elapsedMs < hourMs) {
    return formatter.format(-Math.floor(elapsedMs / minuteMs), 'minute');
  }
  return elapsedMs < dayMs
    ? formatter.format(-Math.floor(elapsedMs / hourMs), 'hour')
    : formatter.format(-Math.floor(elapsedMs / dayMs), 'day');
}

export const formatExactTime = (time: number): string =>
  new Date(time).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'medium' });

/** Returns the display name of a document. */
export function getHistoryDocumentName(document: unknown): string | undefined {
  for (const key of ['name', 'title']) {
    const name: unknown =
      typeof document === 'object' && document !== null ? Reflect.get(document, key) : undefined;
    if (typeof name === 'string' && name !== '') {
      return name;
    }
  }
  return undefined;
}

/**
 * Describes the location of a change, outermost container first. `connectionName` is omitted if the connection was
 * removed.
 */
export const describeLocation = ({ operation }: HistoryEntry, connectionName: string | undefined): string =>
  [...(connectionName === undefined ? [] : [connectionName]), ...operation.subject.within].join(' › ');
