import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { parseJournal } from '../../../../src/changes/journal/entry.ts';
import { asObject, getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { getPropertyRuns } from '../../../support/soak.ts';
import { ChangeFixture, getColumns, connectionId, createOperation } from '../run/support.ts';
import { runApproved } from './runApproved.ts';
import { readInstanceContent } from './instanceContent.ts';

const datamodelId = createSeedOid('Retail');
const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

/** Creates the writes of a user action on items that are picked from those that exist at the time. */
type ChangeCreator = (
  fixture: ChangeFixture,
  pick: <T>(from: readonly T[]) => T | undefined,
) => Promise<readonly Write[]>;

const readBaseTables = async (
  fixture: ChangeFixture,
): Promise<readonly { table: JsonObject; ids: Record<string, string> }[]> =>
  getObjects((await fixture.readObject({ kind: 'datamodel', datamodelId }))['datasets']).flatMap((dataset) =>
    getObjects(asObject(dataset['schema'])['tables'])
      .filter(({ type }) => type === 'base')
      .map((table) => ({
        table,
        ids: { datamodelId, datasetId: getText(dataset['oid']), tableId: getText(table['oid']) },
      })),
  );

const createTableUpdate = (ids: Record<string, string>, body: JsonObject): Write => ({
  endpoint: 'tables.update',
  params: ids,
  body,
  target: { kind: 'table', datamodelId, datasetId: ids['datasetId'] ?? '', tableId: ids['tableId'] ?? '' },
});

const changeCreators: readonly ChangeCreator[] = [
  async (fixture, pick) => {
    const picked = pick(await readBaseTables(fixture));
    return picked === undefined
      ? []
      : [createTableUpdate(picked.ids, { description: 'Changed', hidden: true })];
  },
  async (fixture, pick) => {
    const picked = pick(await readBaseTables(fixture));
    const droppedColumn = picked && pick(getColumns(picked.table));
    const columns = getColumns(picked?.table).filter((column) => column !== droppedColumn);
    return picked === undefined || columns.length === 0 ? [] : [createTableUpdate(picked.ids, { columns })];
  },
  async (fixture, pick) => {
    const picked = pick(await readBaseTables(fixture));
    const write = picked && createTableUpdate(picked.ids, {});
    return write?.target === undefined
      ? []
      : [{ endpoint: 'tables.delete', params: write.params, target: write.target }];
  },
  async (fixture, pick) => {
    const relation = pick(
      getObjects((await fixture.readObject({ kind: 'datamodel', datamodelId }))['relations']),
    );
    const relationId = getText(relation?.['oid']);
    const ids = { datamodelId, relationId };
    return relation === undefined
      ? []
      : [{ endpoint: 'relations.delete', params: ids, target: { kind: 'relation', ...ids } }];
  },
  async (fixture, pick) => {
    const rule = pick(getObjects(await fixture.read({ kind: 'rules', subject: retail })));
    const ruleId = getText(rule?.['_id']);
    return rule === undefined
      ? []
      : [
          {
            endpoint: 'extractRules.delete',
            params: { ruleId },
            target: { kind: 'rule', subject: retail, ruleId },
          },
        ];
  },
  async (fixture, pick) => {
    const viewpoint = pick((await fixture.client.viewpoints.list({ limit: 20 })).value.viewpoints);
    const ids = { viewpointId: viewpoint?.id ?? '' };
    const target = { kind: 'viewpoint', ...ids } as const;
    return viewpoint === undefined ? [] : [{ endpoint: 'viewpoints.delete', params: ids, target }];
  },
];

test('property: undoing any sequence of changes in reverse order restores the instance', async () => {
  const script = fc.array(fc.tuple(fc.nat(changeCreators.length - 1), fc.infiniteStream(fc.nat(1000))), {
    minLength: 1,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      using fixture = new ChangeFixture();
      const { writer, history } = fixture.open();
      const before = await readInstanceContent(fixture);
      for (const [creatorIndex, numbers] of steps) {
        const pick = <T>(from: readonly T[]): T | undefined =>
          from[Number(numbers.next().value) % from.length];
        const writes = (await changeCreators[creatorIndex]?.(fixture, pick)) ?? [];
        if (writes.length > 0) {
          await runApproved(writer, createOperation(writes));
        }
      }
      for (const entry of await history.readEntries(connectionId)) {
        const {
          operation: undoOperation,
          expectedVersions: expected,
          restoredIds,
        } = await writer.planUndo(entry);
        await runApproved(writer, undoOperation, {
          expectedVersions: expected,
          undoneEntryId: entry.id,
          restoredIds,
        });
      }
      expect(await readInstanceContent(fixture)).toEqual(before);
    }),
    { numRuns: getPropertyRuns(8) },
  );
});

test('property: a journal that is truncated anywhere is read up to its last complete line', () => {
  const begin = {
    line: 'begin',
    id: 'x',
    at: 1,
    pid: 1,
    operation: {
      connectionId,
      cause: 'save',
      subject: { name: 'It', within: [] },
      writes: [{ endpoint: 'datamodels.create', params: {}, body: { title: 'ü\n"' } }],
    },
    before: [],
  };
  const result = { state: 'done', path: '/', status: 201, ms: 3, answer: { oid: 'o' } };
  const lines = [
    begin,
    { line: 'sending', write: 0 },
    { line: 'result', write: 0, result },
    { line: 'end', state: 'done', after: [] },
  ];
  const text = lines.map((line) => `\n${JSON.stringify(line)}\n`).join('');
  fc.assert(
    fc.property(fc.nat(text.length), fc.string(), (length, trailingText) => {
      const entry = parseJournal(`${text.slice(0, length)}\n${trailingText}\n`);
      const completeLines = text
        .slice(0, length)
        .split('\n')
        .filter((line) => lines.some((expected) => JSON.stringify(expected) === line));
      expect(entry === undefined).toBe(completeLines.length === 0);
      expect(entry?.writeStates[0]?.state).toBe(
        [undefined, 'waiting', 'sending', 'done', 'done'][completeLines.length],
      );
      expect(entry?.end).toBe(completeLines.length === 4 ? 'done' : undefined);
    }),
    { numRuns: getPropertyRuns(300) },
  );
});
