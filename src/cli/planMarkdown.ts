import { english } from '../base/localize.ts';
import { describeNeededBuilds } from '../project/messages/planTexts.ts';
import {
  type MarkdownEntry,
  type MarkdownSection,
  formatCode,
  formatInterruptedLines,
  formatSections,
} from './markdown.ts';
import { effectTitles } from './accessRows.ts';
import { labelItems } from './itemLabels.ts';
import { formatNewTable, formatNewlyVisible, newlyVisibleTitle, splitNewTables } from './newlyVisible.ts';
import { formatInterruptedOrigin, describeParts, formatChange, formatServerParts } from './planChanges.ts';
import { formatPlanCounts } from './planCounts.ts';
import {
  formatPlanError,
  formatNotesSetByInstance,
  getNoteTitle,
  rulesWithoutEffectTitle,
  formatLocation,
} from './planText.ts';
import { isSetByInstance } from '../project/compare/itemChange.ts';
import { type PlanOutput, getDeletedColumns } from './planOutput.ts';
import { formatUnmanaged, unmanagedTitle } from './unmanagedOutput.ts';

/**
 * Formats a plan as Markdown that fits into a comment of a pull request. Problems, access that is gained, and what
 * breaks come first and are truncated last; omitted lines are counted.
 */
export function formatPlanMarkdown(plan: PlanOutput): string {
  const labeledPlan = labelItems(plan);
  const { environment, instance, access, changes } = labeledPlan;
  const head = [
    `### Plan for ${formatCode(environment)}`,
    '',
    `${formatCode(instance.url)} (${instance.role}). ${formatPlanCounts(plan)}`,
    ...(changes.length === 0 ? [] : ['', formatCode(access.summary)]),
    ...formatInterruptedLines(labeledPlan),
    '',
  ].join('\n');
  return formatSections(
    head,
    getSections(labeledPlan),
    `\nPlan ${formatCode(labeledPlan.hash.slice(0, 12))}\n`,
  );
}

function getSections(labeledPlan: PlanOutput): readonly MarkdownSection[] {
  const { access } = labeledPlan;
  const getRows = (effect: string): readonly string[] =>
    access.rows.filter((row) => row.effect === effect).map(({ party, text }) => `${party}: ${text}`);
  const getChanges = (action: string): readonly MarkdownEntry[] =>
    labeledPlan.changes
      .filter((change) => change.action === action)
      // The heading of the section replaces the sign of the action and the space after it.
      .map((change) => ({ text: formatChange(change).slice(2), details: describeParts(change) }));
  const [withRules, withoutRules] = splitNewTables(labeledPlan);
  const getNotes = (title: ReturnType<typeof getNoteTitle>): readonly string[] =>
    labeledPlan.notes
      .filter((note) => getNoteTitle([note]) === title && !isSetByInstance(note))
      .map((note) => `${formatLocation(note)}: ${note.text}`);
  return [
    { title: "Can't be applied", lines: labeledPlan.problems.map(({ item, text }) => `${item}: ${text}`) },
    { title: "Can't be read", lines: labeledPlan.unknown.map(({ what, problem }) => `${what}: ${problem}`) },
    { title: unmanagedTitle, lines: formatUnmanaged(labeledPlan) },
    { title: 'Ignored errors', lines: labeledPlan.ignoredErrors.map(formatPlanError) },
    { title: effectTitles.gains, lines: getRows('gains') },
    { title: effectTitles.changes, lines: getRows('changes') },
    {
      title: 'Who will see new tables',
      lines: [
        ...withoutRules.map(({ item }) => `${item}: everyone with access to the datamodel`),
        ...withRules.map((table) => formatNewTable(table)),
      ],
    },
    { title: newlyVisibleTitle, lines: formatNewlyVisible(labeledPlan) },
    { title: 'Errors also on the instance', lines: (labeledPlan.existingErrors ?? []).map(formatPlanError) },
    { title: 'Will break', lines: labeledPlan.breaks.map(({ item, text }) => `${item}: ${text}`) },
    {
      title: 'Changed on the server since the last pull',
      lines: labeledPlan.changes
        .filter(({ changedOnServer, neverPulled }) => changedOnServer && neverPulled !== true)
        .map(formatOverwritten),
    },
    {
      title: 'Never pulled, and will be overwritten or deleted',
      lines: labeledPlan.changes.filter(({ neverPulled }) => neverPulled === true).map(formatOverwritten),
    },
    {
      title: rulesWithoutEffectTitle,
      lines: (labeledPlan.rulesWithoutEffect ?? []).map(({ item }) => item),
    },
    { title: 'Builds might fail', lines: getNotes('Builds might fail') },
    { title: 'Not renamed', lines: getNotes('Not renamed') },
    { title: 'Not compared', lines: getNotes('Not compared') },
    {
      title: 'Will be deleted',
      lines: [...getChanges('delete'), ...getDeletedColumns(labeledPlan)],
    },
    { title: 'Not checked', lines: access.unchecked },
    { title: effectTitles.loses, lines: getRows('loses') },
    { title: 'Will be changed', lines: getChanges('update') },
    { title: 'Will be created', lines: getChanges('create') },
    { title: 'Not in this apply', lines: labeledPlan.deferred.map(({ item, text }) => `${item}: ${text}`) },
    {
      title: 'Next steps',
      lines: [
        ...labeledPlan.builds.flatMap(({ datamodel, type, files = [] }) => [
          ...files.map((file) => `Upload ${file} for ${datamodel}`),
          type === 'publish' ? `Publish ${datamodel}` : `Build ${datamodel}`,
        ]),
        ...(labeledPlan.neededBuilds === undefined
          ? []
          : [describeNeededBuilds(english, labeledPlan.neededBuilds)]),
      ],
    },
    { title: 'Will still differ', lines: getNotes('Will still differ') },
    { title: 'Set by the instance', lines: formatNotesSetByInstance(labeledPlan.notes) },
    {
      title: 'Only on the instance, kept',
      lines: [
        ...labeledPlan.extras.map(({ item, column }) => (column === undefined ? item : `${item}/${column}`)),
        ...getNotes('Only on the instance, kept'),
      ],
    },
  ];
}

/** Formats a change that overwrites what no pull has seen. */
const formatOverwritten = (change: PlanOutput['changes'][number]): string =>
  `${change.item}${formatServerParts(change.parts)}${formatInterruptedOrigin(change)}`;
