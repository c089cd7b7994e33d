import { english } from '../base/localize.ts';
import { isSetByInstance } from '../project/compare/itemChange.ts';
import { describeNeededBuilds, describeNeededVariables } from '../project/messages/planTexts.ts';
import { projectFileName } from '../project/projectFileName.ts';
import { effectTitles, formatRowText } from './accessRows.ts';
import type { DifferenceText } from './differences/differenceTexts.ts';
import {
  formatRules,
  formatVisibleItem,
  listVisibilityTexts,
  newlyVisibleTitle,
  splitNewTables,
} from './newlyVisible.ts';
import { describeParts, formatChange, formatInterruptedOrigin, formatServerParts } from './planChanges.ts';
import { type PlanOutput, getDeletedColumns } from './planOutput.ts';
import {
  formatLocation,
  formatNotesSetByInstance,
  formatPlanError,
  getNoteTitle,
  rulesWithoutEffectTitle,
} from './planText.ts';
import { formatUnmanaged, unmanagedTitle } from './unmanagedOutput.ts';

/** Something that a reviewer of a plan should know. */
export interface PlanEntry {
  /** What or whom the text is about, if the text doesn't say so itself. */
  readonly subject?: string | undefined;
  readonly text: string;
  readonly details?: readonly DifferenceText[] | undefined;
  /** The file that it's about. */
  readonly path?: string | undefined;
}

/** A list with a heading in the report of a plan. */
export interface PlanSection {
  readonly title: string;
  /**
   * How much attention it needs. A report with little space leaves out sections of the level `detail`, since the counts
   * of the plan are enough there.
   */
  readonly level: 'error' | 'warning' | 'notice' | 'detail';
  readonly entries: readonly PlanEntry[];
}

/** Formats an entry in one line, without its details. */
export const formatEntryLine = ({ subject, text }: PlanEntry): string =>
  subject === undefined ? text : `${subject}: ${text}`;

/**
 * Returns the lists of a report for reviewers, without empty ones. Problems, access that is gained, and what breaks come
 * first, because reports with little space are truncated at the end.
 * @param labeledPlan the output of a plan after {@link labelItems}
 */
export const getPlanSections = (labeledPlan: PlanOutput): readonly PlanSection[] =>
  listSections(labeledPlan).filter(({ entries }) => entries.length > 0);

function listSections(labeledPlan: PlanOutput): readonly PlanSection[] {
  const { access, changes, builds, neededBuilds, neededVariables = [] } = labeledPlan;
  const paths = new Map(changes.map(({ item, path }) => [item, path]));
  const toItemEntry = ({ item, text }: { readonly item: string; readonly text: string }): PlanEntry => ({
    subject: item,
    text,
    path: paths.get(item),
  });
  const getRows = (effect: keyof typeof effectTitles): readonly PlanEntry[] =>
    access.rows
      .filter((row) => row.effect === effect)
      .map((row) => ({ subject: row.party, text: formatRowText(row) }));
  const getNoteSection = (
    title: ReturnType<typeof getNoteTitle>,
    otherLevel: 'notice' | 'detail',
  ): PlanSection => {
    const notes = labeledPlan.notes.filter(
      (note) => getNoteTitle([note]) === title && !isSetByInstance(note),
    );
    return {
      title,
      level: notes.some(({ severity }) => severity === 'warning') ? 'warning' : otherLevel,
      entries: notes.map((note) => ({ ...toItemEntry(note), subject: formatLocation(note) })),
    };
  };
  const getChanges = (action: PlanOutput['changes'][number]['action']): readonly PlanEntry[] =>
    changes.filter((change) => change.action === action && change.deferred !== true).map(toChangeEntry);
  const [withRules, withoutRules] = splitNewTables(labeledPlan);
  const needsFiles = builds.some(({ files = [] }) => files.length > 0);
  return [
    { title: "Can't be applied", level: 'error', entries: labeledPlan.problems.map(toItemEntry) },
    {
      title: "Can't be read",
      level: 'error',
      entries: labeledPlan.unknown.map(({ what, problem }) => ({ subject: what, text: problem })),
    },
    {
      title: unmanagedTitle,
      level: 'warning',
      entries: formatUnmanaged(labeledPlan).map((text) => ({ text, path: projectFileName })),
    },
    { title: 'Ignored errors', level: 'warning', entries: labeledPlan.ignoredErrors.map(toErrorEntry) },
    { title: effectTitles.gains, level: 'warning', entries: getRows('gains') },
    { title: effectTitles.changes, level: 'warning', entries: getRows('changes') },
    {
      title: 'Who will see new tables',
      level: 'warning',
      entries: [
        ...withoutRules.map(({ item }) =>
          toItemEntry({ item, text: 'everyone with access to the datamodel' }),
        ),
        ...withRules.map(({ item, rules }) => toItemEntry({ item, text: formatRules(rules) })),
      ],
    },
    {
      title: newlyVisibleTitle,
      level: 'warning',
      entries: (access.newlyVisible ?? []).map((visible) => ({
        subject: formatVisibleItem(visible),
        text: listVisibilityTexts(visible).join('; '),
        path: paths.get(visible.item),
      })),
    },
    {
      title: 'Errors also on the instance',
      level: 'warning',
      entries: (labeledPlan.existingErrors ?? []).map(toErrorEntry),
    },
    { title: 'Will break', level: 'error', entries: labeledPlan.breaks.map(toItemEntry) },
    {
      title: 'Changed on the server since the last pull',
      level: 'warning',
      entries: changes
        .filter(({ changedOnServer, neverPulled }) => changedOnServer && neverPulled !== true)
        .map(toOverwrittenEntry),
    },
    {
      title: 'Never pulled, and will be overwritten or deleted',
      level: 'warning',
      entries: changes.filter(({ neverPulled }) => neverPulled === true).map(toOverwrittenEntry),
    },
    {
      title: rulesWithoutEffectTitle,
      level: 'warning',
      entries: (labeledPlan.rulesWithoutEffect ?? []).map(({ item, path }) => ({ text: item, path })),
    },
    {
      title: 'Missing relations',
      level: 'warning',
      entries: (labeledPlan.missingRelations ?? []).map(({ text }) => ({ text })),
    },
    getNoteSection('Builds might fail', 'notice'),
    getNoteSection('Not renamed', 'notice'),
    getNoteSection('Not compared', 'notice'),
    {
      title: 'Will be deleted',
      level: 'warning',
      entries: [...getChanges('delete'), ...getDeletedColumns(labeledPlan).map((text) => ({ text }))],
    },
    { title: 'Not checked', level: 'warning', entries: access.unchecked.map((text) => ({ text })) },
    { title: effectTitles.loses, level: 'warning', entries: getRows('loses') },
    { title: 'Will be changed', level: 'notice', entries: getChanges('update') },
    { title: 'Will be created', level: 'notice', entries: getChanges('create') },
    {
      title: 'Required environment variables',
      level: 'notice',
      entries:
        neededVariables.length === 0 ? [] : [{ text: describeNeededVariables(english, neededVariables) }],
    },
    { title: 'Not in this apply', level: 'warning', entries: getDeferredEntries(labeledPlan) },
    {
      title: 'Next steps',
      level: neededBuilds !== undefined || needsFiles ? 'warning' : 'notice',
      entries: [
        ...builds.flatMap(({ datamodel, type, files = [] }) => [
          ...files.map((file) => `Upload ${file} for ${datamodel}`),
          type === 'publish' ? `Publish ${datamodel}` : `Build ${datamodel}`,
        ]),
        ...(neededBuilds === undefined ? [] : [describeNeededBuilds(english, neededBuilds)]),
      ].map((text) => ({ text })),
    },
    getNoteSection('Will still differ', 'notice'),
    {
      title: 'Set by the instance',
      level: 'detail',
      entries: formatNotesSetByInstance(labeledPlan.notes).map((text) => ({ text })),
    },
    {
      title: 'Only on the instance, kept',
      level: 'detail',
      entries: [
        ...labeledPlan.extras.map(({ item, column }) => ({
          text: column === undefined ? item : `${item}/${column}`,
        })),
        ...getNoteSection('Only on the instance, kept', 'detail').entries,
      ],
    },
  ];
}

/** The heading of the section replaces the sign of the action and the space after it. */
const toChangeEntry = (change: PlanOutput['changes'][number]): PlanEntry => ({
  text: formatChange(change).slice(2),
  details: describeParts(change),
  path: change.path,
});

/** Returns what waits for a later apply. What waits as a whole isn't listed among the changes, so its details are here. */
function getDeferredEntries({ changes, deferred }: PlanOutput): readonly PlanEntry[] {
  const deferredChanges = new Map(
    changes.flatMap((change) => (change.deferred === true ? [[change.item, change]] : [])),
  );
  return deferred.map(({ item, text }) => {
    const change = deferredChanges.get(item);
    return change === undefined
      ? { subject: item, text, path: changes.find((other) => other.item === item)?.path }
      : {
          subject: change.from === undefined ? item : `${item} (renamed from ${change.from})`,
          text,
          details: describeParts(change),
          path: change.path,
        };
  });
}

/** Describes a change that overwrites what no pull has seen. */
const toOverwrittenEntry = (change: PlanOutput['changes'][number]): PlanEntry => ({
  text: `${change.item}${formatServerParts(change.parts)}${formatInterruptedOrigin(change)}`,
  path: change.path,
});

const toErrorEntry = (error: NonNullable<PlanOutput['existingErrors']>[number]): PlanEntry => ({
  text: formatPlanError(error),
  path: error.path,
});
