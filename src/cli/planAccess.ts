import type * as z from 'zod';
import { english } from '../base/localize.ts';
import type { JsonValue } from '../base/json.ts';
import { describeAccess } from '../changes/messages/describeAccess.ts';
import { type ItemKey, formatItemKey } from '../project/item.ts';
import { describeRule, readNamedRules } from './differences/ruleDifferences.ts';
import { toAccessRows, toUncheckedTexts } from './accessRows.ts';
import { formatCliError } from './errorMessages.ts';
import type { planOutputSchema } from './outputs.ts';
import type { LoadedPlan, PlanEffects } from './projectPlan.ts';

type AccessOutput = z.infer<typeof planOutputSchema>['access'];

/** A table that is created, with its rules as texts. */
interface NewTable {
  readonly item: string;
  readonly rules: readonly {
    readonly text: string;
    /** Whether another apply has to write it. */
    readonly isWaiting: boolean;
  }[];
}

type ComparedProject = Pick<LoadedPlan, 'project' | 'prepared'>;

/**
 * Describes who gains and who loses access through a plan. A new table is described by its rules: nobody had access
 * to it before.
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
        ? ['Access to existing tables stays the same.', ...(access?.viewpointSummary ?? [])].join(' ')
        : (access?.summary ?? 'No one gains or loses access.');
  return {
    summary: [
      summary,
      ...(newTables.length === 0 ? [] : [summarizeNewTables(newTables)]),
      ...summarizeWaitingRules(loaded),
    ].join(' '),
    rows: access === undefined ? [] : toAccessRows(access),
    newTables: newTables.map(({ item, rules }) => ({ item, rules: rules.map(({ text }) => text) })),
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
  comparison.changes.forEach(({ key }) => key.kind === 'cubeSetRules' && titles.delete(key.cubeSet));
  return { ...access, subjects: access.subjects.filter(({ title }) => !titles.has(title)) };
}

/**
 * Returns the tables that are created, with all rules that they will have, including those that the instance already
 * has, and those that another apply has to write.
 */
function findNewTables({ project, prepared }: ComparedProject): readonly NewTable[] {
  const { comparison, pulled } = prepared;
  const rules = new Map<string, { readonly key: RulesKey; readonly content: JsonValue; isKept: boolean }>();
  const isRules = (key: ItemKey): key is RulesKey => key.kind === 'rules';
  for (const { key, content } of pulled.items) {
    const projectKey = comparison.renamer.toProjectKey(key);
    if (isRules(projectKey)) {
      rules.set(formatItemKey(projectKey), { key: projectKey, content, isKept: true });
    }
  }
  for (const { action, key } of comparison.changes) {
    if (action === 'delete') {
      rules.delete(formatItemKey(comparison.renamer.toProjectKey(key)));
    }
  }
  for (const { key, content } of project.items) {
    if (isRules(key)) {
      rules.set(formatItemKey(key), { key, content, isKept: false });
    }
  }
  const waitingKeys = getWaitingRuleKeys(prepared);
  const rulesByTable = Map.groupBy(rules.values(), ({ key }) => formatTableKey(key));
  return comparison.changes.flatMap(({ action, key }) =>
    action === 'create' && key.kind === 'table'
      ? [
          {
            item: formatItemKey(key),
            rules: (rulesByTable.get(formatTableKey(key)) ?? []).flatMap(
              ({ key: rulesKey, content, isKept }) =>
                readNamedRules(content).map((rule) => {
                  const isWaiting = !isKept && waitingKeys.has(formatItemKey(rulesKey));
                  const note = isKept
                    ? ' (already on the instance)'
                    : isWaiting
                      ? ' (not in this apply)'
                      : '';
                  return { text: `${rulesKey.column}: ${describeRule(rule)}${note}`, isWaiting };
                }),
            ),
          },
        ]
      : [],
  );
}

type RulesKey = Extract<ItemKey, { kind: 'rules' }>;

const formatTableKey = ({ datamodel, table }: { datamodel: string; table: string }): string =>
  formatItemKey({ kind: 'table', datamodel, table });

function summarizeNewTables(newTables: readonly NewTable[]): string {
  // A rule that another apply has to write doesn't restrict the table until then.
  const openTables = newTables.filter(({ rules }) => rules.every(({ isWaiting }) => isWaiting));
  const openCount = openTables.length;
  const withoutRules = openTables.some(({ rules }) => rules.length > 0)
    ? 'without rules in this apply'
    : 'without rules';
  const head = newTables.length === 1 ? '1 new table:' : `${newTables.length} new tables:`;
  if (openCount === 0) {
    return `${head} rules restrict who sees ${newTables.length === 1 ? 'it' : 'them'}.`;
  }
  return openCount === newTables.length
    ? `${head} ${withoutRules}, so everyone with access to the datamodel will see ${openCount === 1 ? 'it' : 'them'}.`
    : `${head} ${newTables.length - openCount} with rules, and ${openCount} ${withoutRules}, which everyone with access to the datamodel will see.`;
}

const getWaitingRuleKeys = ({ compiled: { deferred } }: ComparedProject['prepared']): ReadonlySet<string> =>
  new Set(deferred.flatMap(({ key }) => (key.kind === 'rules' ? [formatItemKey(key)] : [])));

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
