import type * as z from 'zod';
import { english } from '../base/localize.ts';
import { describeAccess } from '../changes/messages/describeAccess.ts';
import { formatBreak } from '../changes/messages/formatBreak.ts';
import type { PlanSubject } from '../changes/model/plan.ts';
import type { ApplyProblem } from '../project/apply/problems.ts';
import { formatItemKey } from '../project/item.ts';
import { describeApplyProblem, describeDeferral, describeDifference } from '../project/messages/planTexts.ts';
import type { ItemChange } from '../project/plan/itemChange.ts';
import { hashCurrentParts } from '../project/plan/planHash.ts';
import { formatCliError } from './errorMessages.ts';
import { type planOutputSchema, outputVersion, toInstanceOutput } from './outputs.ts';
import type { LoadedPlan, PlanEffects } from './projectPlan.ts';
import { getPrunedInstanceKindNames } from './prunedKinds.ts';
import { getUnknowns } from './pullResult.ts';

export type PlanOutput = z.infer<typeof planOutputSchema>;

/** Creates the output of a plan for programs, from which the other formats are derived. */
export function createPlanOutput(loaded: LoadedPlan, effects: PlanEffects | undefined): PlanOutput {
  const { target, project, prepared, reading, options, hash } = loaded;
  const { comparison, compiled, pulled, hidden } = prepared;
  const paths = new Map(project.items.map(({ key, path }) => [formatItemKey(key), path]));
  const unknown = [
    ...getUnknowns({ unread: reading.unread, pulled, project }),
    ...hidden.map((key) => ({
      what: formatItemKey(key),
      problem: 'On the instance, it has a name that the project does not manage.',
    })),
  ];
  const count = (action: ItemChange['action']): number =>
    comparison.changes.filter((change) => change.action === action).length;
  const access = effects?.access === undefined ? undefined : describeAccess(effects.access, english);
  const names = ['gains', 'changes', 'loses'] as const;
  return {
    version: outputVersion,
    command: 'plan',
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
    hash,
    prune: getPrunedInstanceKindNames(options.prunedKinds),
    limits: options.limits,
    counts: {
      create: count('create'),
      update: count('update'),
      delete: count('delete'),
      unchanged: comparison.unchangedCount,
      requests: compiled.writes.length,
    },
    changes: comparison.changes.map((change) => toChangeOutput(change, paths)),
    extras: comparison.extras.map(({ key, column }) => ({
      item: formatItemKey(key),
      ...(column === undefined ? {} : { column }),
    })),
    notes: comparison.notes.map(({ code, key, pointer }) => ({
      code,
      item: formatItemKey(key),
      pointer,
      text: describeDifference(english, code),
    })),
    deferred: compiled.deferred.map(({ key, reason }) => ({
      item: formatItemKey(key),
      reason,
      text: describeDeferral(english, reason),
    })),
    problems: distinct(compiled.problems.map(toProblemOutput)),
    unknown,
    breaks: (effects?.plan.breaks ?? []).map((breakage) => ({
      item: formatSubject(breakage.referrer),
      text: formatBreak(breakage, english),
    })),
    access: {
      summary:
        access?.summary ??
        (effects?.accessError === undefined
          ? 'No one gains or loses access.'
          : 'Who gains access is unknown.'),
      rows: (access?.sections ?? []).flatMap(({ items }, index) =>
        items.map(({ text, detail = '' }) => ({
          effect: names[index] ?? 'changes',
          party: text,
          text: detail,
        })),
      ),
      unchecked: [
        ...(effects?.accessError === undefined
          ? []
          : [`Who gains or loses access: ${formatCliError(effects.accessError)}`]),
        ...(access?.unchecked ?? []).map(({ text, detail = '' }) => `${text}: ${detail}`),
        ...(effects?.plan.unchecked ?? []).map((part) => uncheckedTexts[part]),
      ],
    },
    builds: (effects?.plan.builds ?? []).map(({ title, type }) => ({ datamodel: title, type })),
  };
}

function toChangeOutput(
  { action, key, from, parts, isChangedOnServer }: ItemChange,
  paths: ReadonlyMap<string, string>,
): PlanOutput['changes'][number] {
  const item = formatItemKey(key);
  const path = paths.get(item);
  return {
    action,
    item,
    ...(from === undefined ? {} : { from: formatItemKey(from) }),
    ...(path === undefined ? {} : { path }),
    changedOnServer: isChangedOnServer,
    pin: hashCurrentParts(parts),
    parts: parts.map(({ pointer, before, after }) => ({
      pointer,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    })),
  };
}

const distinct = <Item>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];

const formatSubject = ({ kind, name, within }: PlanSubject): string =>
  [...within, name === '' ? kind : name].join(' › ');

const uncheckedTexts = {
  datamodel: 'The datamodel could not be checked for what might break.',
  rules: 'The data security rules could not be checked for what might break.',
  viewpoints: 'The viewpoints could not be checked for what might break.',
} as const;

const toProblemOutput = ({ code, key, name }: ApplyProblem): PlanOutput['problems'][number] => ({
  code,
  item: formatItemKey(key),
  text: describeApplyProblem(english, { code, key, name }),
});
