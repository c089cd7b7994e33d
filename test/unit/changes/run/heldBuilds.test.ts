import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import type { WriteState } from '../../../../src/changes/journal/entry.ts';
import {
  describeBuildsAfterAbandoning,
  describeBuildsToPostpone,
} from '../../../../src/changes/messages/describeBuildsToPostpone.ts';
import type { Operation, Write } from '../../../../src/changes/model/operation.ts';
import { listPartlyWrittenDatamodels } from '../../../../src/changes/run/heldBuilds.ts';
import type { OperationReport } from '../../../../src/changes/run/writeErrors.ts';

const params = { datamodelId: 'm1' };
const createTable: Write = {
  endpoint: 'tables.create',
  params: { ...params, datasetId: 'd' },
  body: { name: 'T' },
};
const createRelation: Write = { endpoint: 'relations.create', params, body: { columns: [] } };
const createRule: Write = { endpoint: 'extractRules.create', params: {}, body: [] };
const build = { datamodelId: 'm1', title: 'Retail', type: 'schema_changes' } as const;

const done: WriteState = { state: 'done', path: '', ms: 1 };
const failed: WriteState = { state: 'failed', path: '', ms: 1 };
const unknown: WriteState = { state: 'unknown', path: '', ms: 1 };
const waiting: WriteState = { state: 'waiting' };

function stop(
  writes: readonly Write[],
  states: readonly WriteState[],
  members: Partial<Operation> = { builds: [build] },
): Pick<OperationReport, 'operation' | 'writeStates'> {
  const subject = { name: 'p', within: [] };
  return {
    operation: { connectionId: 'c', cause: 'apply', subject, writes, ...members },
    writeStates: states,
  };
}

describe('a change that is abandoned between its writes of tables and relations', () => {
  const writes = [createTable, createRelation];
  const warning =
    'Before you build Retail, check the relations and rules: some might be missing, so rules might not restrict all tables afterward.';

  test('might leave relations missing', () => {
    const describe = (...parts: readonly ReturnType<typeof stop>[]) =>
      describeBuildsAfterAbandoning(english, parts);
    expect(describe(stop(writes, [done, failed]))).toEqual([warning]);
    expect(describe(stop(writes, [failed, waiting]))).toEqual([]);
    // Its undo has stopped, too.
    const undo = { cause: 'undo', builds: [build] } as const;
    expect(describe(stop(writes, [done, done]), stop(writes, [done, waiting], undo))).toEqual([warning]);
    expect(describe(stop(writes, [done, failed]), stop(writes, [done, waiting], undo))).toEqual([warning]);
    expect(
      describe(stop(writes, [done, failed], { builds: [{ ...build, title: 'Desk', type: 'publish' }] })),
    ).toEqual([expect.stringContaining('Before you publish Desk, check the relations and rules')]);
  });
});

describe('a change that stops between its writes of tables and relations', () => {
  const writes = [createRule, createTable, createRelation];
  const warning =
    "Don't build Retail before the change is finished or rolled back: relations or rules might be missing, so rules might not restrict all tables.";

  test('holds the build of their datamodel', () => {
    for (const states of [
      [done, done, failed],
      [done, unknown, waiting],
      [done, { state: 'sending' }, waiting],
      [done, done, unknown],
    ] satisfies (readonly WriteState[])[]) {
      expect(describeBuildsToPostpone(english, stop(writes, states))).toEqual([warning]);
    }
  });

  test.each<readonly [string, Write]>([
    ['a new table', createTable],
    ['a changed relation', createRelation],
  ])('holds the build of %s while rules of its datamodel are missing', (_what, write) => {
    const rule: Write = {
      ...createRule,
      target: { kind: 'rules', subject: { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } },
    };
    const other: Write = {
      ...createRule,
      target: { kind: 'rules', subject: { kind: 'extract', server: 'LocalHost', elasticube: 'Other' } },
    };
    expect(describeBuildsToPostpone(english, stop([write, rule], [done, failed]))).toEqual([warning]);
    expect(describeBuildsToPostpone(english, stop([write, rule], [done, done]))).toEqual([]);
    expect(describeBuildsToPostpone(english, stop([write, rule], [failed, waiting]))).toEqual([]);
    expect(describeBuildsToPostpone(english, stop([write, other], [done, failed]))).toEqual([]);
  });

  test('holds no build if it has written all of them or none, or a single one', () => {
    expect(describeBuildsToPostpone(english, stop(writes, [done, failed, waiting]))).toEqual([]);
    expect(
      describeBuildsToPostpone(
        english,
        stop([createTable, createRelation, createRule], [done, done, failed]),
      ),
    ).toEqual([]);
    expect(describeBuildsToPostpone(english, stop([createRule, createTable], [done, unknown]))).toEqual([]);
  });

  test('holds no build if its plan requires none, unless an earlier version has recorded the change', () => {
    const states = [done, done, failed];
    expect(listPartlyWrittenDatamodels(stop(writes, states, { builds: [] }))).toEqual([]);
    expect(listPartlyWrittenDatamodels(stop(writes, states, {}))).toEqual([{ ...build, title: '' }]);
    // Only the plan of an apply contains all builds.
    expect(listPartlyWrittenDatamodels(stop(writes, states, { cause: 'undo', builds: [] }))).toHaveLength(1);
  });

  test('names a live datamodel that it creates', () => {
    const outputRefs = [{ write: 0, from: ['oid'], into: ['params', 'datamodelId'] }] as const;
    const created = [createTable, createRelation].map((write) => ({ ...write, params: {}, outputRefs }));
    const datamodel: Write = {
      endpoint: 'datamodels.create',
      params: {},
      body: { title: 'Desk', type: 'live' },
    };
    const live = { datamodelId: 'new:0', title: 'Desk', type: 'publish' } as const;
    expect(
      describeBuildsToPostpone(
        english,
        stop([datamodel, ...created], [done, done, waiting], { builds: [live] }),
      ),
    ).toEqual([expect.stringContaining("Don't publish Desk before")]);
  });
});
