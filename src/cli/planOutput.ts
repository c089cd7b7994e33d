import type * as z from 'zod';
import { english } from '../base/localize.ts';
import { formatBreak } from '../changes/messages/formatBreak.ts';
import type { PlanSubject } from '../changes/model/plan.ts';
import type { ApplyProblem, ApplyProblemCode, DeferralReason } from '../project/apply/problems.ts';
import { type ItemKey, formatItemKey } from '../project/item.ts';
import type { DifferenceNote, DifferenceNoteCode, ItemChange } from '../project/plan/itemChange.ts';
import { getPartName } from '../project/pull/parts.ts';
import { hashCurrentParts } from '../project/plan/planHash.ts';
import { type planOutputSchema, outputVersion, toInstanceOutput } from './outputs.ts';
import type { LoadedPlan, PlanEffects } from './projectPlan.ts';
import { createAccessOutput } from './planAccess.ts';
import { getPrunedInstanceKindNames } from './prunedKinds.ts';
import { getUnknowns, noViewpointService } from './pullResult.ts';

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
  const changes = comparison.changes.map((change) => toChangeOutput(change, paths));
  const count = (action: ItemChange['action']): number =>
    comparison.changes.filter((change) => change.action === action).length;
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
      delete: count('delete') + getDeletedColumns(changes).length,
      unchanged: comparison.unchangedCount,
      requests: compiled.writes.length,
    },
    changes,
    extras: comparison.extras.map(({ key, column }) => ({
      item: formatItemKey(key),
      ...(column === undefined ? {} : { column }),
    })),
    notes: [...comparison.notes.map(toNoteOutput), ...(reading.offersViewpoints ? [] : [viewpointNote])],
    deferred: compiled.deferred.map(({ key, reason }) => ({
      item: formatItemKey(key),
      reason,
      text: deferralTexts[reason],
    })),
    problems: distinct(compiled.problems.map(toProblemOutput)),
    unknown,
    breaks: (effects?.plan.breaks ?? []).map((breakage) => ({
      item: formatSubject(breakage.referrer),
      text: formatBreak(breakage, english),
    })),
    access: createAccessOutput(loaded, effects),
    builds: (effects?.plan.builds ?? []).map(({ title, type }) => ({ datamodel: title, type })),
  };
}

/** Returns the columns that are deleted from tables that stay, as paths below the items of the tables. */
export const getDeletedColumns = (changes: PlanOutput['changes']): readonly string[] =>
  changes.flatMap(({ action, item, parts }) =>
    action === 'update'
      ? parts.flatMap(({ pointer, after }) =>
          pointer.startsWith('/columns/') && after === undefined ? [`${item}${pointer}`] : [],
        )
      : [],
  );

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

const viewpointNote: PlanOutput['notes'][number] = {
  code: 'no-viewpoint-service',
  severity: 'information',
  item: 'viewpoints',
  pointer: '',
  text: noViewpointService,
};

const toNoteOutput = (note: DifferenceNote): PlanOutput['notes'][number] => ({
  code: note.code,
  severity:
    note.code === 'former-name-missing' || note.code === 'former-name-in-use' ? 'warning' : 'information',
  item: formatItemKey(note.key),
  pointer: note.pointer,
  text: noteTexts[note.code](note),
});

const noteTexts: Readonly<Record<DifferenceNoteCode, (note: DifferenceNote) => string>> = {
  'not-writable': () => 'No request of the platform can set it.',
  connection: () => 'Connections of existing datasets are not changed.',
  'generated-column': () => 'The next build creates it from the SQL of the table.',
  'former-name': () => 'The instance has both the former and the new name, so nothing is renamed.',
  'former-name-missing': (note) =>
    `${formatFormerName(note)} was not found on the instance. ${formatCreation(note)}`,
  'former-name-in-use': (note) =>
    `${formatFormerName(note)} belongs to another item of the project. ${formatCreation(note)}`,
  'first-apply': () => 'It is created here, so there is nothing to rename.',
};

const formatFormerName = ({ formerName = '' }: DifferenceNote): string =>
  `The former name ${JSON.stringify(formerName)}`;

/** Says what is created under the new name: the item of a note, or the column that its pointer names. */
function formatCreation({ key, pointer }: DifferenceNote): string {
  const column = /^\/columns(\/[^/]+)/.exec(pointer)?.[1];
  const [kind, name] =
    column !== undefined
      ? ['column', getPartName(column)]
      : key.kind === 'table'
        ? ['table', key.table]
        : ['viewpoint', key.kind === 'viewpoint' ? key.viewpoint : ''];
  return `${JSON.stringify(name)} will be created as a new ${kind}.`;
}

const deferralTexts: Readonly<Record<DeferralReason, string>> = {
  'generated-column': 'It needs a column that the next build creates. Build, then apply again.',
  'rules-need-build':
    'The instance takes rules of a datamodel after its first build. Build it before you share it, then apply again.',
  'renames-first':
    'Columns with rules are renamed first, so that no one sees more in between. Then apply again.',
};

const problemTexts: Readonly<Record<ApplyProblemCode, (name: string, key: ItemKey) => string>> = {
  'unknown-party': (name) => `Not found on the instance: ${name}`,
  'ambiguous-party': (name) => `The instance has several with the same name: ${name}`,
  'unbound-party': (name) =>
    `The lock file of the environment does not know ${name}. Pull from the instance first.`,
  'unknown-reference': (name) => `Neither the instance nor the project has ${name}.`,
  'unmapped-connection': (name, key) =>
    `The new dataset ${name} needs a connection: "connections": {${JSON.stringify('datamodel' in key ? key.datamodel : '')}: {${JSON.stringify(name)}: {…}}} in the file of the environment.`,
  'masked-secret': (name) =>
    `${name} contains a masked secret, which would replace the secret on the instance.`,
  'missing-id': (name) => `The new table ${name} needs "id", its name in the data source.`,
  'fixed-title': (name) => `On the instance, the datamodel is called ${name}, and titles can't be changed.`,
  'dataset-in-use': (name) => `The dataset ${name} has tables that are not deleted. Add tables to --prune.`,
  'table-in-use': (name) => `The table ${name} is to be deleted, and this relation of the project needs it.`,
  'rules-on-new-name': (name) =>
    `The instance has rules on ${name} already, which would take effect with the rename. Delete them first.`,
  'filter-mismatch': (name) =>
    `The content of ${name} doesn't match its filter in datamodel-studio.json, so it would never be found again.`,
  'missing-datamodel': (name) => `Neither the instance nor the project has the datamodel ${name}.`,
};

const toProblemOutput = ({ code, key, name }: ApplyProblem): PlanOutput['problems'][number] => ({
  code,
  item: formatItemKey(key),
  text: problemTexts[code](name, key),
});
