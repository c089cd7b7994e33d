import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonObject, stringify } from '../../../../src/base/json.ts';
import { type ItemKey, formatItemKey } from '../../../../src/project/item.ts';
import type { PullPlan } from '../../../../src/project/pull/planPull.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { PulledProject, createRetailDocuments, paths } from './pullSupport.ts';

/** The names that a column has at some time on one of the sides. Rules may be on all of them. */
const names = ['Customers', 'Clients', 'Persons'].flatMap((table) =>
  ['Region', 'Area', 'Zone', 'Id'].map((column) => ({ table, column })),
);
type ColumnName = (typeof names)[number];

/** The new names of a table and of a column of it, if they are renamed. */
interface Renames {
  readonly table: string | undefined;
  readonly column: string | undefined;
}

const cubeSet = 'All';
const noRenames: Renames = { table: undefined, column: undefined };

const formatName = ({ table, column }: ColumnName): string => `${table}.${column}`;

const rename = ({ table, column }: ColumnName, to: Renames): ColumnName => ({
  table: table === 'Customers' ? (to.table ?? table) : table,
  column: column === 'Region' ? (to.column ?? column) : column,
});

/** For each name, what is on it: with the same probability, nothing, or one of the states. */
const onNames = <const T>(...states: readonly T[]) =>
  fc.array(fc.option(fc.constantFrom(...states), { nil: undefined, freq: 2 }), {
    minLength: names.length,
    maxLength: names.length,
  });

interface InstanceRules {
  readonly name: ColumnName;
  /** A member that no other rules have, except for those on the same name at another time. */
  readonly member: string;
  readonly isConverted: boolean;
}

const createRules = (states: readonly (string | undefined)[]): readonly InstanceRules[] =>
  names.flatMap((name, index) => {
    const state = states[index];
    return state === undefined
      ? []
      : [{ name, member: `${formatName(name)} ${state}`, isConverted: state !== 'unknown-party' }];
  });

/** Returns an instance with rules on its datamodel, or on a cube set. */
function createDocuments(rules: readonly InstanceRules[], to: Renames, isCubeSet: boolean) {
  const documents: readonly JsonObject[] = rules.map(({ name, member, isConverted }) => ({
    ...name,
    members: [member],
    shares: isConverted ? [] : [{ party: '1', type: 'robot' }],
  }));
  const replacements = [
    ['"Customers"', `"${rename({ table: 'Customers', column: '' }, to).table}"`],
    ['"name":"Region"', `"name":"${rename({ table: '', column: 'Region' }, to).column}"`],
  ] as const;
  return isCubeSet
    ? { ...createRetailDocuments(replacements, []), cubeSets: [{ name: cubeSet, rules: documents }] }
    : createRetailDocuments(replacements, documents);
}

const createKey = (name: ColumnName, isCubeSet: boolean): ItemKey =>
  isCubeSet ? { kind: 'cubeSetRules', cubeSet, ...name } : { kind: 'rules', datamodel: 'Retail', ...name };

const createPath = (name: ColumnName, isCubeSet: boolean): string =>
  `${isCubeSet ? `cube-sets/${cubeSet}` : 'datamodels/Retail'}/rules/${formatName(name)}.rules.json`;

const createText = (name: ColumnName, members: readonly string[], isCubeSet: boolean): string =>
  stringify([{ ...(isCubeSet ? { cubeSet } : {}), ...name, members, allMembers: null, shares: [] }]);

/** Renames in the files of a project, and changes their rules. */
function changeProject(
  { texts, ...project }: PulledProject,
  to: Renames,
  states: readonly (string | undefined)[],
  isCubeSet: boolean,
): PulledProject {
  const changed = new PulledProject(texts, project.lock);
  if (to.table !== undefined) {
    changed.edit(paths.customers, '"name": "Customers"', `"name": "${to.table}", "renamedFrom": "Customers"`);
  }
  if (to.column !== undefined) {
    changed.edit(paths.customers, '"name": "Region"', `"name": "${to.column}", "renamedFrom": "Region"`);
  }
  names.forEach((name, index) => {
    const [state, path] = [states[index], createPath(name, isCubeSet)];
    const text = texts.get(path);
    if (state === 'moved' && text !== undefined) {
      const newName = rename(name, to);
      changed.texts.delete(path);
      changed.texts.set(
        createPath(newName, isCubeSet),
        text
          .replace(`"table": "${name.table}"`, `"table": "${newName.table}"`)
          .replace(`"column": "${name.column}"`, `"column": "${newName.column}"`),
      );
    } else if (state === 'deleted') {
      changed.texts.delete(path);
    } else if (state === 'changed') {
      changed.texts.set(path, createText(name, ['Ours'], isCubeSet));
    }
  });
  return changed;
}

/** Removes the entries of rules from the lock, as if no pull had seen them. */
function forgetRules(project: PulledProject, states: readonly (string | undefined)[], isCubeSet: boolean) {
  const entries = new Map(project.lock.entries);
  names.forEach((name, index) => {
    if (states[index] !== undefined) {
      entries.delete(formatItemKey(createKey(name, isCubeSet)));
    }
  });
  project.lock = { ...project.lock, entries };
}

/** Returns whether something that a pull reports names rules of the instance. */
function isNamed(
  { conflicts, leftOutItems, localChanges }: PullPlan,
  { name, member }: InstanceRules,
  {
    keys,
    isSeen,
    movedTo,
  }: {
    readonly keys: readonly string[];
    readonly isSeen: boolean;
    readonly movedTo: string | undefined;
  },
): boolean {
  return (
    conflicts.some(({ theirs }) => stringify(theirs ?? null).includes(`"${member}"`)) ||
    leftOutItems.some(
      ({ key, columns }) =>
        keys.includes(formatItemKey(key)) && (columns.length === 0 || columns.includes(formatName(name))),
    ) ||
    // Rules that were moved on the instance are pulled together with their table.
    [...conflicts, ...leftOutItems].some(({ key }) => key.kind === 'table' && key.table === movedTo) ||
    // What the project has changed or deleted since the last pull.
    (isSeen && localChanges.some(({ key }) => keys.includes(formatItemKey(key))))
  );
}

/** What has happened to the rules on each of the names, and how their column was renamed. */
interface Scenario {
  readonly isCubeSet: boolean;
  /** The rules that a pull has brought in. */
  readonly seen: readonly (string | undefined)[];
  /** The rules that the lock no longer has. */
  readonly forgotten: readonly (string | undefined)[];
  readonly inProject: readonly (string | undefined)[];
  /** The rules of the instance. */
  readonly current: readonly (string | undefined)[];
  readonly toInProject: Renames;
  readonly toOnInstance: Renames;
  readonly winner: 'ours' | 'theirs' | undefined;
}

/** Returns the rules of the instance that are in no file after a pull, and that nothing in what it reports names. */
function findLostRules({
  isCubeSet,
  seen,
  forgotten,
  inProject,
  current,
  toInProject,
  toOnInstance,
  winner,
}: Scenario): readonly InstanceRules[] {
  const pulledProject = new PulledProject();
  const seenRules = createRules(seen);
  pulledProject.pull(createDocuments(seenRules, noRenames, isCubeSet));
  forgetRules(pulledProject, forgotten, isCubeSet);
  const project = changeProject(pulledProject, toInProject, inProject, isCubeSet);
  const rules = createRules(current);
  const instance = createDocuments(rules, toOnInstance, isCubeSet);
  const plans = [
    // The project can only win a conflict that an earlier pull has reported.
    ...(winner === 'ours' ? [project.copy().pull(instance)] : []),
    project.pull(instance, { getWinner: () => winner }),
  ];
  expect(project.problems).toEqual([]);
  const texts = [...project.texts.values()];
  return rules.filter((rule) => {
    const { name, member, isConverted } = rule;
    const keys = [name, rename(name, toInProject)].map((other) => formatItemKey(createKey(other, isCubeSet)));
    const from = seenRules.find((other) => formatName(rename(other.name, toOnInstance)) === formatName(name));
    const movedTo = from !== undefined && from.name !== name ? name.table : undefined;
    const isSeen = seenRules.some((other) => other.member === member);
    return (
      isConverted &&
      !texts.some((text) => text.includes(`"${member}"`)) &&
      !plans.some((plan) => isNamed(plan, rule, { keys, isSeen, movedTo }))
    );
  });
}

test('all rules of the instance are in a file after a pull, or in what the pull reports', () => {
  fc.assert(
    fc.property(
      fc.record({
        isCubeSet: fc.boolean(),
        seen: onNames('North', 'South'),
        forgotten: onNames('forgotten'),
        inProject: onNames('moved', 'deleted', 'changed'),
        // No file can have rules for an unknown type of party.
        current: onNames('North', 'South', 'unknown-party'),
        toInProject: fc.record({
          table: fc.constantFrom(undefined, 'Clients'),
          column: fc.constantFrom(undefined, 'Area'),
        }),
        toOnInstance: fc.record({
          table: fc.constantFrom(undefined, undefined, 'Clients', 'Persons'),
          column: fc.constantFrom(undefined, undefined, 'Area', 'Zone'),
        }),
        winner: fc.constantFrom(undefined, 'ours' as const, 'theirs' as const),
      }),
      (scenario) => {
        expect(findLostRules(scenario)).toEqual([]);
      },
    ),
    { numRuns: getPropertyRuns(150) },
  );
});

test('rules that the project has deleted are reported with the former name of a table that both sides have renamed', () => {
  const on = (state: string, ...chosen: readonly string[]) =>
    names.map((name) => (chosen.includes(formatName(name)) ? state : undefined));
  const lost = findLostRules({
    isCubeSet: false,
    seen: on('North', 'Customers.Region', 'Clients.Region', 'Clients.Area'),
    forgotten: on('forgotten', 'Clients.Region'),
    // The rules that are moved to Clients.Area are overwritten by those that are already there.
    inProject: on('moved', 'Customers.Region', 'Clients.Area'),
    current: on('North', 'Customers.Region'),
    toInProject: { table: 'Clients', column: 'Area' },
    toOnInstance: { table: 'Persons', column: undefined },
    winner: undefined,
  });
  expect(lost).toEqual([]);
});
