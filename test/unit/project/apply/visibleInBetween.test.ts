import { describe, expect, test } from 'vitest';
import type { PrunedKind } from '../../../../src/project/plan/compareProject.ts';
import { expectDefined } from '../../../support/expectations.ts';
import {
  type InstanceState,
  adoptState,
  createContent,
  findWiderAccess,
  readAccess,
  recordAccess,
} from './accessStates.ts';
import { UndoFixture } from './undoSupport.ts';

type ColumnState = InstanceState['tables'][0]['columns'][0];
type TableState = InstanceState['tables'][0];

interface TableParts extends Partial<Omit<TableState, 'columns' | 'members'>> {
  /** The columns K, L, and X. */
  readonly columns?: readonly Partial<ColumnState>[];
  /** The values that their rules show. */
  readonly members?: readonly TableState['members'][0][];
}

const createTableState = ({ columns = [], members = [], ...others }: TableParts): TableState => {
  const createColumnState = (index: number): ColumnState => ({
    exists: true,
    hidden: false,
    renamed: false,
    description: undefined,
    ...columns[index],
  });
  return {
    exists: true,
    hidden: false,
    renamed: false,
    accumulates: false,
    description: undefined,
    ...others,
    columns: [createColumnState(0), createColumnState(1), createColumnState(2)],
    members: [members[0], members[1], members[2]],
  };
};

/** @param relations 0 is a relation between A.L and B.L, 1 between A.X and B.X */
const createState = (
  tableA: TableParts,
  tableB: TableParts,
  relations: InstanceState['relations'] = [],
): InstanceState => ({
  tables: [createTableState(tableA), createTableState(tableB)],
  relations,
  viewpoints: [undefined, undefined],
});

const hiddenX = { columns: [{}, {}, { hidden: true }] };
const withoutX = { columns: [{}, {}, { exists: false }] };
const renamedK = { columns: [{ renamed: true }] };
const allKinds: readonly PrunedKind[] = ['table', 'column', 'relation', 'rules'];
const one = ['1'] as const;
const both = ['1', '2'] as const;

type Case = readonly [
  name: string,
  before: InstanceState,
  after: InstanceState,
  prunedKinds?: readonly PrunedKind[],
];

const cases: readonly Case[] = [
  [
    'a column is shown, and a column of a linked table is renamed and gets narrower rules',
    createState(hiddenX, { members: [both] }, [0]),
    createState({}, { ...renamedK, members: [one] }, [0]),
  ],
  [
    'a column is hidden, and a column of a linked table is renamed and gets wider rules',
    createState({ members: [one] }, {}, [0]),
    createState({ ...renamedK, members: [both] }, hiddenX, [0]),
  ],
  [
    'a column is deleted, and a column of a linked table is renamed and gets wider rules',
    createState({ members: [one] }, {}, [0]),
    createState({ ...renamedK, members: [both] }, withoutX, [0]),
  ],
  [
    'a column is hidden, one of a linked table is renamed and gets wider rules, and another relation is deleted',
    createState({ members: [one] }, {}, [0, 1]),
    createState({ ...renamedK, members: [both] }, hiddenX, [0]),
  ],
  [
    'a column is deleted, and its table is renamed and loses its rules',
    createState({}, { members: [undefined, ['2']] }),
    createState({}, { ...withoutX, renamed: true }),
  ],
  [
    'a column is deleted with its rules, and its table is renamed',
    createState({}, { members: [undefined, undefined, one] }),
    createState({}, { ...withoutX, renamed: true }),
  ],
  [
    'a column is shown, and the first rule of the datamodel is on a new table with a relation to its table',
    createState(hiddenX, { exists: false }),
    createState({}, { members: [one] }, [0]),
  ],
  [
    'a column is shown, and the first rule is on a new column of a linked table',
    createState(hiddenX, withoutX, [0]),
    createState({}, { members: [undefined, undefined, one] }, [0]),
  ],
  [
    'a hidden table is shown, and a column of it is deleted, without any rules',
    createState({}, { hidden: true }),
    createState({}, withoutX),
  ],
  [
    'a column is deleted, but not its rules, and a column of a linked table is deleted',
    createState({ members: [undefined, undefined, one] }, {}, [0]),
    createState(withoutX, withoutX, [0]),
    ['column'],
  ],
  [
    'a column is deleted, but not its rules, and a linked table is deleted',
    createState({ members: [undefined, undefined, one] }, {}, [0]),
    createState(withoutX, { exists: false }),
    ['column', 'table', 'relation'],
  ],
];

describe.each(['guide', 'contract'] as const)('on an instance of the profile %s', (profile) => {
  test.each(
    cases.map(([name, before, after, prunedKinds = allKinds]) => ({ name, before, after, prunedKinds })),
  )(
    'an apply and its undo show nothing in between that is visible neither before nor afterward: $name',
    async ({ before, after, prunedKinds }) => {
      using fixture = await UndoFixture.create(profile, { content: createContent(before), prunedKinds });
      await adoptState(fixture, after);
      expect((await fixture.load()).prepared.compiled).toMatchObject({ problems: [], deferred: [] });
      const accessBefore = readAccess(fixture);
      const duringApply = await recordAccess(fixture, () => fixture.apply());
      const accessAfter = readAccess(fixture);
      const entry = expectDefined(await fixture.readLatest());
      const duringUndo = await recordAccess(fixture, () => fixture.undo(entry));
      const [apply, undo] = [duringApply, duringUndo].map((during) =>
        during.flatMap((access) => findWiderAccess(access, accessBefore, accessAfter)),
      );
      expect({ apply, undo }).toEqual({ apply: [], undo: [] });
      expect(duringApply.length).toBeGreaterThan(1);
      expect(readAccess(fixture)).toEqual(accessBefore);
    },
  );
});
