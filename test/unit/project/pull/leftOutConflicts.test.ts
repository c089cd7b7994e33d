import { describe, expect, test } from 'vitest';
import type { PullPlan } from '../../../../src/project/pull/planPull.ts';
import { PulledProject, createRetailDocuments, paths, rule } from './pullSupport.ts';

const areaPath = 'datamodels/Retail/rules/Customers.Area.rules.json';
const theirs = () => 'theirs' as const;
const ours = () => 'ours' as const;

const listWrites = ({ writes }: PullPlan): readonly string[] => writes.map(({ path }) => path);

/** A project in which the column was deleted with its rules. */
function createWithoutRegion(): PulledProject {
  const project = new PulledProject();
  project.pull(createRetailDocuments());
  const { columns, ...table } = JSON.parse(project.texts.get(paths.customers) ?? '') as {
    columns: readonly { name: string }[];
  };
  project.texts.set(
    paths.customers,
    JSON.stringify({ ...table, columns: columns.filter(({ name }) => name !== 'Region') }),
  );
  project.texts.delete(paths.region);
  return project;
}

describe('rules on a column that the project gets', () => {
  test('come with it although the project wins the conflict about them', () => {
    const project = new PulledProject();
    const secretRule = { ...rule, column: 'Secret' };
    const secretRulesPath = 'datamodels/Retail/rules/Customers.Secret.rules.json';
    // The rules were pulled before the column that they are on was.
    project.pull(createRetailDocuments([], [rule, secretRule]));
    project.texts.delete(secretRulesPath);
    const plan = project.pull(
      createRetailDocuments(
        [['"name":"Region"', '"name":"Region"},{"name":"Secret","type":18']],
        [rule, { ...secretRule, members: ['South'] }],
      ),
      { getWinner: ours },
    );
    expect(listWrites(plan)).toEqual([secretRulesPath, paths.customers]);
    expect(project.texts.get(secretRulesPath)).toContain('South');
  });

  test.each([
    ['without a conflict', 'North', undefined],
    ['in a conflict that the project wins', 'South', ours],
    ['in a conflict that the instance wins', 'South', theirs],
  ])('come with it if both were renamed there and deleted in the project, %s', (_name, member, getWinner) => {
    const project = createWithoutRegion();
    const plan = project.pull(
      createRetailDocuments(
        [['"name":"Region"', '"name":"Area"']],
        [{ ...rule, members: [member], column: 'Area' }],
      ),
      getWinner === undefined ? {} : { getWinner },
    );
    expect(listWrites(plan)).toEqual([areaPath, paths.customers]);
  });
});
