import type * as z from 'zod';
import { english } from '../base/localize.ts';
import { describeAccess } from '../changes/messages/describeAccess.ts';
import { formatItemKey } from '../project/item.ts';
import { toAccessRows, toUncheckedTexts } from './accessRows.ts';
import { formatCliError } from './errorMessages.ts';
import { type NewTable, findNewTables, formatTableKey } from './newTables.ts';
import type { planOutputSchema } from './outputs.ts';
import type { LoadedPlan, PlanEffects } from './projectPlan.ts';

type AccessOutput = z.infer<typeof planOutputSchema>['access'];

type ComparedProject = Pick<LoadedPlan, 'project' | 'prepared'>;

/**
 * Describes who gains and who loses access through a plan. A new table is described by the rules that
 * restrict it: nobody had access to it before.
 */
export function createAccessOutput(loaded: ComparedProject, effects: PlanEffects | undefined): AccessOutput {
  const existingAccess = effects?.access && omitNewDatamodels(effects.access, loaded);
  const access = existingAccess && describeAccess(existingAccess, english);
  const newTables = findNewTables(loaded);
  const mayChange =
    existingAccess?.subjects.some(
      ({ difference: { rows, otherPartyCount, hasMoreCombinations } }) =>
        rows.length > 0 || otherPartyCount > 0 || hasMoreCombinations,
    ) === true;
  const { writes, deferred } = loaded.prepared.compiled;
  if (writes.length === 0 && deferred.length > 0) {
    // What a later apply does to access is in its plan.
    return {
      summary: 'None of this is in this apply: access stays the same until the next one.',
      rows: [],
      newTables: [],
      unchecked: [],
    };
  }
  const summary =
    effects?.accessError !== undefined
      ? 'Who gains access is unknown.'
      : newTables.length > 0 && !mayChange
        ? ['Access to existing tables stays the same.', ...(access?.otherSummary ?? [])].join(' ')
        : (access?.summary ?? 'No one gains or loses access.');
  return {
    summary: [
      summary,
      ...(effects?.plan.unchecked.includes('cubeSets') === true
        ? ['Rules of cube sets were not checked.']
        : []),
      ...(newTables.length === 0 ? [] : [summarizeNewTables(newTables)]),
      ...summarizeWaitingRules(loaded),
    ].join(' '),
    rows: access === undefined ? [] : toAccessRows(access),
    newTables: newTables.map(({ item, restrictions }) => ({
      item,
      rules: restrictions.map(({ text }) => text),
    })),
    unchecked: [
      ...(effects?.accessError === undefined
        ? []
        : [`Who gains or loses access: ${formatCliError(effects.accessError)}`]),
      ...(access === undefined ? [] : toUncheckedTexts(access)),
      ...(effects?.plan.unchecked ?? []).map((part) => uncheckedTexts[part]),
    ],
  };
}

const uncheckedTexts = {
  datamodel: 'The datamodel could not be checked for what might break.',
  rules: 'The data security rules could not be checked for what might break.',
  viewpoints: 'The viewpoints could not be checked for what might break.',
  cubeSets:
    'Rules of cube sets: the project manages none, and no request lists them. If one has rules on a former or deleted name, these restrict nothing anymore.',
} as const;

/** Leaves out the datamodels that are created. A cube set of the same name has rules on existing tables. */
function omitNewDatamodels(
  access: NonNullable<PlanEffects['access']>,
  { prepared: { comparison } }: ComparedProject,
): NonNullable<PlanEffects['access']> {
  const titles = new Set(
    comparison.changes.flatMap(({ action, key }) =>
      action === 'create' && key.kind === 'datamodel' ? [key.datamodel] : [],
    ),
  );
  return {
    ...access,
    subjects: access.subjects.filter(({ title, isCubeSet }) => isCubeSet === true || !titles.has(title)),
  };
}

function summarizeNewTables(newTables: readonly NewTable[]): string {
  // What another apply has to write doesn't restrict the table until then.
  const openTables = newTables.filter(({ restrictions }) => restrictions.every(({ isWaiting }) => isWaiting));
  const openCount = openTables.length;
  const withoutRules = openTables.some(({ restrictions }) => restrictions.length > 0)
    ? 'without rules in this apply'
    : 'without rules';
  const head = newTables.length === 1 ? '1 new table:' : `${newTables.length} new tables:`;
  if (openCount === 0) {
    return `${head} rules restrict who sees ${newTables.length === 1 ? 'it' : 'them'}.`;
  }
  return openCount === newTables.length
    ? `${head} ${withoutRules}, so everyone with access to the datamodel will see ${openCount === 1 ? 'it' : 'them'}.`
    : `${head} ${newTables.length - openCount} restricted by rules, and ${openCount} ${withoutRules}, which everyone with access to the datamodel will see.`;
}

/** Says how many of the new tables have rules that another apply has to write: until then, everyone sees all rows. */
function summarizeWaitingRules({ prepared }: ComparedProject): readonly string[] {
  const waitingTables = new Set(
    prepared.compiled.deferred.flatMap(({ key }) => (key.kind === 'rules' ? [formatTableKey(key)] : [])),
  );
  const count = prepared.comparison.changes.filter(
    ({ action, key }) => action === 'create' && key.kind === 'table' && waitingTables.has(formatItemKey(key)),
  ).length;
  return count === 0
    ? []
    : [`${count === 1 ? '1 new table has' : `${count} new tables have`} rules that are not in this apply.`];
}
