import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { BuildType } from '../../../src/contract/build.ts';
import { type Datamodel, datamodelSchema } from '../../../src/contract/datamodel.ts';
import { extractRuleSchema } from '../../../src/contract/rule.ts';
import { createBuildEngine } from '../../../src/sandbox/engine/processBuildEngine.ts';
import { getCubeFile } from '../../../src/sandbox/engine/files.ts';
import { queryAsParty } from '../../../src/sandbox/engine/partyQuery.ts';
import type { BuildOutcome } from '../../../src/sandbox/engine/buildEngine.ts';
import { groups, people } from '../../../src/sandbox/seeds/people.ts';
import type { SeedUser } from '../../../src/sandbox/seeds/seed.ts';
import { seeds } from '../../../src/sandbox/seeds/seeds.ts';
import { SeedCollector } from '../../support/seedCollector.ts';
import { engineProgram } from '../../support/programs.ts';
import { isSoak } from '../../support/soak.ts';

const engine = createBuildEngine({ program: engineProgram });
const folder = mkdtempSync(join(tmpdir(), 'demo-'));
const store = new SeedCollector();

beforeAll(() => {
  mkdirSync(join(folder, 'cubes'), { recursive: true });
  seeds.demo.apply(store, folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const findModel = (title: string): JsonObject => {
  const found = store.datamodels.find((model) => model['title'] === title);
  if (found === undefined) {
    throw new Error(`The demo has no datamodel ${title}`);
  }
  return found;
};

function build(title: string, buildType: BuildType, previous?: JsonObject): Promise<BuildOutcome> {
  const job = {
    datamodel: findModel(title),
    buildType,
    folder,
    delayMs: 0,
    ...(previous === undefined ? {} : { previous }),
  };
  return engine.run(job, new AbortController().signal);
}

/** The columns of each custom table in the document. */
function getCustomColumns(model: Datamodel): Record<string, unknown> {
  const tables = (model.datasets ?? []).flatMap((dataset) => dataset.schema?.tables ?? []);
  return Object.fromEntries(
    tables
      .filter((table) => table.type === 'custom')
      .map((table) => [table.oid, (table.columns ?? []).map(({ name, type }) => ({ name, type }))]),
  );
}

const getCube = (title: string): string => getCubeFile(folder, datamodelSchema.parse(findModel(title)).oid);

function queryRows(title: string, sql: string): unknown[][] {
  const database = new DatabaseSync(getCube(title), { readOnly: true });
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  } finally {
    database.close();
  }
}

describe('builds of the demo', () => {
  it.each(['Retail', 'Marketing'])('give %s the columns of its document', async (title) => {
    expect(await build(title, 'full')).toMatchObject({
      status: 'done',
      columns: getCustomColumns(datamodelSchema.parse(findModel(title))),
    });
  });

  it('give plausible business data', () => {
    const [sample] = queryRows('Retail', 'SELECT [Store Label], Region FROM Stores LIMIT 1');
    expect(sample?.[0]).toMatch(/^Hamburg .* \(North\)$/);
    expect(
      queryRows('Retail', 'SELECT count(*) FROM [Order Items] WHERE Profit IS NULL OR Revenue IS NULL'),
    ).toEqual([[0]]);
    expect(queryRows('Retail', 'SELECT count(*) FROM [Monthly Store Sales] WHERE Revenue <= 0')).toEqual([
      [0],
    ]);
    expect(
      queryRows('Retail', 'SELECT count(DISTINCT [Value Class]), count(*) FROM [Customer Value]'),
    ).toEqual([[3, 800]]);
    expect(queryRows('Retail', 'SELECT count(DISTINCT Delivery) FROM Orders')).toEqual([[4]]);
    expect(queryRows('Retail', 'SELECT count(*) FROM [Store Ranking] WHERE Rank = 1')).toEqual([[24]]);
    const orphanCountSql = `SELECT count(*) FROM Orders o LEFT JOIN Employees e ON e.[Employee Id] = o.[Employee Id] WHERE e.[Employee Id] IS NULL`;
    expect(queryRows('Retail', orphanCountSql)).toEqual([[0]]);
    expect(
      queryRows('Marketing', 'SELECT count(*) FROM [Campaign Performance] WHERE [Cost per Lead] > 0'),
    ).toEqual([[36]]);
  });

  it('by table add rows to the table Returns, and replace the rows of the table Orders', async () => {
    const [before] = queryRows(
      'Retail',
      'SELECT (SELECT count(*) FROM Orders), (SELECT count(*) FROM Returns)',
    );
    expect(await build('Retail', 'by_table', findModel('Retail'))).toMatchObject({ status: 'done' });
    const [after] = queryRows(
      'Retail',
      'SELECT (SELECT count(*) FROM Orders), (SELECT count(*) FROM Returns)',
    );
    expect(after).toEqual([before?.[0], Number(before?.[1]) * 2]);
  });

  it('that import only changes succeed even if nothing has changed', async () => {
    expect(await build('Retail', 'schema_changes', findModel('Retail'))).toMatchObject({ status: 'done' });
  });

  it('publish a live datamodel', async () => {
    expect(await build('Support Desk', 'publish')).toMatchObject({ status: 'done' });
  });

  it('show each user what the rules allow', () => {
    const rules = store.extractRules
      .map((rule) => extractRuleSchema.parse(rule))
      .filter((rule) => rule.elasticube === 'Retail');
    const file = getCube('Retail');
    const getRegions = (user: SeedUser, combination: 'union' | 'intersection', table = 'Stores'): unknown => {
      const groupIds = Object.values(groups)
        .filter((group) => group.members.includes(user._id))
        .map((group) => group._id);
      const sql = `SELECT DISTINCT [Region] FROM [${table}] ORDER BY 1`;
      const party = { userId: user._id, groupIds };
      return queryAsParty({ cubeFile: file, rules, party, combination, sql }).map((row) => row['Region']);
    };
    expect(getRegions(people.grace, 'union')).toEqual([
      'Alps',
      'Iberia',
      'Nordics',
      'North',
      'South',
      'West',
    ]);
    expect(getRegions(people.farid, 'union')).toEqual(['Alps', 'Nordics', 'North', 'South', 'West']);
    expect(getRegions(people.liam, 'union')).toEqual([]);
    expect(getRegions(people.amara, 'intersection')).toEqual(['North']);
    expect(getRegions(people.amara, 'union', 'Monthly Store Sales')).toEqual([
      'Nordics',
      'North',
      'South',
      'West',
    ]);
  });
});

// Building 500 tables takes about 15 seconds.
if (isSoak) {
  describe('the build of the large model', () => {
    it('ends within the time limit of a test', async () => {
      const largeFolder = mkdtempSync(join(tmpdir(), 'large-'));
      try {
        const large = new SeedCollector();
        seeds.large.apply(large, largeFolder);
        const [datamodel] = large.datamodels;
        const job = {
          datamodel: datamodel ?? {},
          buildType: 'full' as const,
          folder: largeFolder,
          delayMs: 0,
        };
        const outcome = await engine.run(job, new AbortController().signal);
        expect(outcome.status).toBe('done');
        expect(outcome.status === 'done' && Object.keys(outcome.rowCounts).length).toBe(500);
      } finally {
        rmSync(largeFolder, { recursive: true, force: true });
      }
    });
  });
}
