import { type JsonObject, type JsonValue, isJsonObject } from '../../../../src/base/json.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { getObjects, getText, omitMembers } from '../../../../src/changes/model/jsonMembers.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { serverConnectionFields } from '../../../../src/contract/datamodel.ts';
import { type Expression, getExpressionText } from '../../../../src/contract/table.ts';
import { type PlanInput, type PreparedPlan, preparePlan } from '../../../../src/project/apply/preparePlan.ts';
import { toWrittenItems } from '../../../../src/project/apply/finishApply.ts';
import { createAppliedLock } from '../../../../src/project/apply/appliedLock.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { nameDatasets } from '../../../../src/project/instance/datasetNames.ts';
import { readTables } from '../../../../src/project/instance/identifiers.ts';
import { type ItemKind, formatItemKey } from '../../../../src/project/item.ts';
import { emptyLock } from '../../../../src/project/pull/lock.ts';
import { readInstance } from '../../../../src/project/source/readInstance.ts';
import type { Selection } from '../../../../src/project/source/selection.ts';
import type { BuildJob, BuildOutcome, BuiltColumn } from '../../../../src/sandbox/engine/buildEngine.ts';
import type { ProfileName } from '../../../../src/sandbox/profiles/profile.ts';
import type { Seed } from '../../../../src/sandbox/seeds/seed.ts';
import { ChangeFixture, createOperation } from '../../changes/run/support.ts';
import { PulledProject } from '../pull/pullSupport.ts';

/** The initial documents of a test instance. */
export interface InstanceContent {
  readonly datamodels?: readonly JsonObject[];
  readonly extractRules?: readonly JsonObject[];
  readonly liveRules?: readonly JsonObject[];
  readonly viewpoints?: readonly JsonObject[];
  readonly users?: readonly Parameters<Parameters<Seed['apply']>[0]['insertUser']>[0][];
  readonly groups?: readonly Parameters<Parameters<Seed['apply']>[0]['insertGroup']>[0][];
}

export const createSeed = (content: InstanceContent): Seed => ({
  name: 'empty',
  apply(store) {
    content.users?.forEach((user) => store.insertUser(user));
    content.groups?.forEach((group) => store.insertGroup(group));
    content.datamodels?.forEach((model) => store.insertDatamodel(model));
    content.extractRules?.forEach((rule) => store.insertExtractRule(rule));
    content.liveRules?.forEach((rule) => store.insertLiveRule(rule));
    content.viewpoints?.forEach((viewpoint) => store.insertViewpoint(viewpoint));
  },
});

/** The columns that the SQL of custom tables returns, by the SQL. */
export type QueryColumns = ReadonlyMap<string, readonly BuiltColumn[]>;

const getSql = (table: JsonObject): string =>
  (getExpressionText(table['expression'] as Expression | undefined) ?? '').trim();

/** Returns what the SQL of the custom tables of datamodels returns, according to their columns. */
export const readQueryColumns = (datamodels: readonly JsonObject[]): QueryColumns =>
  new Map(
    datamodels
      .flatMap((model) => getObjects(model['datasets']).flatMap(readTables))
      .filter(({ type }) => type === 'custom')
      .map((table) => [
        getSql(table),
        getObjects(table['columns'])
          .filter(({ isCustom }) => isCustom !== true)
          .map(({ name, type }) => ({ name: getText(name), type: Number(type) })),
      ]),
  );

const everything: Selection = {
  includesDatamodel: () => true,
  includesViewpoint: () => true,
  hasViewpoints: true,
  cubeSets: [],
  customData: new Map(),
};

const noSignal = new AbortController().signal;

/**
 * An instance in memory that projects are pulled from and applied to. The SQL of its tables returns the given columns.
 */
export class TestInstance implements Disposable {
  readonly fixture: ChangeFixture;
  readonly profile: ProfileName;
  /** The writes of all applied operations. */
  readonly writes: Write[] = [];
  readonly #queryColumns: QueryColumns;
  #builtCount = 0;

  constructor(profile: ProfileName, content: InstanceContent, queryColumns: QueryColumns = new Map()) {
    this.profile = profile;
    this.#queryColumns = queryColumns;
    this.fixture = new ChangeFixture({
      profile,
      seed: createSeed(content),
      tasks: {
        getQueryColumns: async (_datamodel, sql) => queryColumns.get(sql.trim()),
      },
    });
    this.fixture.sandbox.engine.outcome = (job) => this.#getOutcome(job);
  }

  #getOutcome({ datamodel }: BuildJob): BuildOutcome {
    const tables = getObjects(datamodel['datasets'])
      .flatMap(readTables)
      .filter(({ type }) => type === 'custom');
    return {
      status: 'done',
      columns: Object.fromEntries(
        tables.map((table) => [getText(table['oid']), this.#queryColumns.get(getSql(table)) ?? []]),
      ),
      rowCounts: {},
    };
  }

  read(selection: Selection = everything) {
    return readInstance(this.fixture.client, { selection, signal: noSignal, log: silentLog });
  }

  async pull(project: PulledProject) {
    const { documents, isNotRead } = await this.read();
    return project.pull(documents, { isUnknownOnInstance: isNotRead });
  }

  /** Compares a project with the instance, and creates the writes that apply it. */
  async prepare(
    project: PulledProject,
    options: Partial<Pick<PlanInput, 'prunedKinds' | 'getConnection' | 'lock' | 'reading'>> = {},
  ): Promise<PreparedPlan> {
    return preparePlan({
      customDataFilters: new Map(),
      client: this.fixture.client,
      project: parseProject({ texts: project.texts, faults: [] }),
      lock: project.lock,
      reading: options.reading ?? (await this.read()),
      prunedKinds: new Set(),
      getConnection: getTestConnection,
      signal: noSignal,
      ...options,
    });
  }

  /** Sends writes as the command does. */
  async send(writes: readonly Write[]): Promise<void> {
    this.writes.push(...writes);
    const { writer } = this.fixture.open();
    const sent = createOperation(writes, 'apply', 'Project');
    const { planHash } = await writer.plan(sent);
    await writer.run(sent, { approval: writer.approve(planHash), confirmedPlanHash: planHash });
  }

  /** Applies what can be applied now, and updates the lock of the project as the command does. */
  async apply(
    project: PulledProject,
    options: Parameters<TestInstance['prepare']>[1] = {},
  ): Promise<PreparedPlan> {
    const prepared = await this.prepare(project, options);
    const { problems, writes } = prepared.compiled;
    if (problems.length > 0) {
      throw new Error(JSON.stringify(problems));
    }
    if (writes.length > 0) {
      await this.send(writes);
    }
    const { pulled, comparison } = await this.prepare(project, options);
    project.lock = createAppliedLock(project.lock, {
      project: parseProject({ texts: project.texts, faults: [] }),
      pulled,
      comparison,
      ...toWrittenItems({ prepared }),
    });
    return prepared;
  }

  /** Builds every datamodel, or publishes it. */
  async build(): Promise<void> {
    const { client, sandbox } = this.fixture;
    for (const { oid, type } of (await client.datamodels.list()).value) {
      await client.builds.start({ datamodelId: oid, buildType: type === 'live' ? 'publish' : 'full' });
      await sandbox.clock.advance(10_000);
    }
    this.#builtCount += 1;
  }

  get builtCount(): number {
    return this.#builtCount;
  }

  /** The bodies and addresses of all requests that changed something. */
  get sentTexts(): readonly string[] {
    return this.fixture.transport.requests
      .filter(({ method }) => method !== 'GET')
      .map(({ method, url, body }) => `${method} ${url} ${body ?? ''}`);
  }

  [Symbol.dispose](): void {
    this.fixture[Symbol.dispose]();
  }
}

/** Returns the connection that an environment defines for every dataset. */
export const getTestConnection = (): JsonObject => ({
  provider: 'CSV',
  parameters: { folder: '/target' },
});

/** Creates a function that looks up the connection of a dataset, as an environment defines it. */
export function createConnectionLookup(
  datamodels: readonly JsonObject[],
): (datamodel: string, dataset: string) => JsonObject | undefined {
  const connections = new Map(
    datamodels.flatMap(({ title, datasets }) => {
      const objects = getObjects(datasets);
      const names = nameDatasets(objects);
      return objects.flatMap((dataset) =>
        isJsonObject(dataset['connection'])
          ? [
              [
                JSON.stringify([title, names.get(dataset)]),
                omitMembers(dataset['connection'], ...serverConnectionFields),
              ] as const,
            ]
          : [],
      );
    }),
  );
  return (datamodel, dataset) => connections.get(JSON.stringify([datamodel, dataset]));
}

/** Applies a project to an instance until nothing is left to do, with builds in between. Returns the last plan. */
export async function applyCompletely(
  instance: TestInstance,
  project: PulledProject,
  options: Parameters<TestInstance['prepare']>[1] = {},
): Promise<PreparedPlan> {
  for (let round = 0; round < 5; round += 1) {
    const prepared = await instance.apply(project, options);
    if (prepared.comparison.changes.length === 0) {
      return prepared;
    }
    if (round > 0 || prepared.compiled.deferred.length > 0) {
      await instance.build();
    }
  }
  throw new Error('The project could not be applied completely');
}

/** Pulls an instance into a new project. */
export async function pullNew(instance: TestInstance): Promise<PulledProject> {
  const project = new PulledProject();
  const plan = await instance.pull(project);
  if (plan.conflicts.length > 0 || plan.skippedItems.length > 0) {
    throw new Error(JSON.stringify([plan.conflicts, plan.skippedItems]));
  }
  return project;
}

/** Copies a project without its lock, for an instance that it has not been used with. */
export const copyForOtherInstance = ({ texts }: PulledProject): PulledProject =>
  new PulledProject(texts, emptyLock);

/** Collects everything that identifies something on an instance. */
export function collectIdentifiers(documents: JsonValue): ReadonlySet<string> {
  const ids = new Set<string>();
  const visit = (value: JsonValue): void => {
    if (Array.isArray(value)) {
      (value as readonly JsonValue[]).forEach(visit);
    } else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        const isId =
          name === 'oid' ||
          name === '_id' ||
          (/^(?:id|party|partyId|creator)$|Id$/.test(name) &&
            typeof member === 'string' &&
            /^[0-9a-f]{24}$|^[0-9a-f]{8}-/.test(member));
        if (isId && typeof member === 'string' && member !== '') {
          ids.add(member);
        } else {
          visit(member);
        }
      }
    }
  };
  visit(documents);
  return ids;
}

/**
 * What no request can set, by kind (rest-api.md, "Datamodel", "Dataset", "Table", "Relation"): an instance has its
 * defaults there, whatever another one had. Of a datamodel, that is everything but its title and type.
 */
const unsettableMembers: Readonly<Partial<Record<ItemKind, readonly string[]>>> = {
  dataset: ['liveQuerySettings', 'modelingTransformations', 'schedule'],
  table: ['displayName', 'isMaterialized', 'schemaName', 'tupleTransformations'],
};

/** What a build computes from the SQL of a custom table. */
const generatedColumnMembers = ['id', 'indexed', 'isUpsertBy', 'precision', 'scale', 'size', 'type'];

/** Returns the items of a project without what no request can set, by the texts of their keys. */
export const getSettableContents = ({ texts }: PulledProject): Readonly<Record<string, JsonValue>> =>
  Object.fromEntries(
    parseProject({ texts, faults: [] }).items.map(({ key, content }) => {
      if (!isJsonObject(content)) {
        return [formatItemKey(key), content];
      }
      if (key.kind === 'datamodel') {
        const { title = null, type = null } = content;
        return [formatItemKey(key), { title, type }];
      }
      const { columns, ...others } = omitMembers(content, ...(unsettableMembers[key.kind] ?? []));
      const isGenerated = key.kind === 'table' && content['type'] === 'custom';
      return [
        formatItemKey(key),
        {
          ...others,
          ...(columns === undefined
            ? {}
            : {
                columns: isGenerated
                  ? getObjects(columns).map((column) => omitMembers(column, ...generatedColumnMembers))
                  : columns,
              }),
        },
      ];
    }),
  );
