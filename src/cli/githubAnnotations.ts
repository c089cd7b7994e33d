import { unescapePointer } from '../base/jsonPointer.ts';
import { projectFileName } from '../project/projectFileName.ts';
import { staysDifferent } from '../project/plan/remainingDifferences.ts';
import { effectTitles } from './accessRows.ts';
import { listDifferenceLines } from './differences/differenceTexts.ts';
import { labelItems } from './itemLabels.ts';
import { formatVisibleItem, listVisibilityTexts, newlyVisibleTitle } from './newlyVisible.ts';
import { type PlanOutput, getDeletedColumns } from './planOutput.ts';
import { formatInterruptedOrigin, describeParts } from './planChanges.ts';
import { describePlanExtras } from './planCounts.ts';
import { existingErrorTitle, getNoteTitle, rulesWithoutEffectTitle } from './planText.ts';
import { formatUnmanaged, unmanagedTitle } from './unmanagedOutput.ts';
import { formatWorkflowCommand } from './workflowCommand.ts';

/** A message that GitHub shows next to a file. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  readonly file?: string | undefined;
}

/** Formats a workflow command of GitHub Actions. */
export const formatAnnotation = ({ level, title, message, file }: Annotation): string =>
  formatWorkflowCommand(level, { file, title }, message);

/** Returns the annotations for the reviewers of a plan: problems first, then risks, then all changes. */
export function getPlanAnnotations(plan: PlanOutput): readonly Annotation[] {
  const labeledPlan = labelItems(plan);
  const paths = new Map(labeledPlan.changes.map(({ item, path }) => [item, path]));
  return [
    ...(labeledPlan.interrupted === undefined
      ? []
      : [
          {
            level: 'warning',
            title: 'An earlier change was interrupted',
            message: labeledPlan.interrupted.text,
          } satisfies Annotation,
        ]),
    ...labeledPlan.unknown.map(
      ({ what, problem }): Annotation => ({ level: 'error', title: `Can't read ${what}`, message: problem }),
    ),
    ...labeledPlan.problems.map(
      ({ item, text }): Annotation => ({
        level: 'error',
        title: `Can't apply ${item}`,
        message: text,
        file: paths.get(item),
      }),
    ),
    ...formatUnmanaged(labeledPlan).map(
      (message): Annotation => ({
        level: 'warning',
        title: unmanagedTitle,
        message,
        file: projectFileName,
      }),
    ),
    ...labeledPlan.breaks.map(
      ({ item, text }): Annotation => ({ level: 'error', title: `Will break: ${item}`, message: text }),
    ),
    ...sortRows(labeledPlan.access.rows).map(
      ({ effect, party, text }): Annotation => ({
        level: 'warning',
        title: `${effectTitles[effect]}: ${party}`,
        message: text,
      }),
    ),
    ...(labeledPlan.access.newlyVisible ?? []).map(
      (visible): Annotation => ({
        level: 'warning',
        title: `${newlyVisibleTitle}: ${formatVisibleItem(visible)}`,
        message: listVisibilityTexts(visible).join('\n'),
        file: paths.get(visible.item),
      }),
    ),
    ...(labeledPlan.access.partlyUnknown === true && labeledPlan.changes.length > 0
      ? [
          {
            level: 'warning',
            title: 'Not checked',
            message: 'Not all rules and viewpoints could be compared.',
          } satisfies Annotation,
        ]
      : []),
    ...labeledPlan.access.unchecked.map(
      (message): Annotation => ({ level: 'warning', title: 'Not checked', message }),
    ),
    ...(labeledPlan.rulesWithoutEffect ?? []).map(
      ({ item, path }): Annotation => ({
        level: 'warning',
        title: rulesWithoutEffectTitle,
        message: item,
        file: path,
      }),
    ),
    ...labeledPlan.notes
      .filter(({ severity }) => severity === 'warning')
      .map(
        (note): Annotation => ({
          level: 'warning',
          title: `${getNoteTitle([note])}: ${note.item}`,
          message: note.text,
          file: paths.get(note.item),
        }),
      ),
    ...labeledPlan.notes.filter(staysDifferent).map(
      ({ item, pointer, text }): Annotation => ({
        level: 'notice',
        title: `Will still differ: ${item}`,
        message: pointer === '' ? text : `${unescapePointer(pointer.slice(1))}: ${text}`,
        file: paths.get(item),
      }),
    ),
    ...[describePlanExtras(plan)]
      .filter((text) => text !== '')
      .map((message): Annotation => ({ level: 'notice', title: 'Kept on the instance', message })),
    ...labeledPlan.ignoredErrors.map(
      ({ path, message, code }): Annotation => ({
        level: 'warning',
        title: `Ignored error: ${code}`,
        message,
        file: path,
      }),
    ),
    ...(labeledPlan.existingErrors ?? []).map(
      ({ path, message, code }): Annotation => ({
        level: 'warning',
        title: `${existingErrorTitle}: ${code}`,
        message,
        file: path,
      }),
    ),
    ...getDeletedColumns(labeledPlan).map(
      (column): Annotation => ({ level: 'warning', title: actionTitles.delete, message: column }),
    ),
    ...labeledPlan.changes.map((change): Annotation => {
      const { action, item, from, path, changedOnServer, neverPulled } = change;
      const origin = formatInterruptedOrigin(change);
      return {
        level: changedOnServer || action === 'delete' ? 'warning' : 'notice',
        title:
          neverPulled === true
            ? `Never pulled${origin}, and will be ${action === 'delete' ? 'deleted' : 'overwritten'}`
            : changedOnServer
              ? action === 'create'
                ? `Deleted on the server since the last pull${origin}, and will be created again`
                : `Changed on the server since the last pull${origin}${action === 'delete' ? ', and will be deleted' : ''}`
              : actionTitles[action],
        message: [
          from === undefined ? item : `${item} (renamed from ${from})`,
          ...listDifferenceLines(describeParts(change)),
        ].join('\n'),
        file: path,
      };
    }),
  ];
}

/** Moves the rows of lost access to the end: GitHub shows only the first annotations of a step. */
const sortRows = (rows: PlanOutput['access']['rows']): PlanOutput['access']['rows'] => [
  ...rows.filter(({ effect }) => effect !== 'loses'),
  ...rows.filter(({ effect }) => effect === 'loses'),
];

const actionTitles = {
  create: 'Will be created',
  update: 'Will be changed',
  delete: 'Will be deleted',
} as const;
