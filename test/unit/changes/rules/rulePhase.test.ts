import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { parseRuleDocument, parseRuleDocuments } from '../../../../src/changes/rules/parsedRuleDocument.ts';
import { getNextPhase, type RuleEndpointBehavior } from '../../../../src/changes/rules/rulePhase.ts';
import { createDenyInScopeRequest } from '../../../../src/changes/rules/temporaryDenyRules.ts';
import {
  createRuleTarget,
  type RuleEdit,
  type RuleTarget,
} from '../../../../src/changes/rules/ruleTarget.ts';
import { expectDefined } from '../../../support/expectations.ts';

const behavior: RuleEndpointBehavior = {
  alwaysAdds: false,
  rejectsSecondRule: false,
  canDeleteSingleRules: true,
};

/** A rule in short form: `d` is everyone else, `g…` a group, `u…` a user; no values show nothing. */
const createRule = (id: string, parties: string, values: string, column = 'C'): JsonObject => ({
  _id: id,
  table: 'T',
  column,
  datatype: 'text',
  members: values.split(''),
  allMembers: values === '' ? false : null,
  exclusionary: false,
  shares: parties.split(' ').map((name) => {
    const type = name.startsWith('u') ? 'user' : 'group';
    return name === 'd' ? { type: 'default' } : { type, party: name, partyId: name };
  }),
});
const createChange = (before: JsonObject, values: string): RuleEdit => ({
  before,
  after: { ...before, members: values.split('') },
  writeIndex: 0,
});
const createAddition = (parties: string, values: string, column?: string): RuleEdit => {
  const { _id, ...after } = createRule('', parties, values, column);
  return { after, writeIndex: 0 };
};
const createDeletion = (before: JsonObject): RuleEdit => ({ before, writeIndex: 0 });

/** Returns the requests that are sent first, sorted: what, whose rule, and its values; `nothing` for a temporary deny rule. */
function getFirstRequests(
  rules: readonly JsonObject[],
  edits: readonly RuleEdit[],
  { kind = 'extract', ...known }: Partial<RuleEndpointBehavior> & { readonly kind?: RuleTarget['kind'] } = {},
): readonly string[] {
  const { requests } = getNextPhase(
    parseRuleDocuments(rules),
    createRuleTarget(kind, rules, edits),
    { denyScopes: new Set(), sentRules: new Set() },
    { ...behavior, ...known },
  );
  const lines = requests.map((request) => {
    const parsed = request.kind === 'delete' ? request.rule : parseRuleDocument(request.rule);
    const parties = parsed?.parties.map(({ type, id }) => id ?? type).join(' ');
    const members = parsed?.document['members'] as readonly string[];
    const values = request.denyScope === undefined ? members.join('') : 'nothing';
    return request.kind === 'delete' ? `delete ${parties}` : `${request.kind} ${parties}: ${values}`;
  });
  return lines.toSorted();
}

const everyoneElse = createRule('d', 'd', 'x');
const anna = createRule('a', 'u1', 'x');
const ben = createRule('b', 'u2', 'x');
const group = createRule('g', 'g1', 'x');

describe('changes that show other values to several parties', () => {
  test('of users without groups are sent together', () => {
    expect(getFirstRequests([anna, ben], [createChange(anna, 'y'), createChange(ben, 'y')])).toEqual([
      'update u1: y',
      'update u2: y',
    ]);
  });

  test('of a group and a user, who may be a member, need temporary deny rules', () => {
    expect(getFirstRequests([group, anna], [createChange(group, 'y'), createChange(anna, 'y')])).toEqual([
      'update g1: nothing',
      'update u1: nothing',
    ]);
  });

  test('of everyone else and a user are sent together, if both keep their rules', () => {
    expect(
      getFirstRequests([everyoneElse, anna], [createChange(everyoneElse, 'y'), createChange(anna, 'y')]),
    ).toEqual(['update default: y', 'update u1: y']);
  });

  test('of everyone else and a group are sent together, if both keep their rules', () => {
    expect(
      getFirstRequests([everyoneElse, group], [createChange(everyoneElse, 'y'), createChange(group, 'y')]),
    ).toEqual(['update default: y', 'update g1: y']);
  });

  test('of everyone else do not wait for a user who keeps another rule', () => {
    const rules = [everyoneElse, anna, createRule('second', 'u1', 'z')];
    const edits = [createChange(everyoneElse, 'y'), createDeletion(anna)];
    expect(getFirstRequests(rules, edits, { kind: 'live', alwaysAdds: true })).toEqual([
      'create default: y',
      'delete u1',
    ]);
  });

  test('of everyone else wait for the first rule of a user', () => {
    const edits = [createChange(everyoneElse, 'y'), createAddition('u1', 'z')];
    expect(getFirstRequests([everyoneElse], edits)).toEqual(['create u1: z']);
    expect(getFirstRequests([everyoneElse], edits.toReversed())).toEqual(['create u1: z']);
  });

  test('of everyone else come before the last rule of a user is deleted', () => {
    expect(
      getFirstRequests([everyoneElse, anna], [createChange(everyoneElse, 'y'), createDeletion(anna)]),
    ).toEqual(['update default: y']);
  });

  test('of a user come before the first rule for everyone else', () => {
    expect(getFirstRequests([anna], [createAddition('d', 'z'), createChange(anna, 'y')])).toEqual([
      'update u1: y',
    ]);
  });

  test('on two columns need temporary deny rules, if everyone else is among them', () => {
    const onOtherColumn = createRule('o', 'u1', 'x', 'D');
    expect(
      getFirstRequests(
        [everyoneElse, onOtherColumn],
        [createChange(everyoneElse, 'y'), createChange(onOtherColumn, 'y')],
      ),
    ).toEqual(['update default: nothing', 'update u1: nothing']);
  });

  test('of a group wait for the first rules of users, and come before their last rules are deleted', () => {
    expect(
      getFirstRequests(
        [group],
        [createChange(group, 'y'), createAddition('u1', 'z'), createAddition('u2', 'z')],
      ),
    ).toEqual(['create u1: z', 'create u2: z']);
    expect(getFirstRequests([group, anna], [createChange(group, 'y'), createDeletion(anna)])).toEqual([
      'update g1: y',
    ]);
    expect(
      getFirstRequests(
        [group, anna],
        [createChange(group, 'y'), createDeletion(anna), createAddition('u2', 'z')],
      ),
    ).toEqual(['create u2: z']);
  });

  test('of a group need temporary deny rules if a user gets a new rule beside another rule', () => {
    const sharedRule = createRule('s', 'u1 u2', 'x');
    expect(
      getFirstRequests([group, sharedRule], [createChange(group, 'y'), createAddition('u1', 'z')]),
    ).toEqual(['create u1: nothing', 'update g1: nothing']);
  });

  test('of a group need temporary deny rules if the rule of a user becomes one of another user', () => {
    const partyChange = { before: anna, after: createRule('a', 'u2', 'x'), writeIndex: 0 };
    expect(getFirstRequests([group, anna], [createChange(group, 'y'), partyChange])).toEqual([
      'update g1: nothing',
      'update u1 u2: nothing',
    ]);
  });

  test('of two groups need temporary deny rules beside a new rule of a user', () => {
    const otherGroup = createRule('h', 'g2', 'x');
    expect(
      getFirstRequests(
        [group, otherGroup],
        [createChange(group, 'y'), createChange(otherGroup, 'y'), createAddition('u1', 'z')],
      ),
    ).toEqual(['create g1 g2 u1: nothing']);
  });

  test('of new rules of a group and a user need temporary deny rules', () => {
    expect(getFirstRequests([everyoneElse], [createAddition('g1', 'y'), createAddition('u1', 'z')])).toEqual([
      'create g1: nothing',
      'create u1: nothing',
    ]);
  });

  test('of a group need temporary deny rules if a user gets two rules', () => {
    expect(
      getFirstRequests(
        [group],
        [createChange(group, 'y'), createAddition('u1', 'z'), createAddition('u1 u2', 'w')],
        {
          canDeleteSingleRules: false,
        },
      ),
    ).toEqual(['create u1 u2: nothing', 'create u1: nothing', 'update g1: nothing']);
  });
});

describe('temporary deny rules', () => {
  const rules = [group, anna, ben];
  const edits = rules.map((each) => createChange(each, 'y'));

  test('of three and more rules of a column are one rule, if it can be deleted again', () => {
    expect(getFirstRequests(rules, edits)).toEqual(['create g1 u1 u2: nothing']);
    expect(getFirstRequests(rules, edits.slice(0, 2))).toEqual(['update g1: nothing', 'update u1: nothing']);
    expect(getFirstRequests(rules, edits, { canDeleteSingleRules: false })).toEqual([
      'update g1: nothing',
      'update u1: nothing',
      'update u2: nothing',
    ]);
  });

  test('of live rules are one for each: some servers allow each party in only one rule', () => {
    expect(getFirstRequests(rules, edits, { kind: 'live' })).toEqual([
      'create g1: nothing',
      'create u1: nothing',
      'create u2: nothing',
    ]);
  });

  test('are never for the parties of another rule, which a server might overwrite', () => {
    const all = createRule('all', 'g1 u1 u2', 'x');
    expect(getFirstRequests([...rules, all], edits)).toEqual([
      'update g1: nothing',
      'update u1: nothing',
      'update u2: nothing',
    ]);
    const onOtherColumn = createRule('all', 'g1 u1 u2', 'x', 'D');
    expect(getFirstRequests([...rules, onOtherColumn], edits)).toEqual(['create g1 u1 u2: nothing']);
  });

  test('for everyone else are sent separately from those for users and groups', () => {
    expect(
      getFirstRequests(
        [everyoneElse, ...rules],
        [createChange(everyoneElse, 'y'), ...edits, createAddition('u4', 'z')],
      ),
    ).toEqual(['create g1 u1 u2 u4: nothing', 'update default: nothing']);
  });

  test.each([
    [499, [500]],
    [501, [500, 2]],
  ])('for a group and %i users have at most 500 parties each', (count, expectedCounts) => {
    const users = Array.from({ length: count }, (_none, index) => createRule(`o${index}`, `u${index}`, 'x'));
    const all = [group, ...users];
    const requests = getFirstRequests(
      all,
      all.map((each) => createChange(each, 'y')),
    );
    expect(requests.map((request) => request.split(' ').length - 2)).toEqual(expectedCounts);
  });
});

test('a refusal for lack of a default rule names a rule on the column without a default rule', () => {
  const defaultRule = createRule('d', 'd', 'x', 'C');
  const first = createRule('a', 'u1', 'x', 'C');
  const second = createRule('b', 'u1', 'x', 'D');
  const edits = [
    createDeletion(first),
    createAddition('u1 u2', 'y', 'C'),
    createDeletion(second),
    createAddition('u1 u2', 'y', 'D'),
  ];
  expect(() =>
    getFirstRequests([defaultRule, first, second], edits, { kind: 'live', rejectsSecondRule: true }),
  ).toThrow(
    expect.objectContaining({ code: 'needs-default', rule: expect.objectContaining({ column: 'D' }) }),
  );
});

test('the deny rule in the scope of a live rule has only fields that every server accepts', () => {
  const { exclusionary: _exclusionary, ...liveRule } = createRule('a', 'u1', 'x');
  const request = createDenyInScopeRequest(expectDefined(parseRuleDocument(liveRule)));
  expect(request).toMatchObject({ kind: 'create' });
  expect('rule' in request && request.rule).toEqual({
    table: 'T',
    column: 'C',
    datatype: 'text',
    members: [],
    allMembers: false,
    shares: [{ type: 'user', partyId: 'u1' }],
  });
});
