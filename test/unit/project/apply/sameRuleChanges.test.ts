import { expect, test } from 'vitest';
import { toCanonicalText } from '../../../../src/base/canonicalJson.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createBulkRuleOperation } from '../../../../src/changes/operations/ruleActions.ts';
import { createCellEditOperation } from '../../../../src/changes/operations/ruleMatrixActions.ts';
import { getRuleAction } from '../../../../src/changes/rules/ruleAction.ts';
import { getRuleEdits } from '../../../../src/changes/rules/ruleEdits.ts';
import { createRuleTarget } from '../../../../src/changes/rules/ruleTarget.ts';
import { compileRules } from '../../../../src/project/apply/compileRules.ts';
import type { ItemKey } from '../../../../src/project/item.ts';
import { computeRuleDifference } from '../../../../src/security/change/ruleDifference.ts';
import { getValueKey } from '../../../../src/security/matrix/cellText.ts';
import { getCellKey, emptyCell, createRuleMatrix } from '../../../../src/security/matrix/ruleMatrix.ts';
import { getSharePartyId, type UnknownObject } from '../../../../src/security/readRules.ts';
import {
  createContentFields,
  createShareFields,
  getBindingFields,
} from '../../../../src/security/ruleFields.ts';
import type { ValueSet } from '../../../../src/security/valueSet.ts';

const location = { connectionId: 'connection', within: [] };
const column = { table: 'Orders', column: 'Country', datatype: 'text' } as const;
const key: ItemKey = { kind: 'rules', datamodel: 'Shop', table: 'Orders', column: 'Country' };
const only = (...values: readonly string[]): ValueSet => ({ kind: 'only', values: new Set(values) });

type Party = { readonly type: 'user' | 'group' | 'default'; readonly id: string };
const before: readonly (readonly [Party, ValueSet])[] = [
  [{ type: 'default', id: '' }, only()],
  [{ type: 'group', id: 'g1' }, only('DE')],
  [{ type: 'user', id: 'u1' }, only('AT')],
  [{ type: 'user', id: 'u2' }, only('CH')],
];
/** One rule is changed, one is deleted, one is new, and two stay. */
const wanted: typeof before = [
  [{ type: 'default', id: '' }, only()],
  [{ type: 'group', id: 'g1' }, only('DE', 'FR')],
  [{ type: 'user', id: 'u2' }, only('CH')],
  [{ type: 'user', id: 'u3' }, only('IT')],
];

/** Returns the rules after writes, each as its party and what it grants. */
function applyWrites(rules: readonly JsonObject[], writes: readonly Write[]): readonly string[] {
  const remaining = new Map(rules.map((rule) => [getText(rule['_id']), rule]));
  for (const [index, write] of writes.entries()) {
    const action = getRuleAction(write);
    const { ruleId = '' } = write.params;
    if (action === 'update') {
      remaining.set(ruleId, write.body as JsonObject);
    } else if (action === 'create') {
      getObjects(write.body).forEach((rule, position) => remaining.set(`new ${index} ${position}`, rule));
    } else {
      [ruleId, ...(write.batch?.ids ?? [])].forEach((id) => remaining.delete(id));
    }
  }
  return [...remaining.values()]
    .flatMap(({ _id, shares, ...content }) =>
      getObjects(shares).map((share) =>
        JSON.stringify([share['type'], getSharePartyId(share), toCanonicalText(content)]),
      ),
    )
    .toSorted();
}

/**
 * Returns what the requests are computed from, in short: for each rule of the column its ID, unless it's a new rule, and
 * what it grants. A rule with an ID is changed in place where the platform can do that.
 */
const getTargetRules = (
  subject: RuleSubject,
  rules: readonly JsonObject[],
  writes: readonly Write[],
): readonly string[] => {
  const { edits } = getRuleEdits({ subject, writeIndices: [...writes.keys()] }, writes, rules);
  return createRuleTarget(subject.kind, rules, edits)
    .wantedRules.map(({ parsed: { document, parties }, previous, isEdited }) =>
      JSON.stringify([parties, previous?.id ?? 'new', isEdited, document['members'], document['allMembers']]),
    )
    .toSorted();
};

test.each([
  { kind: 'extract', server: 'server', elasticube: 'Shop' },
  { kind: 'live', title: 'Shop' },
] as const satisfies readonly RuleSubject[])(
  'an import, the grid of rules, and an apply lead to the same rules: $kind',
  (subject) => {
    const createRule = ([party, grant]: (typeof before)[number], index: number): JsonObject =>
      ({
        _id: `rule ${index}`,
        ...getBindingFields(subject),
        ...column,
        ...createContentFields(grant, subject.kind),
        shares: [createShareFields(party, subject.kind)],
      }) satisfies UnknownObject as JsonObject;
    const current = before.map(createRule);
    const expected = applyWrites(wanted.map(createRule), []);

    const difference = computeRuleDifference({
      tableRules: wanted.map(([{ type, id }, grant]) => ({
        ...column,
        rows: [],
        grant,
        parties: [{ type, idOrName: id }],
      })),
      existingRules: current,
      binding: subject,
      mode: 'columns',
      findPartyId: ({ idOrName }) => idOrName,
    });
    const imported = createBulkRuleOperation(location, subject, difference).writes;
    expect(applyWrites(current, imported)).toEqual(expected);
    const target = getTargetRules(subject, current, imported);
    expect(target.map((text) => (JSON.parse(text) as readonly unknown[])[1])).toEqual([
      'rule 0',
      'rule 1',
      'rule 3',
      'new',
    ]);

    const { cells } = createRuleMatrix(current);
    const matrixColumn = { ...column, key: JSON.stringify(['Orders', 'Country']) };
    const edits = [
      ['group', 'g1', [only('DE', 'FR')]],
      ['user', 'u1', []],
      ['user', 'u3', [only('IT')]],
    ] as const;
    const edited = createCellEditOperation(
      location,
      subject,
      current,
      edits.map(([type, id, value]) => {
        const party = { key: `${type}:${id}`, type, id };
        const cell = cells.get(getCellKey(party.key, matrixColumn.key)) ?? emptyCell;
        return {
          party,
          column: matrixColumn,
          value,
          canonicalKey: getValueKey(value),
          baseKey: cell.canonicalKey,
        };
      }),
    );
    const editedWrites = typeof edited === 'string' ? [] : edited.writes;
    expect(applyWrites(current, editedWrites)).toEqual(expected);
    expect(getTargetRules(subject, current, editedWrites)).toEqual(target);

    const after = wanted.map(([{ type, id }, grant]) => ({
      ...column,
      ...createContentFields(grant, 'extract'),
      shares: [type === 'default' ? { type } : { type, party: id }],
    })) as readonly UnknownObject[] as readonly JsonObject[];
    const compiled = compileRules({
      subject,
      changes: [{ key, action: 'update', parts: [{ pointer: '', after }], isChangedOnServer: false }],
      existingRules: current,
      partyIds: { find: ({ reference }) => ({ id: getText(reference) }) },
      isCreatedColumn: () => false,
      isDeletedColumn: () => false,
      defersRuleChanges: false,
    });
    const compiledWrites = [
      ...compiled.beforeCreations,
      ...compiled.beforeDeletions,
      ...compiled.afterDeletions,
    ];
    expect(applyWrites(current, compiledWrites)).toEqual(expected);
    expect(getTargetRules(subject, current, compiledWrites)).toEqual(target);
  },
);
