import { unescapePointer } from '../base/jsonPointer.ts';
import type * as z from 'zod';
import { getMember, isJsonObject } from '../base/json.ts';
import { english, formatMessage } from '../base/localize.ts';
import { formatBreak } from '../changes/messages/formatBreak.ts';
import type { BrokenReference, PlanSubject } from '../changes/model/plan.ts';
import { sortByText } from '../base/sortByText.ts';
import { createMovesOfExtraRules } from '../project/apply/compileOperation.ts';
import { listNeededBuilds } from '../project/apply/neededBuilds.ts';
import { getUploadedFiles } from '../project/apply/connections.ts';
import type { ApplyProblem } from '../project/apply/problems.ts';
import { type ProjectItem, formatItemKey } from '../project/item.ts';
import { describeApplyProblem, describeDeferral, describeDifference } from '../project/messages/planTexts.ts';
import type { DifferenceNote, ItemChange, ServerChangeState } from '../project/compare/itemChange.ts';
import { addEffectsToHash, hashCurrentParts } from '../project/plan/planHash.ts';
import { outputVersion, toInstanceOutput } from './outputParts.ts';
import { type planOutputSchema, planFileVersion } from './planOutputSchema.ts';
import type { LoadedPlan, PlanEffects } from './projectPlan.ts';
import { splitUnreadFiles } from '../project/apply/unreadFiles.ts';
import type { InterruptedChangeError } from '../changes/journal/requireFinished.ts';
import { createPartDeferralCheck } from './deferredParts.ts';
import { countFollowingRules } from './followingRules.ts';
import { createInterruptedCheck } from './interruptedChange.ts';
import { createAccessOutput } from './planAccess.ts';
import { findRulesWithoutEffectAfterApply } from './rulesWithoutEffect.ts';
import { getPrunedInstanceKindNames } from './prunedKinds.ts';
import { getUnreadParts } from './pullResult.ts';
import { toUnmanagedOutput } from './unmanagedOutput.ts';

export type PlanOutput = z.infer<typeof planOutputSchema>;

/** Returns what could not be compared, and why. */
export const getUncomparedParts = ({
  project,
  reading,
  limits,
  prepared: { pulled, itemsUnderOtherNames, unreadItems },
}: Pick<LoadedPlan, 'project' | 'prepared' | 'reading' | 'limits'>): ReturnType<typeof getUnreadParts> => [
  ...getUnreadParts({
    failedParts: reading.failedParts,
    pulled,
    project: { problems: splitUnreadFiles({ project, reading, limits }).withinLimits },
  }),
  ...(unreadItems.length === 0
    ? []
    : [
        {
          what: unreadItems.length === 1 ? '1 item' : `${unreadItems.length} items`,
          problem: "On the instance, this is part of something that couldn't be read.",
        },
      ]),
  ...itemsUnderOtherNames.map((key) => ({
    what: formatItemKey(key),
    problem: "On the instance, it has a name that the project doesn't manage.",
  })),
];

/** Returns the unreadable files outside the limits of a plan, and why they can't be read. */
export const describeExcludedUnreadFiles = (
  loaded: Pick<LoadedPlan, 'project' | 'reading' | 'limits'>,
): readonly { readonly item: string; readonly text: string }[] =>
  splitUnreadFiles(loaded).outsideLimits.map(({ path, line, column, message }) => ({
    item: `${path}:${line}:${column}`,
    text: formatMessage(english, message),
  }));

/**
 * Creates the JSON output of a plan, from which the other formats are derived.
 * @param interrupted why an apply is refused, if a change was interrupted
 */
export function createPlanOutput(
  loaded: LoadedPlan,
  effects: PlanEffects | undefined,
  interrupted?: InterruptedChangeError,
): PlanOutput {
  const { target, project, prepared, options, hash } = loaded;
  const { comparison, compiled } = prepared;
  const neededBuilds = listNeededBuilds(prepared);
  const paths = new Map(project.items.map(({ key, path }) => [formatItemKey(key), path]));
  const unknown = getUncomparedParts(loaded);
  const errors = loaded.findErrors();
  const mayHaveBeenWritten = createInterruptedCheck(interrupted, loaded);
  const moves = createMovesOfExtraRules(comparison);
  const movedItems = new Set(moves.map(({ from }) => from && formatItemKey(from)));
  const allChanges = sortByText([...comparison.changes, ...moves], ({ key }) => formatItemKey(key));
  const deferred = compiled.deferred.map((change) => ({
    item: formatItemKey(change.key),
    reason: change.reason,
    ...(change.part === undefined ? {} : { part: change.part }),
    text: describeDeferral(english, change),
  }));
  const getPartDeferral = createPartDeferralCheck(compiled.deferred);
  const whollyDeferredItems = new Set(deferred.flatMap(({ item, part }) => (part === undefined ? item : [])));
  /** Renamed rules are never deferred as a whole: the rename is in this apply. Renamed viewpoints can be. */
  const isWhollyDeferred = (change: ItemChange): boolean => {
    const { key, from, parts } = change;
    return whollyDeferredItems.has(formatItemKey(key))
      ? from === undefined || key.kind === 'viewpoint'
      : parts.length > 0 && parts.every((part) => getPartDeferral(change, part) === 'part');
  };
  const changes = allChanges.map((change) => ({
    ...toChangeOutput(change, { paths, items: prepared.pulled.items, getPartDeferral }),
    ...(isWhollyDeferred(change) ? { deferred: true as const } : {}),
    ...(mayHaveBeenWritten(change.key) ? { interrupted: true as const } : {}),
  }));
  const count = (action: ItemChange['action']): number =>
    allChanges.filter((change) => change.action === action && !isWhollyDeferred(change)).length;
  return {
    version: outputVersion,
    command: 'plan',
    planFileVersion,
    instance: toInstanceOutput(target.instance.connection),
    environment: target.environmentName,
    state:
      unknown.length > 0
        ? 'unknown'
        : compiled.problems.length > 0
          ? 'refused'
          : comparison.changes.length > 0
            ? 'differs'
            : 'same',
    hash: addEffectsToHash(hash, effects?.planHash.effects),
    prune: getPrunedInstanceKindNames(options.prunedKinds),
    ignoreErrors: [...options.ignoredCodes].toSorted(),
    limits: options.limits,
    counts: {
      create: count('create'),
      update: count('update'),
      delete: count('delete') + getDeletedColumns({ changes, deferred }).length,
      deferred: new Set(deferred.map(({ item }) => item)).size,
      unchanged: comparison.unchangedCount,
      unknown: prepared.uncomparedItems.length,
      requests: compiled.writes.length,
    },
    changes,
    extras: comparison.extraItems
      .map(({ key, column }) => ({
        item: formatItemKey(key),
        ...(column === undefined ? {} : { column }),
      }))
      .filter(({ item }) => !movedItems.has(item)),
    notes: [
      ...comparison.notes.map(toNoteOutput),
      ...describeExcludedUnreadFiles(loaded).map((text): PlanOutput['notes'][number] => ({
        code: 'unread-file',
        severity: 'warning',
        pointer: '',
        ...text,
      })),
    ],
    deferred,
    ...(neededBuilds.length === 0 ? {} : { neededBuilds: [...neededBuilds] }),
    ...(loaded.neededVariables.length === 0 ? {} : { neededVariables: [...loaded.neededVariables] }),
    problems: removeDuplicates(compiled.problems.map(toProblemOutput)),
    ignoredErrors: errors.ignored.map(toErrorOutput),
    existingErrors: errors.existing.map(toErrorOutput),
    unknown,
    rulesWithoutEffect: findRulesWithoutEffectAfterApply(loaded),
    ...toUnmanagedOutput(loaded),
    breaks: describeBreaks(effects?.plan.breaks ?? []),
    access: createAccessOutput(loaded, effects),
    builds: (effects?.plan.builds ?? []).map(({ title, type }) => {
      const files = findNeededFiles(comparison.changes, title);
      return { datamodel: title, type, ...(files.length === 0 ? {} : { files }) };
    }),
  };
}

const toErrorOutput = <Code extends string>({
  code,
  path,
  line,
  column,
  message,
}: NonNullable<PlanOutput['existingErrors']>[number] & { readonly code: Code }) => ({
  code,
  path,
  line,
  column,
  message,
});

/** Finds the uploaded files that the new datasets of a datamodel need before a build. */
const findNeededFiles = (changes: readonly ItemChange[], title: string): string[] => [
  ...new Set(
    changes.flatMap(({ action, key, parts: [part] }) => {
      const connection = getMember(part?.after, 'connection');
      return action === 'create' &&
        key.kind === 'dataset' &&
        key.datamodel === title &&
        isJsonObject(connection)
        ? getUploadedFiles(connection)
        : [];
    }),
  ),
];

/**
 * Returns the columns that this apply deletes from tables that stay: the item of the table, followed by the pointer of
 * the column.
 */
export function getDeletedColumns({
  changes,
  deferred,
}: Pick<PlanOutput, 'changes' | 'deferred'>): readonly string[] {
  const waitingItems = new Set(
    deferred.flatMap(({ item, part }) => (part === 'column-deletions' ? item : [])),
  );
  return changes.flatMap(({ action, item, parts }) =>
    action === 'update' && !waitingItems.has(item)
      ? parts.flatMap(({ pointer, after }) =>
          pointer.startsWith('/columns/') && after === undefined ? [item + unescapePointer(pointer)] : [],
        )
      : [],
  );
}

function toChangeOutput(
  change: ItemChange,
  {
    paths,
    items,
    getPartDeferral,
  }: {
    readonly paths: ReadonlyMap<string, string>;
    readonly items: readonly ProjectItem[];
    readonly getPartDeferral: ReturnType<typeof createPartDeferralCheck>;
  },
): PlanOutput['changes'][number] {
  const { action, key, from, parts, serverPointers = [], deletedWith } = change;
  const item = formatItemKey(key);
  const path = paths.get(item);
  const followingRules = countFollowingRules(change, items);
  return {
    action,
    item,
    ...(from === undefined ? {} : { from: formatItemKey(from) }),
    ...(followingRules === undefined ? {} : { followingRules }),
    ...(path === undefined ? {} : { path }),
    ...toServerStateOutput(change),
    pin: hashCurrentParts(change),
    parts: parts.map((part) => {
      const { pointer, before, after } = part;
      const deferral = getPartDeferral(change, part);
      return {
        pointer,
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
        ...(serverPointers.includes(pointer) ? { changedOnServer: true as const } : {}),
        ...(deferral === 'part' ? { deferred: true as const } : {}),
        ...(deferral === 'unhiding' ? { stillHidden: true as const } : {}),
      };
    }),
    ...(deletedWith === undefined
      ? {}
      : {
          deletedWith: deletedWith.map((deleted) => ({
            item: formatItemKey(deleted.key),
            ...toServerStateOutput(deleted),
          })),
        }),
  };
}

const toServerStateOutput = ({ isChangedOnServer, isNeverPulled }: ServerChangeState) => ({
  changedOnServer: isChangedOnServer,
  ...(isNeverPulled === undefined ? {} : { neverPulled: isNeverPulled }),
});

const removeDuplicates = <Item>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];

/** Describes what breaks. Entries with the same text, such as of several rules on a column, are merged and counted. */
export const describeBreaks = (breaks: readonly BrokenReference[]): PlanOutput['breaks'] =>
  [
    ...Map.groupBy(
      breaks.map((breakage) => ({
        item: formatSubject(breakage.referrer),
        text: formatBreak(breakage, english),
      })),
      (entry) => JSON.stringify(entry),
    ).values(),
  ].flatMap(([entry, ...others]) =>
    entry === undefined
      ? []
      : [others.length === 0 ? entry : { ...entry, text: `${entry.text} (${others.length + 1} times)` }],
  );

/** Formats an item with its containers. A column is named with its table, as everywhere in a plan. */
const formatSubject = ({ kind, name, within }: PlanSubject): string => {
  const label = name === '' ? kind : name;
  const table = kind === 'column' ? within.at(-1) : undefined;
  return (table === undefined ? [...within, label] : [...within.slice(0, -1), `${table}.${label}`]).join(
    ' › ',
  );
};

const warningCodes: ReadonlySet<string> = new Set<DifferenceNote['code']>([
  'former-name-missing',
  'former-name-in-use',
  'same-source',
  'broken-relation',
]);

const toNoteOutput = (note: DifferenceNote): PlanOutput['notes'][number] => ({
  code: note.code,
  severity: warningCodes.has(note.code) ? 'warning' : 'information',
  item: formatItemKey(note.key),
  pointer: note.pointer,
  text: describeDifference(english, note),
});

const toProblemOutput = ({ code, key, name }: ApplyProblem): PlanOutput['problems'][number] => ({
  code,
  item: formatItemKey(key),
  text: describeApplyProblem(english, { code, key, name }),
});
