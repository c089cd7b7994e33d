import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Plan } from '../../../../src/changes/model/plan.ts';
import type { UndoForReview } from '../../../../src/changes/run/planUndoForReview.ts';

const loadModules = async () => ({
  ...(await import('../../../../src/features/plan/describePlan.ts')),
  ...(await import('../../../../src/features/plan/describeUndo.ts')),
});
let modules: Awaited<ReturnType<typeof loadModules>>;

beforeAll(async () => {
  vi.resetModules();
  vi.doMock('vscode', () => ({
    l10n: {
      t: (text: string, ...args: readonly unknown[]) =>
        text.replace(/\{(\d+)\}/g, (_, index: string) => String(args[Number(index)])),
    },
  }));
  modules = await loadModules();
});

afterAll(() => {
  vi.doUnmock('vscode');
  vi.resetModules();
});

const createPlan = (fields: Partial<Plan> = {}): Plan =>
  ({
    operation: { cause: 'apply', subject: { name: 'analytics', within: [] }, writes: [{}] },
    severity: 'unchecked',
    created: [],
    changed: [],
    deleted: [],
    breaks: [],
    builds: [],
    unchecked: [],
    ...fields,
  }) as unknown as Plan;

test('a plan that lacks the rules of cube sets says what to do', () => {
  const { view } = modules.describePlan(
    createPlan({ unchecked: ['viewpoints', 'cubeSets'] }),
    undefined,
    undefined,
  );
  expect(
    view.sections.find(({ title }) => title === 'Not checked')?.items.map(({ detail }) => detail),
  ).toEqual([
    'some items might break',
    'some items might break · If the instance has cube sets, add them to the connection with Add Cube Set…, or list them as "cubeSets" in datamodel-studio.json.',
  ]);
});

test('an undo says of rules, and not of their column, that they get new IDs', () => {
  const undo = {
    operation: { writes: [{}] },
    laterChanges: [],
    nameConflicts: [],
    losses: [
      { code: 'new-id', name: 'Stores' },
      { code: 'new-rule-id', name: 'Orders.Status' },
      { code: 'bookmarks', name: 'Margins' },
    ],
  } as unknown as UndoForReview;
  const { view } = modules.describeUndo(
    { undo, plan: createPlan(), access: undefined },
    { title: 'Undo', action: 'undo', note: '' },
    undefined,
  );
  expect(view.footnotes).toEqual(['New IDs are assigned to: Stores, rules on Orders.Status']);
  expect(view.sections.map(({ title, count }) => [title, count])).toEqual([["Can't be restored", 1]]);
});

test('a rollback says which parts of the change stay, and lists what breaks because of that', () => {
  const column = (name: string) => ({ kind: 'column', name, within: ['Retail', 'Customers'] });
  const undo = {
    operation: { writes: [{}] },
    laterChanges: [
      {
        id: 'customers',
        kind: 'table',
        name: 'Customers',
        within: [],
        isGone: false,
        fields: [{ field: 'columns.Secret', after: '[Last Name]' }],
        keptParts: [
          {
            subject: column('Segment'),
            action: 'changed',
            fields: [{ field: 'name', before: 'Segment', after: 'Tier' }],
          },
          {
            subject: column('Full Name'),
            action: 'changed',
            fields: [{ field: 'expression', before: 'a', after: 'b', texts: { before: 'a', after: 'b' } }],
          },
          { subject: column('Age'), action: 'created', fields: [] },
          { subject: column('Fax'), action: 'deleted', fields: [] },
        ],
        canOverwrite: true,
        isOverwritten: false,
      },
    ],
    nameConflicts: [],
    losses: [],
    keptEffects: {
      breaks: [
        {
          referrerKind: 'viewpoint',
          referrer: { kind: 'viewpoint', name: 'Margins', within: [] },
          names: { table: 'Customers', column: 'Segment' },
          reason: 'missing',
        },
      ],
      unchecked: ['rules'],
    },
  } as unknown as UndoForReview;
  const { view } = modules.describeUndo(
    { undo, plan: createPlan({ severity: 'harmless' }), access: undefined },
    { title: 'Roll Back', action: 'roll-back', note: '' },
    undefined,
  );
  expect(view.laterChanges?.[0]?.lines).toEqual([
    'columns.Secret: none → [Last Name]',
    'If you keep this, these parts of the change stay, too: Segment (name: Segment → Tier), Full Name (expression), Age (new), and Fax (deleted).',
  ]);
  expect(view.sections.map(({ title, items }) => [title, items.map(({ text }) => text)])).toEqual([
    ['Will break', ['Margins']],
    ['Not checked', ['The data security rules']],
  ]);
  expect(view.tone).toBe('error');
  expect(view.applyLabel).toBe('Roll Back Anyway');
});
