import { describe, expect, test } from 'vitest';
import { createCellEditOperation } from '../../../../src/changes/operations/ruleMatrixActions.ts';
import type { JsonValue } from '../../../../src/base/json.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { parseMatrixCell, getValueKey } from '../../../../src/security/matrix/cellText.ts';
import {
  getCurrentCell,
  type CellChange,
  emptyDraft,
  getCellEditKey,
  type MatrixDraft,
  withCells,
} from '../../../../src/security/matrix/matrixDraft.ts';
import {
  getCellKey,
  getMatrixColumnKey,
  type MatrixColumn,
  type MatrixParty,
  toMatrixParty,
  type RuleMatrix,
  createRuleMatrix,
} from '../../../../src/security/matrix/ruleMatrix.ts';
import { hashDocument } from '../../../../src/changes/model/documentHash.ts';
import { ConflictError, type OperationReport } from '../../../../src/changes/run/writeErrors.ts';
import { people } from '../../../../src/sandbox/seeds/people.ts';
import { sandboxProfile } from '../../../support/profile.ts';
import { SandboxUserFixture, testLocation } from '../../../support/sandboxUserFixture.ts';

/** The user whose changes of cells are applied to a sandbox over a real socket. */
const person = new SandboxUserFixture();

const getRules = (subject: RuleSubject): Promise<JsonValue | undefined> =>
  person.readDocument({ kind: 'rules', subject });

async function getMatrix(subject: RuleSubject): Promise<RuleMatrix> {
  return createRuleMatrix((await getRules(subject)) as readonly unknown[]);
}

/** Returns the text of every cell by its key. */
const getCellTexts = ({ cells }: RuleMatrix): Readonly<Record<string, string>> =>
  Object.fromEntries([...cells].map(([key, { canonicalKey }]) => [key, canonicalKey]));

function createCellChange(party: MatrixParty, column: MatrixColumn, text: string): CellChange {
  const parsed = parseMatrixCell(text);
  if ('problem' in parsed) {
    throw new Error(parsed.problem);
  }
  return { party, column, value: parsed.value };
}

const createUserParty = (id: string): MatrixParty => toMatrixParty({ type: 'user', id });
/** People that no rule of the demo names. */
const peopleWithoutRules = [people.amara._id, people.bruno._id] as const;
const createColumn = (table: string, column: string): MatrixColumn => ({
  key: getMatrixColumnKey(table, column),
  table,
  column,
  datatype: 'text',
});

/** Applies a draft and compares every cell of the server with every cell of the draft. */
async function applyDraft(
  subject: RuleSubject,
  base: RuleMatrix,
  draft: MatrixDraft,
): Promise<OperationReport | undefined> {
  const expected = { ...getCellTexts(base) };
  for (const [key, { canonicalKey }] of draft.edits) {
    if (canonicalKey === '') {
      delete expected[key];
    } else {
      expected[key] = canonicalKey;
    }
  }
  const document = await getRules(subject);
  const operation = createCellEditOperation(testLocation, subject, document, [...draft.edits.values()]);
  if (typeof operation === 'string') {
    throw new Error(operation);
  }
  const hash = hashDocument('rules', document);
  const report = await person.perform(operation, {
    expectedVersions: [{ ref: { kind: 'rules', subject }, hash }],
  });
  const after = await getMatrix(subject);
  expect(getCellTexts(after)).toEqual(expected);
  expect(after.unplacedIndexes).toEqual(base.unplacedIndexes);
  return report;
}

describe.each([
  ['an extract datamodel', { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' }],
  ['a live datamodel', { kind: 'live', title: 'Support Desk' }],
  ['a cube set', { kind: 'extract', server: 'set', elasticube: 'Regional Sales' }],
] as const)('%s', (_name, subject) => {
  test('two rules in one cell are refused, and nothing is sent, if the server may overwrite one with the other', async () => {
    const base = await getMatrix(subject);
    const [column = createColumn('Other', 'Column')] = base.columns;
    const before = await getRules(subject);
    const twoRules = createCellChange(createUserParty(people.jonas._id), column, 'a | b');
    const refused = applyDraft(subject, base, withCells(emptyDraft, base, [twoRules]));
    await expect(refused).rejects.toMatchObject({ name: 'RuleChangeRefusedError', code: 'same-parties' });
    expect(await getRules(subject)).toEqual(before);
  });

  test('the rules match the cells after each change, and the original cells after undoing all', async () => {
    // From two existing rules for the same parties, the product concludes that this server does not overwrite rules.
    const duplicateRule = {
      table: 'Twice',
      column: 'There',
      datatype: 'text',
      members: ['x'],
      allMembers: null,
    };
    const shares = [{ type: 'user', [subject.kind === 'live' ? 'partyId' : 'party']: 'twice' }];
    for (let copy = 0; copy < (sandboxProfile === 'contract' ? 0 : 2); copy += 1) {
      await (subject.kind === 'live'
        ? person.client.liveRules.create(subject, [{ ...duplicateRule, shares }])
        : person.client.extractRules.create(subject, [{ ...duplicateRule, shares }]));
    }
    const base = await getMatrix(subject);
    const before = getCellTexts(base);
    const [firstColumn, secondColumn = createColumn('Other', 'Column')] = base.columns;
    if (firstColumn === undefined) {
      throw new Error('The demo has no rules here');
    }
    const isLive = subject.kind === 'live';
    const texts = [
      'Nothing',
      'All',
      '',
      'North; South',
      isLive ? 'x' : 'All but North',
      ...(sandboxProfile === 'contract' ? [] : ['a | b']),
      '\\.; 😀; a\\;b',
    ];
    const changesOfAllCells = [
      ...base.parties,
      createUserParty(peopleWithoutRules[0]),
      createUserParty(peopleWithoutRules[1]),
    ].flatMap((party, row) =>
      [firstColumn, secondColumn, createColumn('New', 'A/B [x]')].map((column, index) =>
        createCellChange(party, column, texts[(row + index) % texts.length] ?? ''),
      ),
    );
    const allCellsReport = await applyDraft(subject, base, withCells(emptyDraft, base, changesOfAllCells));
    expect(allCellsReport?.writeStates.every(({ state }) => state === 'done')).toBe(true);

    const changedMatrix = await getMatrix(subject);
    const [party = createUserParty(peopleWithoutRules[0])] = changedMatrix.parties.slice(1);
    const oneCellReport = await applyDraft(
      subject,
      changedMatrix,
      withCells(emptyDraft, changedMatrix, [
        createCellChange(createUserParty(peopleWithoutRules[1]), firstColumn, 'only me'),
      ]),
    );
    const cleared = await getMatrix(subject);
    const clearedCells = cleared.columns.map((column) => createCellChange(party, column, ''));
    const clearingReport = await applyDraft(subject, cleared, withCells(emptyDraft, cleared, clearedCells));

    for (const report of [clearingReport, oneCellReport, allCellsReport]) {
      const entry = await person.getHistoryEntry(report);
      const undo = await person.realWriter.writer.planUndo(entry);
      await person.perform(undo.operation, { undoneEntryId: entry.id, restoredIds: undo.restoredIds });
    }
    expect(getCellTexts(await getMatrix(subject))).toEqual(before);
  });
});

describe('a changed cell', () => {
  const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Marketing' } as const;

  test('replaces the content of its rule in one request, which keeps the ID', async () => {
    const base = await getMatrix(subject);
    const column = base.columns.find((each) => each.column === 'Region');
    const party = base.parties.find(
      ({ key }) => base.cells.get(getCellKey(key, column?.key ?? ''))?.canonicalKey === 'Alps; South',
    );
    if (column === undefined || party === undefined) {
      throw new Error('The demo has no such rule');
    }
    const draft = withCells(emptyDraft, base, [createCellChange(party, column, 'All but South')]);
    const report = await applyDraft(subject, base, draft);
    expect(report?.operation.writes.map(({ endpoint }) => endpoint)).toEqual(['extractRules.update']);
  });

  test("conflicts with another user's change of the same cell, so that nothing is sent, but not with a change of another cell", async () => {
    const base = await getMatrix(subject);
    const [firstColumn, secondColumn] = base.columns;
    if (firstColumn === undefined || secondColumn === undefined) {
      throw new Error('The demo has no such rule');
    }
    const outdatedDraft = withCells(emptyDraft, base, [
      createCellChange(createUserParty('me'), firstColumn, 'Nothing'),
    ]);
    await applyDraft(
      subject,
      base,
      withCells(emptyDraft, base, [createCellChange(createUserParty('me'), firstColumn, 'All')]),
    );
    expect(
      createCellEditOperation(testLocation, subject, await getRules(subject), [
        ...outdatedDraft.edits.values(),
      ]),
    ).toBe('conflict');

    const currentMatrix = await getMatrix(subject);
    const otherCellDraft = withCells(emptyDraft, currentMatrix, [
      createCellChange(createUserParty('me'), firstColumn, 'Nothing'),
    ]);
    await applyDraft(
      subject,
      currentMatrix,
      withCells(emptyDraft, currentMatrix, [
        createCellChange(createUserParty('them'), secondColumn, 'Nothing'),
      ]),
    );
    const document = await getRules(subject);
    const operation = createCellEditOperation(testLocation, subject, document, [
      ...otherCellDraft.edits.values(),
    ]);
    expect(operation).toBeTypeOf('object');
    const [edit] = [...otherCellDraft.edits.values()];
    const repeatedDraft = withCells(emptyDraft, await getMatrix(subject), edit === undefined ? [] : [edit]);
    await applyDraft(subject, await getMatrix(subject), repeatedDraft);
    expect(
      getCurrentCell(emptyDraft, await getMatrix(subject), edit === undefined ? '' : getCellEditKey(edit))
        .canonicalKey,
    ).toBe(getValueKey(edit?.value ?? []));
    expect(
      createCellEditOperation(testLocation, subject, await getRules(subject), [
        ...otherCellDraft.edits.values(),
      ]),
    ).toBe('unchanged');
  });

  test('is not written if the rules change after they were read', async () => {
    const document = await getRules(subject);
    const base = createRuleMatrix(document as readonly unknown[]);
    const [firstColumn] = base.columns;
    const draft = withCells(
      emptyDraft,
      base,
      firstColumn === undefined ? [] : [createCellChange(createUserParty('late'), firstColumn, 'All')],
    );
    const operation = createCellEditOperation(testLocation, subject, document, [...draft.edits.values()]);
    if (typeof operation === 'string') {
      throw new Error(`The cells are not changed: ${operation}`);
    }
    await person.client.extractRules.create(subject, [
      {
        table: 'Leads',
        column: 'Region',
        datatype: 'text',
        members: ['x'],
        allMembers: null,
        exclusionary: false,
        shares: [{ type: 'user', party: 'quick' }],
      },
    ]);
    const expected = [{ ref: { kind: 'rules', subject } as const, hash: hashDocument('rules', document) }];
    await expect(person.perform(operation, { expectedVersions: expected })).rejects.toBeInstanceOf(
      ConflictError,
    );
    expect(getCellTexts(await getMatrix(subject))).not.toHaveProperty(
      [getCellEditKey({ party: createUserParty('late'), column: firstColumn ?? createColumn('', '') })],
      'All',
    );
  });
});
