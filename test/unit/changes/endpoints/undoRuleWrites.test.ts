import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import { undoRuleCreation } from '../../../../src/changes/endpoints/undoRuleWrites.ts';
import { InverseWrites } from '../../../../src/changes/model/inverseWrites.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createRuleDeletionWrite } from '../../../../src/changes/rules/ruleWrites.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const { server, elasticube } = subject;

const creation: Write = {
  endpoint: 'extractRules.create',
  params: { server, elasticube },
  body: [{ table: 'Stores', column: 'City' }],
};

/** Undoes a creation of rules by its response, on a server that has the rules with the given IDs. */
function undo(write: Write, response: JsonValue | undefined, currentIds: readonly string[]): InverseWrites {
  const rules = currentIds.map((id) => ({ _id: id, table: 'Stores', column: 'City' }));
  const inverse = new InverseWrites([{ ref: { kind: 'rules', subject }, document: rules }]);
  const done = { oldDocument: undefined, model: undefined, response, before: [], name: undefined };
  undoRuleCreation(write, done, inverse);
  return inverse;
}

test('the undo of a creation deletes those of the created rules that still exist', () => {
  const { writes, losses } = undo(
    creation,
    [{ _id: 'deleted-since' }, { _id: 'created' }],
    ['created', 'other'],
  );
  expect(writes).toEqual([createRuleDeletionWrite(subject, 'created')]);
  expect(losses).toEqual([]);
});

test('the undo of a creation without a response deletes nothing, and names the datamodel whose rules are unknown', () => {
  for (const response of [undefined, [], 'Created']) {
    const { writes, losses } = undo(creation, response, ['created']);
    expect(writes).toEqual([]);
    expect(losses).toEqual([{ code: 'not-identified', name: 'Retail' }]);
  }
});

test('a created rule whose datamodel is unknown is deleted by its ID', () => {
  const { writes, losses } = undo({ ...creation, params: {} }, [{ _id: 'created' }], []);
  expect(writes).toEqual([{ endpoint: 'extractRules.delete', params: { ruleId: 'created' } }]);
  expect(losses).toEqual([]);
});
