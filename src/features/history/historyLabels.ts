import * as vscode from 'vscode';
import type { Log } from '../../base/log.ts';
import { type ChangedParts, findChangedParts } from '../../changes/journal/changedParts.ts';
import type { HistoryEntry, WriteState } from '../../changes/journal/entry.ts';
import { areRulesKnown } from '../../changes/journal/stoppedOperation.ts';
import type { RequestResult } from '../../changes/model/sentRequest.ts';
import { isCubeSetRuleSubject } from '../../catalog/ruleSubject.ts';
import type { OperationCause } from '../../changes/model/operation.ts';
import { formatRuleName, formatRuleTitle } from '../../changes/messages/formatRuleTitle.ts';
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

/** What the user did. In a row, this follows the name of what was changed. */
const actions: Readonly<Record<OperationCause, () => string>> = {
  save: () => t('changed'),
  create: () => t('created'),
  duplicate: () => t('duplicated'),
  delete: () => t('deleted'),
  rename: () => t('renamed'),
  hide: () => t('hidden'),
  unhide: () => t('no longer hidden'),
  'build-behaviour': () => t('build settings'),
  describe: () => t('description'),
  'change-connection': () => t('connection'),
  'extend-relation': () => t('column added'),
  publish: () => t('published'),
  unpublish: () => t('unpublished'),
  share: () => t('shared'),
  'quick-fix': () => t('fixed'),
  bulk: () => t('rules changed'),
  apply: () => t('applied'),
  undo: () => t('undo'),
  restore: () => t('restored'),
};

/** What the user did in a change of rules alone, whose row has the name of their column. */
const ruleActions: Partial<typeof actions> = {
  save: () => t('rules changed'),
  create: () => t('rules created'),
  duplicate: () => t('rules duplicated'),
  delete: () => t('rules deleted'),
};

/**
 * Returns the label of the row of an entry: the name of what was changed. Titles begin with the same words, so a narrow
 * view would cut off the differences. All applies of a project have its name, so that isn't the label.
 */
export const getEntryLabel = (
  { operation }: Pick<HistoryEntry, 'operation'>,
  { project, parts }: Pick<EntryDetails, 'project' | 'parts'>,
): string =>
  (project === undefined ? '' : formatDocuments(parts)) ||
  (formatRuleName(t, operation) ?? operation.subject.name);

/** Describes what the user did, for the rest of a row. */
function describeAction({ operation }: Pick<HistoryEntry, 'operation'>): string {
  const { cause } = operation;
  const describe = formatRuleName(t, operation) === undefined ? undefined : ruleActions[cause];
  return (describe ?? actions[cause])();
}

/** What the outcome of an entry depends on besides the entry. */
interface OutcomeContext {
  /** The undo of the entry, if the entry was undone. */
  readonly undo?: Pick<HistoryEntry, 'keptNames'> | undefined;
  /** Whether the entry has stopped, and nothing is left to finish, roll back, or undo: see `hadNoEffect`. */
  readonly isWithoutEffect?: boolean;
}

/** Describes the outcome of an entry; `undefined` if everything succeeded. */
export const describeOutcome = (entry: HistoryEntry, context: OutcomeContext = {}): string | undefined =>
  formatOutcome(entry, context, ({ state, doneCount, totalCount }) => {
    switch (state) {
      case 'interrupted':
        return totalCount === 1
          ? t('interrupted')
          : t('interrupted after {0} of {1} requests', doneCount, totalCount);
      case 'abandoned':
        return totalCount === 1
          ? t('abandoned')
          : t('abandoned after {0} of {1} requests', doneCount, totalCount);
      case 'canceled':
        return t('canceled after {0} of {1} requests', doneCount, totalCount);
      case 'stopped':
        return t('stopped after {0} of {1} requests', doneCount, totalCount);
    }
  });

/** Describes the outcome like {@link describeOutcome}, for a row, in which there is little space. */
export const describeOutcomeBriefly = (
  entry: HistoryEntry,
  context: OutcomeContext = {},
): string | undefined =>
  formatOutcome(
    entry,
    context,
    ({ state, doneCount, totalCount }) => `${stopLabels[state]()} (${doneCount}/${totalCount})`,
  );

const stopLabels = {
  interrupted: () => t('interrupted'),
  abandoned: () => t('abandoned'),
  canceled: () => t('canceled'),
  stopped: () => t('stopped'),
} as const;

/** How far an operation got that wasn't completed. */
interface Stop {
  readonly state: keyof typeof stopLabels;
  readonly doneCount: number;
  readonly totalCount: number;
}

function formatOutcome(
  entry: HistoryEntry,
  { undo, isWithoutEffect }: OutcomeContext,
  formatStop: (stop: Stop) => string,
): string | undefined {
  if (undo !== undefined) {
    return undo.keptNames === undefined ? t('undone') : t('partly undone');
  }
  const { end, isAbandoned, isCanceled, writeStates } = entry;
  if (isWithoutEffect === true && isAbandoned !== true) {
    return isCanceled === true ? t('canceled, nothing written') : t('failed, nothing written');
  }
  if (changesRules(entry) && (end === undefined || end === 'stopped')) {
    return describeStoppedRuleChange(entry);
  }
  const doneCount = writeStates.filter(({ state }) => state === 'done').length;
  const format = (state: Stop['state']): string =>
    formatStop({ state, doneCount, totalCount: writeStates.length });
  if (end === undefined) {
    return format('interrupted');
  }
  if (isAbandoned === true) {
    return format('abandoned');
  }
  if (end === 'stopped' && doneCount === 0) {
    return isCanceled === true ? t('canceled') : t('failed');
  }
  if (end === 'stopped') {
    return format(isCanceled === true ? 'canceled' : 'stopped');
  }
  if (end === 'rolled-back') {
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
  const hasUnknownOutcome = entry.writeStates.some(({ state }) => state === 'unknown' || state === 'sending');
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

/** What a row shows in addition to the title of an entry. */
export interface EntryDetails {
  /** The outcome, if there is one to mention. */
  readonly outcome: string | undefined;
  /** When the change was made; see `formatEntryTimes`. */
  readonly time: string;
  readonly parts: ChangedParts;
  /** The project of an apply, or of an undo of one. */
  readonly project?: EntryProject | undefined;
}

/** A project, and the environment that it was applied to. The environment is absent if the project has only one. */
export interface EntryProject {
  readonly name: string;
  readonly environment?: string;
}

/** Describes an entry, in addition to its title. A narrow view cuts off the end, so what matters most comes first. */
export const describeEntry = (
  entry: Pick<HistoryEntry, 'source'>,
  { outcome, time, parts, project }: EntryDetails,
): string =>
  joinTexts([
    outcome,
    time,
    ...(project === undefined ? [] : [formatDocuments(parts)]),
    formatNames(getPartNames(parts, project), maxRowParts, parts.isComplete),
    project?.environment,
    describeSource(entry),
  ]);

/** Describes an entry like {@link describeEntry}, but for a row, whose label doesn't say what was done. */
export const describeRow = (
  entry: Pick<HistoryEntry, 'source' | 'operation'>,
  { outcome, time, parts, project }: EntryDetails,
): string =>
  joinTexts([
    outcome,
    time,
    describeAction(entry),
    formatNames(getPartNames(parts, project), maxRowParts, parts.isComplete),
    project !== undefined && parts.documents.length > 0 ? formatProject(project) : project?.environment,
    describeSource(entry),
  ]);

/**
 * Returns the names of the changed parts. For a project, leaves out the names of its documents, which are shown before
 * the other parts.
 */
const getPartNames = (
  { documents, names }: ChangedParts,
  project: EntryProject | undefined,
): readonly string[] => (project === undefined ? names : names.filter((name) => !documents.includes(name)));

const formatDocuments = ({ documents, isComplete }: ChangedParts): string =>
  formatNames(documents, maxRowParts, isComplete);

const formatProject = ({ name, environment }: EntryProject): string =>
  environment === undefined ? name : t('{0} ({1})', name, environment);

const describeSource = ({ source }: Pick<HistoryEntry, 'source'>): string =>
  source === undefined ? '' : t('from the command line');

const joinTexts = (texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined && text !== '').join(' · ');

/** The maximum number of changed parts in a row, and in its tooltip. */
const [maxRowParts, maxTooltipParts] = [3, 15];

/** The changes whose titles don't say what was changed. */
const vagueCauses: ReadonlySet<OperationCause> = new Set([
  'save',
  'quick-fix',
  'bulk',
  'apply',
  'undo',
  'restore',
]);

/** Finds what an entry has changed, unless its title says it. Returns nothing if that fails, which is logged. */
export async function loadChangedParts(entry: HistoryEntry, log: Log): Promise<ChangedParts> {
  if (vagueCauses.has(entry.operation.cause)) {
    try {
      return await findChangedParts(entry);
    } catch (error) {
      log.warn('writes', 'What a change has changed could not be determined', {
        id: entry.id,
        reason: String(error),
      });
    }
  }
  return { documents: [], names: [], isComplete: true };
}

/** Describes what an entry has changed, as a line of a tooltip; empty if it's unknown. */
export function describeChangedParts({ parts, project }: Pick<EntryDetails, 'parts' | 'project'>): string {
  const names = [...(project === undefined ? [] : parts.documents), ...getPartNames(parts, project)];
  const text = formatNames(names, maxTooltipParts, parts.isComplete);
  return text === '' ? '' : t('Changed: {0}', text);
}

function formatNames(names: readonly string[], maxNames: number, isComplete: boolean): string {
  const isCut = names.length > maxNames || (names.length > 0 && !isComplete);
  return [...names.slice(0, maxNames), ...(isCut ? ['…'] : [])].join(', ');
}

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

/**
 * Returns the name of a document of an entry. Rules have no name, so they are named after their datamodel, cube set, or
 * column.
 */
export function getSnapshotName({ ref, document }: HistoryEntry['before'][number]): string {
  if (!('subject' in ref)) {
    return getDocumentName(document) ?? ref.kind;
  }
  const { subject } = ref;
  const datamodel = subject.kind === 'live' ? subject.title : subject.elasticube;
  return ref.kind === 'columnRules'
    ? t('Rules of {0}', [datamodel, `${ref.table}.${ref.column}`].join(' › '))
    : isCubeSetRuleSubject(subject)
      ? t('Rules of cube set {0}', datamodel)
      : t('Rules of {0}', datamodel);
}

/** Returns the name or title of a document; `undefined` if it has neither. */
function getDocumentName(document: unknown): string | undefined {
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
