import { isJsonObject, type JsonObject, type JsonValue, stringify } from '../../../../src/base/json.ts';
import type { ResourceRef } from '../../../../src/catalog/resourceRef.ts';
import type { WriteState } from '../../../../src/changes/journal/entry.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import type { Plan, PlanSubject } from '../../../../src/changes/model/plan.ts';
import type { UndoOperation } from '../../../../src/changes/journal/undo.ts';
import { isServerManagedField } from '../../../../src/contract/serverManagedFields.ts';
import { replaceIds } from './smallInstance.ts';
import type { ChangeFixture } from '../run/support.ts';

/** Formats a reference; IDs in it are replaced later. */
export const formatRef = ({ kind, ...ids }: ResourceRef): string =>
  [kind, ...Object.values(ids).map((id) => (typeof id === 'string' ? id : Object.values(id).join('/')))].join(
    ' ',
  );

const formatSubject = ({ kind, name, within, resource, rule }: PlanSubject): string =>
  [
    kind,
    [...within, name].join(' / '),
    ...(resource === undefined ? [] : [`<${formatRef(resource)}>`]),
    ...(rule === undefined ? [] : [stringify(toJson(rule))]),
  ].join(' ');

/** Converts a value with sets and maps to JSON. */
const toJson = (value: unknown): JsonValue =>
  JSON.parse(
    JSON.stringify(value, (_key, item: unknown) =>
      item instanceof Set || item instanceof Map ? [...item] : item,
    ),
  );

/** Describes what a plan shows. */
export async function describePlan({
  severity,
  created,
  changed,
  deleted,
  breaks,
  builds,
  unchecked,
  loadAccess,
}: Plan): Promise<readonly string[]> {
  const access = await loadAccess();
  return [
    `plan: ${severity}${unchecked.map((part) => `, ${part} unchecked`).join('')}`,
    ...created.map((subject) => `  creates ${formatSubject(subject)}`),
    ...changed.map(
      ({ fields, ruleAfter, ...subject }) =>
        `  changes ${formatSubject(subject)}: ${fields
          .map(({ field, before = '', after = '' }) => `${field} [${before}] -> [${after}]`)
          .join(', ')}${ruleAfter === undefined ? '' : ` ${stringify(toJson(ruleAfter))}`}`,
    ),
    ...deleted.map((subject) => `  deletes ${formatSubject(subject)}`),
    ...breaks.map(
      ({ referrer, referrerKind, names, reason, capturedBy }) =>
        `  breaks ${referrerKind} ${formatSubject(referrer)}: ${Object.values(names).join('.')} ${reason}${capturedBy === undefined ? '' : ` by ${capturedBy}`}`,
    ),
    ...builds.map(({ datamodelId, title, type }) => `  needs ${type} of ${title} <${datamodelId}>`),
    ...(access === undefined ? [] : [`  access ${stringify(toJson(access))}`]),
  ];
}

/** Describes writes as the history stores them. */
export const describeWrites = (writes: readonly Write[]): readonly string[] =>
  writes.map(({ endpoint, params, body, target, ...others }) =>
    [
      `  ${endpoint}`,
      stringify(params),
      ...(target === undefined ? [] : [`<${formatRef(target)}>`]),
      ...(body === undefined ? [] : [stringify(omitManaged(body))]),
      ...(Object.keys(others).length === 0 ? [] : [stringify(toJson(others))]),
    ].join(' '),
  );

/** Describes an undo before it is run. */
export const describeUndo = ({
  operation,
  losses,
  restoredIds,
  expectedVersions,
}: UndoOperation): readonly string[] => [
  ...describeWrites(operation.writes),
  ...losses.map(({ code, name }) => `  loses ${code} ${name}`),
  ...restoredIds.map(({ old, write, from }) => `  ${old} becomes ${from.join('.')} of write ${write}`),
  `  expects ${expectedVersions.map(({ ref, hash }) => `<${formatRef(ref)}>${hash.length === 64 ? '' : ` ${hash}`}`).join(' ')}`,
];

/** Describes the states of writes. */
export const describeStates = (states: readonly WriteState[]): string =>
  states
    .map((state) => {
      const { state: name, ...details } = state;
      const { status, denied, partly, metOthers, problem } = details as Partial<
        Extract<WriteState, { path: string }>
      >;
      return [
        name,
        status ?? [],
        denied ?? [],
        partly ? 'partly' : [],
        metOthers ? 'others' : [],
        problem ?? [],
      ]
        .flat()
        .join(' ');
    })
    .join('; ');

/** Omits what only makes the text long: fields without a value, those of the server, and details of columns. */
export const omitManaged = (value: JsonValue): JsonValue =>
  Array.isArray(value)
    ? (value as readonly JsonValue[]).map(omitManaged)
    : isJsonObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .filter(
              ([name, member]) => !isServerManagedField(name) && !detailFields.has(name) && member !== null,
            )
            .map(([name, member]) => [name, omitManaged(member)]),
        )
      : value;

const detailFields: ReadonlySet<string> = new Set([
  'size',
  'precision',
  'scale',
  'indexed',
  'isUpsertBy',
  'fullname',
  'parameters',
  'supportedModelTypes',
  'created',
  'createdAt',
  'createdBy',
]);

const assignedFields: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'created',
  'lastModified',
  'vTag',
  'fullname',
  'creator',
  'createdBy',
  'updatedBy',
  'tenant',
]);

/** Returns the lines of a document: one for each value, with the path to it. */
function flatten(value: JsonValue, path: string): readonly string[] {
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    return items.every((item) => !isJsonObject(item))
      ? [`${path}: ${stringify(value)}`]
      : items.flatMap((item, index) => flatten(item, `${path}/${getItemName(item) ?? index}`));
  }
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([name, member]) =>
        assignedFields.has(name) || isServerManagedField(name) ? [] : flatten(member, `${path}/${name}`),
      )
    : [`${path}: ${stringify(value)}`];
}

function getItemName(item: JsonValue): string | undefined {
  const { name, title, oid, _id, table, column, columns, shares } = item as JsonObject;
  if (column !== undefined && Array.isArray(shares)) {
    const parties = (shares as readonly JsonObject[]).map(({ party, partyId, type }) =>
      getText(party ?? partyId ?? type),
    );
    return `${getText(table)}.${getText(column)} of ${parties.join(' and ')}`;
  }
  const joined = Array.isArray(columns)
    ? (columns as readonly JsonObject[]).map((each) => getText(each['column'])).join('=')
    : undefined;
  const first = [title, name, joined, oid, _id, column].find((value) => typeof value === 'string');
  return typeof first === 'string' ? first : undefined;
}

/** Reads everything on the instance, as lines. */
export async function readInstanceLines({ sandbox }: ChangeFixture): Promise<readonly string[]> {
  const readBody = async (path: string): Promise<JsonValue> =>
    (await sandbox.send('GET', path)).body as JsonValue;
  const models = await readBody('/api/v2/datamodels');
  const viewpoints = await readBody('/api/v1/infusion/viewpoints?with=visibility,details&limit=1000');
  return [
    ...flatten(models, 'models'),
    ...flatten(await readBody('/api/elasticubes/LocalHost/Shop/datasecurity'), 'rules'),
    ...flatten(await readBody('/api/elasticubes/Set/All/datasecurity'), 'cube set rules'),
    ...flatten(await readBody('/api/v1/elasticubes/live/Desk/datasecurity'), 'live rules'),
    ...flatten((viewpoints as JsonObject)['viewpoints'] ?? null, 'viewpoints'),
    ...flatten(await readBody('/api/v1/custom_data'), 'data'),
  ]
    .map(replaceIds)
    .toSorted();
}

/** Describes what has changed on the instance. */
export function describeDifference(before: readonly string[], after: readonly string[]): readonly string[] {
  const lines = [
    ...findUniqueLines(before, after).map((line) => `  - ${line}`),
    ...findUniqueLines(after, before).map((line) => `  + ${line}`),
  ];
  return lines.length === 0 ? ['  as before'] : lines;
}

/** Returns the lines that `others` lacks. Lines of a part that `others` lacks entirely are only counted. */
function findUniqueLines(lines: readonly string[], others: readonly string[]): readonly string[] {
  const otherLines = new Set(others);
  const otherPaths = new Set(others.flatMap((line) => getPaths(line)));
  const groups = Map.groupBy(
    lines.filter((line) => !otherLines.has(line)),
    (line) => getPaths(line).find((path) => !otherPaths.has(path)) ?? line,
  );
  return [...groups].flatMap(([path, group]) =>
    group.length > 3 ? [`${path} (${group.length} values)`] : group,
  );
}

/** Returns the paths to a value and to everything that it is in, outermost first. */
function getPaths(line: string): readonly string[] {
  const names = line.slice(0, line.indexOf(': ')).split('/');
  return names.map((_name, index) => names.slice(0, index + 1).join('/'));
}
