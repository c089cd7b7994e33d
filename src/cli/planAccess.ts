import type * as z from 'zod';
import { english } from '../base/localize.ts';
import { describeAccess } from '../changes/messages/describeAccess.ts';
import type { ComparedProject } from '../project/access/itemsAfterApply.ts';
import type { NewlyVisiblePart, NewlyVisibleItems } from '../project/access/newlyVisible.ts';
import { getProjectAccess } from '../project/access/projectAccess.ts';
import { formatItemKey } from '../project/item.ts';
import {
  describeChangedViewpoint,
  describeNewlyVisible,
  summarizeNewlyVisible,
} from '../project/access/newlyVisibleTexts.ts';
import { restrictsAnyone } from '../security/ruleEffect.ts';
import { toAccessRows, toUncheckedTexts } from './accessRows.ts';
import { formatCliError } from './errorMessages.ts';
import type { planOutputSchema } from './planOutputSchema.ts';
import type { PlanEffects } from './projectPlan.ts';

type AccessOutput = z.infer<typeof planOutputSchema>['access'];

/**
 * Describes who gains and who loses access through a plan. What becomes visible, such as a new table, is described by
 * the rules that restrict it: nobody had access to it before.
 */
export function createAccessOutput(loaded: ComparedProject, effects: PlanEffects | undefined): AccessOutput {
  const { existing, deletesData, isPartlyUnknown, newlyVisible, deferredRulesCount } = getProjectAccess(
    loaded,
    effects?.access,
    english,
  );
  const { writes, deferred } = loaded.prepared.compiled;
  if (writes.length === 0 && deferred.length > 0 && !isPartlyUnknown) {
    // The plan of the later apply will contain its effects on access.
    return {
      summary: 'None of this is in this apply. Access stays the same until the next apply.',
      rows: [],
      newTables: [],
      unchecked: [],
    };
  }
  const { newTables } = newlyVisible;
  const hasUnknownAccess = isPartlyUnknown || effects?.accessError !== undefined;
  const access = describeAccess(existing ?? { subjects: [], partyNames: new Map() }, english, {
    deletesData,
    isPartlyUnknown: hasUnknownAccess,
    newlyVisible: [
      ...(newTables.length === 0 ? [] : [summarizeNewTables(newTables)]),
      ...summarizeDeferredRules(deferredRulesCount, newTables.length),
      ...summarizeNewlyVisible(newlyVisible, english),
    ],
  });
  return {
    summary: [
      access.summary,
      ...(effects?.plan.unchecked.includes('cubeSets') === true
        ? ["Rules of cube sets weren't checked."]
        : []),
    ].join(' '),
    ...(hasUnknownAccess ? { partlyUnknown: true as const } : {}),
    rows: toAccessRows(access),
    newTables: newTables.map(({ key, restrictions }) => ({
      item: formatItemKey(key),
      rules: restrictions.map(({ text }) => text),
    })),
    ...toNewlyVisibleOutput(newlyVisible),
    unchecked: [
      ...(effects?.accessError === undefined
        ? []
        : [`who gains or loses access. ${formatCliError(effects.accessError)}`]),
      ...toUncheckedTexts(access.unchecked),
      ...(effects?.plan.unchecked ?? []).map((part) => uncheckedTexts[part]),
    ],
    ...(access.untilBuild.length === 0 ? {} : { untilBuild: toUncheckedTexts(access.untilBuild) }),
  };
}

function toNewlyVisibleOutput({
  inExistingTables,
  viewpoints,
}: NewlyVisibleItems): Pick<AccessOutput, 'newlyVisible'> {
  const newlyVisible: NonNullable<AccessOutput['newlyVisible']> = [
    ...inExistingTables.map((visible) => ({
      item: formatItemKey(visible.key),
      ...(visible.column === undefined ? {} : { column: visible.column }),
      reason: visible.reason,
      text: describeNewlyVisible(visible, english).join('; '),
      rules: visible.restrictions.map(({ text }) => text),
    })),
    ...viewpoints.map((viewpoint) => ({
      item: formatItemKey(viewpoint.key),
      reason: 'details' as const,
      text: describeChangedViewpoint(viewpoint, english),
      rules: [],
    })),
  ];
  return newlyVisible.length === 0 ? {} : { newlyVisible };
}

const uncheckedTexts = {
  datamodel: 'the datamodel, so some items might break.',
  rules: 'the data security rules, so some items might break.',
  viewpoints: 'the viewpoints, so some items might break.',
  cubeSets:
    'rules of cube sets, because the project manages no cube sets and the API can\'t list them. If a cube set has rules on a former or deleted name, they no longer restrict anything. If it has rules that depend on changed data, who sees what might change. If the instance has cube sets, list them as "cubeSets" in datamodel-studio.json.',
} as const;

/** Returns a sentence with how many of the new tables are restricted by rules, and who sees the others. */
function summarizeNewTables(newTables: readonly NewlyVisiblePart[]): string {
  const count = newTables.length;
  const [restricted, partlyRestricted, unrestricted] = [
    newTables.filter(({ effect }) => effect.restrictsEveryoneElse),
    newTables.filter(({ effect }) => !effect.restrictsEveryoneElse && effect.restrictsNamedParties),
    newTables.filter(({ effect }) => !restrictsAnyone(effect)),
  ];
  const head = count === 1 ? '1 new table:' : `${count} new tables:`;
  const pronoun = count === 1 ? 'it' : 'them';
  if (restricted.length === count) {
    return `${head} rules restrict who sees ${pronoun}.`;
  }
  if (partlyRestricted.length === count) {
    return `${head} rules restrict only some users and groups, so everyone else ${describeVisibility(partlyRestricted)} ${pronoun}.`;
  }
  if (unrestricted.length === count) {
    return `${head} ${describeUnrestrictedTables(unrestricted)}, so everyone ${describeVisibility(unrestricted)} ${pronoun}.`;
  }
  const groups = [
    ...(restricted.length === 0 ? [] : [`${restricted.length} restricted by rules`]),
    ...(partlyRestricted.length === 0
      ? []
      : [`${partlyRestricted.length} restricted only for some users and groups`]),
    ...(unrestricted.length === 0
      ? []
      : [
          `${unrestricted.length} ${describeUnrestrictedTables(unrestricted)}, which everyone ${describeVisibility(unrestricted)}`,
        ]),
  ];
  return `${head} ${groups.slice(0, -1).join(', ')}, and ${groups.at(-1)}.`;
}

const describeVisibility = (tables: readonly NewlyVisiblePart[]): string =>
  `with access to the datamodel ${tables.some(({ effect }) => effect.isUncertain) ? 'might' : 'will'} see`;

function describeUnrestrictedTables(tables: readonly NewlyVisiblePart[]): string {
  const pronoun = tables.length === 1 ? 'it' : 'them';
  const restrictions = tables.flatMap((table) => table.restrictions);
  const restricting = tables.some(({ effect }) => effect.isUncertain)
    ? ` that are certain to restrict ${pronoun}`
    : restrictions.some(({ isDeferred }) => !isDeferred)
      ? ` that restrict ${pronoun}`
      : '';
  // Rules that a later apply has to write don't restrict the table until then.
  return `without rules${restricting}${restrictions.some(({ isDeferred }) => isDeferred) ? ' in this apply' : ''}`;
}

/** Counts the new tables whose rules a later apply has to write: until then, everyone sees all of their rows. */
const summarizeDeferredRules = (count: number, newTableCount: number): readonly string[] =>
  count === 0
    ? []
    : [
        `${newTableCount === 1 ? 'It has' : count === 1 ? '1 of them has' : `${count} of them have`} rules that aren't in this apply.`,
      ];
