import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { hashEffects } from '../../../../src/changes/run/effectsHash.ts';
import { PlanNeededError } from '../../../../src/changes/run/writeErrors.ts';
import type { PlannedAccess } from '../../../../src/changes/model/plan.ts';
import { createRelationDeletionWrite } from '../../../../src/changes/model/relationWrites.ts';
import { computeAccessDifference } from '../../../../src/security/change/accessDifference.ts';
import { createSeedOid } from '../../../../src/sandbox/seeds/seedIds.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { ChangeFixture, createOperation, getFailure } from './support.ts';

const subject = { server: 'LocalHost', elasticube: 'Retail' } as const;
const datamodelId = createSeedOid('Retail');

describe('a plan that was confirmed with its effects', () => {
  /** Plans to delete a relation, so that the rules on regions no longer restrict the stores. */
  async function confirmDeletion(shownAccess: 'known' | 'unknown' = 'known') {
    const fixture = new ChangeFixture();
    onTestFinished(() => fixture[Symbol.dispose]());
    const { writer } = fixture.open();
    const relations = await fixture.catalog.relations(datamodelId);
    const relation = expectDefined(
      relations.find(({ columns }) =>
        columns?.some(({ table }) => table === createSeedOid('Retail/Regions')),
      ),
    );
    const operation = createOperation([
      createRelationDeletionWrite({ datamodelId, relationId: relation.oid }),
    ]);
    const { plan, planHash } = await writer.plan(operation);
    const access = shownAccess === 'known' ? await plan.loadAccess() : 'unknown';
    const confirmedPlanHash = { ...planHash, effects: hashEffects(plan, access) };
    const run = () => writer.run(operation, { approval: writer.approve(planHash), confirmedPlanHash });
    return { fixture, run };
  }

  const deleteRegionRules = async ({ client: { extractRules } }: ChangeFixture): Promise<void> => {
    const { value } = await extractRules.listByColumn({ ...subject, table: 'Regions', column: 'Region' });
    expect(value).not.toEqual([]);
    for (const { _id } of value) {
      await extractRules.delete({ ruleId: _id ?? '' });
    }
  };

  test('is carried out while it has the same effects', async () => {
    const { fixture, run } = await confirmDeletion();
    await run();
    expect(fixture.getWriteRequests()).toHaveLength(1);
  });

  test('is refused once it would change the access of others, although no document that it writes has changed', async () => {
    const { fixture, run } = await confirmDeletion();
    await deleteRegionRules(fixture);
    const requestCount = fixture.getWriteRequests().length;
    expect(await getFailure(run())).toBeInstanceOf(PlanNeededError);
    expect(fixture.getWriteRequests()).toHaveLength(requestCount);
  });

  test('is refused with the error if its effects can no longer be computed', async () => {
    const { fixture, run } = await confirmDeletion();
    fixture.sandbox.faults.set([{ kind: 'status', status: 403, pathPrefix: '/api/elasticubes' }]);
    expect(await getFailure(run())).toMatchObject({ name: 'HttpError', status: 403 });
    expect(fixture.getWriteRequests()).toEqual([]);
  });

  test('is carried out if it showed that its effects are unknown, and they still are', async () => {
    const { fixture, run } = await confirmDeletion('unknown');
    fixture.sandbox.faults.set([{ kind: 'status', status: 403, pathPrefix: '/api/elasticubes' }]);
    await run();
    expect(fixture.getWriteRequests()).toHaveLength(1);
  });

  test('is refused if it showed that its effects are unknown, and they no longer are', async () => {
    const { fixture, run } = await confirmDeletion('unknown');
    expect(await getFailure(run())).toBeInstanceOf(PlanNeededError);
    expect(fixture.getWriteRequests()).toEqual([]);
  });
});

describe('the hash of effects', () => {
  const createRule = (id: string, members: readonly string[], ...parties: readonly string[]) => ({
    _id: id,
    table: 'T',
    column: 'C',
    datatype: 'text',
    members,
    allMembers: null,
    shares: parties.map((party) => ({ type: 'group', party, partyName: `Name of ${party}` })),
  });
  const createAccess = (
    rules: readonly unknown[],
    names: readonly (readonly [string, string])[] = [],
  ): PlannedAccess => ({
    subjects: [
      {
        title: 'Retail',
        difference: computeAccessDifference({ before: { rules }, after: { rules: [] } }),
      },
    ],
    partyNames: new Map(names),
  });
  const hash = (access: Parameters<typeof hashEffects>[1]) => hashEffects({ breaks: [] }, access);
  const rules = [createRule('1', ['a', 'b'], 'g', 'h'), createRule('2', ['c'], 'i')];
  let originalHash = '';
  beforeEach(() => {
    originalHash = hash(createAccess(rules));
  });

  test('depends neither on the order of rules, values, and parties, nor on IDs of rules and names of parties', () => {
    const others = [createRule('4', ['c'], 'i'), createRule('3', ['b', 'a'], 'h', 'g')];
    expect(hash(createAccess(others, [['group:g', 'Sales']]))).toBe(originalHash);
  });

  test('depends on who sees which values, and on what breaks', () => {
    const referrer = { kind: 'viewpoint', name: 'V', within: [] } as const;
    const breakage = {
      referrerKind: 'viewpoint',
      referrer,
      names: { table: 'T' },
      reason: 'missing',
    } as const;
    const hashes = [
      originalHash,
      hash(createAccess(rules.slice(1))),
      hash(createAccess([createRule('1', ['a'], 'g', 'h'), createRule('2', ['c'], 'i')])),
      hash(createAccess([createRule('1', ['a', 'b'], 'g'), createRule('2', ['c'], 'i')])),
      hash({ ...createAccess(rules), viewpoints: [{ name: 'V', differences: [] }] }),
      hash('unknown'),
      hash(undefined),
      hashEffects({ breaks: [breakage] }, createAccess(rules)),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
