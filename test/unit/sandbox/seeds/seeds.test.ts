import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from '../../../../src/base/json.ts';
import { getColumnType, getRuleDatatype } from '../../../../src/contract/terms.ts';
import { type Datamodel, datamodelSchema } from '../../../../src/contract/datamodel.ts';
import { extractRuleSchema, liveRuleSchema } from '../../../../src/contract/rule.ts';
import { viewpointSchema } from '../../../../src/contract/viewpoint.ts';
import { builtInUsers, type SeedName, seedNames } from '../../../../src/sandbox/seeds/seed.ts';
import { seeds } from '../../../../src/sandbox/seeds/seeds.ts';
import { demoCubeSets } from '../../../../src/connections/demoCubeSets.ts';
import { SeedCollector } from '../../../support/seedCollector.ts';
import { lintViewpoint } from '../../../../src/viewpoints/index.ts';

class AppliedSeed implements Disposable {
  readonly store = new SeedCollector();
  readonly folder = mkdtempSync(join(tmpdir(), 'seed-'));

  constructor(name: SeedName) {
    seeds[name].apply(this.store, this.folder);
  }

  readFiles(): Readonly<Record<string, string>> {
    const folder = join(this.folder, 'files');
    return Object.fromEntries(
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    );
  }

  parseModels(): Datamodel[] {
    return this.store.datamodels.map((document) => datamodelSchema.parse(document));
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const getTables = (model: Datamodel) =>
  (model.datasets ?? []).flatMap((dataset) => dataset.schema?.tables ?? []);

describe.each(seedNames)('seed %s', (name) => {
  it('has unique IDs, and its documents conform to the contract', () => {
    using appliedSeed = new AppliedSeed(name);
    const { store } = appliedSeed;
    const oids = appliedSeed
      .parseModels()
      .flatMap((model) => [
        model.oid,
        ...(model.datasets ?? []).map((dataset) => dataset.oid),
        ...getTables(model).flatMap((table) => [
          table.oid,
          ...(table.columns ?? []).map((column) => column.oid),
        ]),
        ...(model.relations ?? []).map((relation) => relation.oid),
      ]);
    const rules = [
      ...store.extractRules.map((rule) => extractRuleSchema.parse(rule)),
      ...store.liveRules.map((rule) => liveRuleSchema.parse(rule)),
    ];
    const viewpoints = store.viewpoints.map((viewpoint) => viewpointSchema.parse(viewpoint));
    const partyIds = [...store.users, ...store.groups, ...Object.values(builtInUsers)].map(
      (each) => each._id,
    );
    const lists = [
      oids,
      rules.map((rule) => rule._id),
      viewpoints.map((v) => v.id),
      viewpoints.map((v) => v.name),
      store.customData.map((object) => object['_id']),
      partyIds,
    ];
    for (const list of lists) {
      expect(new Set(list).size).toBe(list.length);
    }
    for (const id of [...partyIds, ...rules.map((rule) => rule._id), ...viewpoints.map((v) => v.id)]) {
      expect(id).toMatch(/^[0-9a-f]{24}$/);
    }
    const knownUserIds = new Set(Object.values(builtInUsers).map((user): string => user._id));
    for (const user of store.users) {
      knownUserIds.add(user._id);
    }
    expect(
      store.groups.flatMap((group) => group.members).filter((member) => !knownUserIds.has(member)),
    ).toEqual([]);
  });

  it('has viewpoints without problems', () => {
    using appliedSeed = new AppliedSeed(name);
    const problems = appliedSeed.store.viewpoints.flatMap((viewpoint) =>
      lintViewpoint(JSON.stringify(viewpoint)),
    );
    expect(problems).toEqual([]);
  });

  it('is the same every time', () => {
    using first = new AppliedSeed(name);
    using second = new AppliedSeed(name);
    expect(stringify(second.store) === stringify(first.store)).toBe(true);
    if (name !== 'empty') {
      expect(second.readFiles()).toEqual(first.readFiles());
    }
  });

  it('has relations between columns that exist', () => {
    using appliedSeed = new AppliedSeed(name);
    for (const model of appliedSeed.parseModels()) {
      const columns = new Set(
        (model.datasets ?? []).flatMap((dataset) =>
          (dataset.schema?.tables ?? []).flatMap((table) =>
            (table.columns ?? []).map((column) => `${dataset.oid} ${table.oid} ${column.oid ?? ''}`),
          ),
        ),
      );
      const ends = (model.relations ?? []).flatMap((relation) => relation.columns ?? []);
      expect(ends.filter((end) => !columns.has(`${end.dataset} ${end.table} ${end.column}`))).toEqual([]);
    }
  });
});

describe('seed demo', () => {
  it('has the groups of decisions.md, "Sandbox", with users', () => {
    using appliedSeed = new AppliedSeed('demo');
    for (const name of ['Sales', 'Finance', 'Executives']) {
      expect(appliedSeed.store.groups.find((group) => group.name === name)?.members.length).toBeGreaterThan(
        1,
      );
    }
  });

  it('has 130 viewpoints, published or not, shared or not', () => {
    using appliedSeed = new AppliedSeed('demo');
    const viewpoints = appliedSeed.store.viewpoints.map((viewpoint) => viewpointSchema.parse(viewpoint));
    expect(viewpoints).toHaveLength(130);
    const kinds = new Set(
      viewpoints.map(({ enabled, visibility }) => `${enabled} ${(visibility?.apps ?? []).length > 0}`),
    );
    expect(kinds.size).toBe(4);
    expect(viewpoints.map((v) => v.id)).toEqual(viewpoints.map((v) => v.id).sort());
    for (const { visibility, details } of viewpoints) {
      const parties = [...(visibility?.groups ?? []), ...(visibility?.users ?? [])];
      expect((visibility?.apps ?? []).length > 0).toBe(parties.length > 0);
      const infusions = (details?.columns ?? []).map((column) => column.infusion);
      expect(infusions.filter((flag) => flag?.uid === true).length).toBeLessThan(2);
      expect((details?.columns ?? []).filter((c) => c.infusion?.uid === true && !c.filter)).toEqual([]);
    }
  });

  it('names existing tables and columns in rules and viewpoints, with matching datatypes', () => {
    using appliedSeed = new AppliedSeed('demo');
    const types = new Map(
      appliedSeed
        .parseModels()
        .flatMap((model) =>
          getTables(model).flatMap((table) =>
            (table.columns ?? []).map(
              (column) => [`${model.title} ${table.name ?? ''} ${column.name ?? ''}`, column.type] as const,
            ),
          ),
        ),
    );
    for (const document of appliedSeed.store.extractRules) {
      const rule = extractRuleSchema.parse(document);
      const title = rule.server === 'set' ? 'Retail' : rule.elasticube;
      expect([
        rule.table,
        rule.column,
        getRuleDatatype(types.get(`${title ?? ''} ${rule.table} ${rule.column}`)),
      ]).toEqual([rule.table, rule.column, rule.datatype]);
    }
    for (const document of appliedSeed.store.liveRules) {
      const rule = liveRuleSchema.parse(document);
      expect(getRuleDatatype(types.get(`Support Desk ${rule.table} ${rule.column}`))).toBe(rule.datatype);
      expect(document).not.toHaveProperty('exclusionary');
    }
    for (const document of appliedSeed.store.viewpoints) {
      for (const column of viewpointSchema.parse(document).details?.columns ?? []) {
        const group = getColumnType(types.get(`Retail ${column.table ?? ''} ${column.column ?? ''}`))?.group;
        expect([
          column.dim,
          { number: 'numeric', text: 'text', 'date-time': 'datetime' }[group as 'text'],
        ]).toEqual([column.dim, column.datatype]);
      }
    }
  });

  it('has rules of every kind, for users, groups and by default, and of a cube set', () => {
    using appliedSeed = new AppliedSeed('demo');
    const rules = appliedSeed.store.extractRules.map((rule) => extractRuleSchema.parse(rule));
    const kinds = rules.flatMap((rule) =>
      (rule.shares ?? []).map(
        (share) => `${share.type} ${rule.allMembers ?? (rule.exclusionary === true ? 'except' : 'only')}`,
      ),
    );
    expect(kinds).toEqual(
      expect.arrayContaining([
        'user only',
        'user except',
        'user true',
        'user false',
        'group only',
        'group except',
        'group true',
        'group false',
        'default true',
        'default false',
      ]),
    );
    const sets = rules.filter((rule) => rule.server === 'set').map((rule) => rule.elasticube);
    expect([...new Set(sets)]).toEqual(demoCubeSets.map(({ name }) => name));
    expect(appliedSeed.store.liveRules.length).toBeGreaterThan(3);
  });
});

describe('seed large', () => {
  it('has many tables, columns, rules and viewpoints', () => {
    using appliedSeed = new AppliedSeed('large');
    const [model] = appliedSeed.parseModels();
    const tables = model === undefined ? [] : getTables(model);
    expect(tables).toHaveLength(500);
    expect(new Set(tables.map((table) => table.columns?.length))).toEqual(new Set([40]));
    expect(appliedSeed.store.extractRules).toHaveLength(2000);
    expect(appliedSeed.store.viewpoints).toHaveLength(5000);
  });
});

describe('seed empty', () => {
  it('has users and groups only', () => {
    using appliedSeed = new AppliedSeed('empty');
    const { users, groups, ...rest } = appliedSeed.store;
    expect([users.length, groups.length]).toEqual([12, 8]);
    expect(Object.values(rest).flat()).toEqual([]);
  });
});
