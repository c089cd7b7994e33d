import { type JsonObject, getMember } from '../../../../src/base/json.ts';
import type { PlatformClient } from '../../../../src/client/platformClient.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import {
  type CompileInput,
  type CompiledOperation,
  compileOperation,
} from '../../../../src/project/apply/compileOperation.ts';
import { nothingOutside } from '../../../../src/project/apply/outsideLimits.ts';
import { findPartyIds } from '../../../../src/project/apply/partyIds.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { type InstanceDocuments, convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { formatItemKey } from '../../../../src/project/item.ts';
import type { PrunedKind, ProjectComparison } from '../../../../src/project/plan/compareProject.ts';
import { compare } from '../plan/planSupport.ts';
import { PulledProject } from '../pull/pullSupport.ts';

type Documents = Partial<InstanceDocuments>;

/** A column of a table; its ID follows from the names. */
export const createColumn = (table: string, name: string, members: JsonObject = {}): JsonObject => ({
  oid: `${table} ${name}`,
  id: name,
  name,
  type: 8,
  ...members,
});

export const createTable = (
  name: string,
  columns: readonly JsonObject[],
  members: JsonObject = {},
): JsonObject => ({
  oid: `table ${name}`,
  id: `source of ${name}`,
  type: 'base',
  name,
  columns,
  ...members,
});

/** A custom table, whose columns come from its SQL. */
export const createCustomTable = (
  name: string,
  columns: readonly JsonObject[],
  members: JsonObject = {},
): JsonObject => createTable(name, columns, { type: 'custom', expression: 'SELECT 1', ...members });

/** A relation between columns such as `Orders.Customer`. */
export const createRelation = (...columns: readonly string[]): JsonObject => ({
  oid: columns.join(' - '),
  columns: columns.map((name) => {
    const [tableName = '', columnName = ''] = name.split('.');
    return { dataset: 'dataset', table: `table ${tableName}`, column: `${tableName} ${columnName}` };
  }),
});

export const createRule = (name: string, members: JsonObject = {}): JsonObject => {
  const [tableName = '', columnName = ''] = name.split('.');
  return {
    _id: `rule ${name}`,
    table: tableName,
    column: columnName,
    datatype: 'numeric',
    members: ['1'],
    shares: [{ type: 'default' }],
    ...members,
  };
};

/** The documents of an instance with the datamodel M, which has the dataset S. */
export function createInstanceDocuments(
  tables: readonly JsonObject[],
  {
    relations = [],
    rules = [],
    dataset = {},
    ...others
  }: Documents & {
    readonly relations?: readonly JsonObject[];
    readonly rules?: readonly JsonObject[];
    readonly dataset?: JsonObject;
  } = {},
): Documents {
  const document: JsonObject = {
    oid: 'model',
    title: 'M',
    type: 'extract',
    server: 'LocalHost',
    datasets: [{ oid: 'dataset', name: 'S', type: 'extract', ...dataset, schema: { tables } }],
    relations,
  };
  return { datamodels: [{ document, rules }], ...others };
}

/** Pulls a project from an instance; its lock has the IDs of the instance. */
export function pullFrom(documents: Documents): PulledProject {
  const project = new PulledProject();
  project.pull(documents);
  return project;
}

export interface Compiled extends CompiledOperation {
  readonly comparison: ProjectComparison;
}

/** Compares a project with an instance, and compiles the writes that apply it. */
export async function compile(
  project: PulledProject,
  current: Documents,
  {
    prunedKinds = [],
    client,
    ...options
  }: Partial<
    Pick<CompileInput, 'customDataFilters' | 'getConnection' | 'titlesThatNeedBuild' | 'unknownRules'>
  > & {
    readonly prunedKinds?: readonly PrunedKind[];
    /** Finds groups that the instance doesn't list; without one, it lists all. */
    readonly client?: Pick<PlatformClient, 'groups'>;
  } = {},
): Promise<Compiled> {
  const documents = {
    datamodels: [],
    cubeSets: [],
    viewpoints: [],
    customData: [],
    users: [],
    groups: [],
    ...current,
  };
  const comparison = compare(project, documents, { prunedKinds: new Set(prunedKinds) });
  const { numberedReferences } = project.lock;
  const partyIds = await findPartyIds(comparison.changes, {
    documents,
    listsAll: client === undefined,
    numberedReferences,
    client: client ?? createGroupClient({}),
    signal: new AbortController().signal,
  });
  const compiled = compileOperation({
    comparison,
    project: parseProject({ texts: project.texts, faults: [] }),
    documents,
    identities: convertInstance({ ...documents, numberedReferences }).identities,
    partyIds,
    customDataFilters: new Map(),
    getConnection: () => undefined,
    titlesThatNeedBuild: new Set(),
    unknownRules: [],
    outsideLimits: nothingOutside,
    ...options,
  });
  return { comparison, ...compiled };
}

/** A client that finds groups by name, and records the names that were looked up in `lookups`. */
export function createGroupClient(
  groups: Readonly<Record<string, readonly string[]>>,
  lookups: string[] = [],
): Pick<PlatformClient, 'groups'> {
  const find = async (name: string) => {
    lookups.push(name);
    const json = (groups[name] ?? []).map((_id) => ({ _id, name }));
    return { value: json[0], json };
  };
  return { groups: { find } } as unknown as Pick<PlatformClient, 'groups'>;
}

export const summarizeProblems = ({ problems }: CompiledOperation): readonly string[] =>
  problems.map(({ code, key, name }) => `${code} ${formatItemKey(key)}: ${name}`);

export const summarizeDeferred = ({ deferred }: CompiledOperation): readonly string[] =>
  deferred.map(({ key, reason }) => `${reason} ${formatItemKey(key)}`);

/** Writes in short: the endpoint, and what is created, renamed, or protected. */
export const summarizeWrites = ({ writes }: CompiledOperation): readonly string[] =>
  writes.map(summarizeWrite);

function summarizeWrite({ endpoint, params, body = null, batch }: Write): string {
  const rules = Array.isArray(body) ? getObjects(body) : [];
  const name = getText(getMember(body, 'name')) || getText(getMember(body, 'title'));
  const names =
    rules.length > 0
      ? rules.map((rule) => `${getText(rule['table'])}.${getText(rule['column'])}`)
      : (batch?.ids ?? [name || Object.values(params).at(-1) || '']);
  return `${endpoint} ${names.join(' ')}`;
}
