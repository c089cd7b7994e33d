import * as z from 'zod';
import { type PathDialect, type PathParams, formatPath } from '../contract/endpoints.ts';
import type { RuleSubject } from './ruleSubject.ts';

const idSchema = z.string().min(1);
const datamodelIds = { datamodelId: idSchema };
const datasetIds = { ...datamodelIds, datasetId: idSchema };
const tableIds = { ...datasetIds, tableId: idSchema };
const subjectSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('extract'), server: idSchema, elasticube: idSchema }),
  z.object({ kind: z.literal('live'), title: idSchema }),
]) satisfies z.ZodType<RuleSubject>;

/** Identifies a resource within its connection, without its name or contents. */
export const resourceRefSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('datamodel'), ...datamodelIds }),
  z.object({ kind: z.literal('dataset'), ...datasetIds }),
  z.object({ kind: z.literal('table'), ...tableIds }),
  z.object({ kind: z.literal('tableExpression'), ...tableIds }),
  z.object({ kind: z.literal('column'), ...tableIds, columnId: idSchema }),
  z.object({ kind: z.literal('columnExpression'), ...tableIds, columnId: idSchema }),
  z.object({ kind: z.literal('relation'), ...datamodelIds, relationId: idSchema }),
  z.object({ kind: z.literal('rules'), subject: subjectSchema }),
  z.object({ kind: z.literal('columnRules'), subject: subjectSchema, table: idSchema, column: idSchema }),
  z.object({ kind: z.literal('rule'), subject: subjectSchema, ruleId: idSchema }),
  z.object({ kind: z.literal('viewpoint'), viewpointId: idSchema }),
  z.object({ kind: z.literal('customData') }),
  z.object({ kind: z.literal('customDataObject'), objectId: idSchema }),
  z.object({ kind: z.literal('build'), buildId: idSchema }),
]);
export type ResourceRef = z.infer<typeof resourceRefSchema>;
export type ResourceKind = ResourceRef['kind'];

/** The ID that the platform gave the resource itself; `undefined` for collections. */
export function getRefId(ref: ResourceRef): string | undefined {
  switch (ref.kind) {
    case 'datamodel':
      return ref.datamodelId;
    case 'dataset':
      return ref.datasetId;
    case 'table':
    case 'tableExpression':
      return ref.tableId;
    case 'column':
    case 'columnExpression':
      return ref.columnId;
    case 'relation':
      return ref.relationId;
    case 'rule':
      return ref.ruleId;
    case 'viewpoint':
      return ref.viewpointId;
    case 'customDataObject':
      return ref.objectId;
    case 'build':
      return ref.buildId;
    case 'rules':
    case 'columnRules':
    case 'customData':
      return undefined;
  }
}

/**
 * The path of the request that returns the resource, as written in the guide. A resource without an address of its own
 * (a column, an expression, one rule, the rules of a live column, one custom data object) has that of its container.
 * @throws PathSegmentError for an ID that cannot be part of an address
 */
export function getApiPath(ref: ResourceRef, dialect: PathDialect = 'plain'): string {
  switch (ref.kind) {
    case 'datamodel':
      return formatPath('datamodels.get', getPathParams(ref), dialect);
    case 'dataset':
      return formatPath('datasets.get', getPathParams(ref), dialect);
    case 'table':
    case 'tableExpression':
    case 'column':
    case 'columnExpression':
      return formatPath('tables.get', getPathParams(ref), dialect);
    case 'relation':
      return formatPath('relations.get', getPathParams(ref), dialect);
    case 'rules':
    case 'rule':
      return getRulesPath(ref.subject);
    case 'columnRules':
      return ref.subject.kind === 'live'
        ? getRulesPath(ref.subject)
        : formatPath('extractRules.listByColumn', {
            ...getExtractPathParams(ref.subject),
            table: ref.table,
            column: ref.column,
          });
    case 'viewpoint':
      return formatPath('viewpoints.get', getPathParams(ref));
    case 'customData':
    case 'customDataObject':
      return formatPath('customData.list', {});
    case 'build':
      return formatPath('builds.get', getPathParams(ref));
  }
}

function getRulesPath(subject: RuleSubject): string {
  return subject.kind === 'live'
    ? formatPath('liveRules.list', { title: subject.title })
    : formatPath('extractRules.list', getExtractPathParams(subject));
}

const getExtractPathParams = ({
  server,
  elasticube,
}: Extract<RuleSubject, { kind: 'extract' }>): PathParams<'extractRules.list'> => ({ server, elasticube });

/** The IDs of a reference under the parameter names of the contract's paths. */
const getPathParams = ({
  kind: _kind,
  ...ids
}: Exclude<ResourceRef, { subject: unknown }>): Record<string, string> => ids;

/** True for the same resource, however the fields are ordered. */
export const isSameRef = (a: ResourceRef, b: ResourceRef): boolean =>
  a.kind === b.kind && getRefKey(a) === getRefKey(b);

/**
 * True if a datamodel, dataset, or table is or contains a resource, by the IDs in its reference. Rules belong to a
 * datamodel too, but their references have its title.
 */
export const containsRef = (container: ResourceRef, ref: ResourceRef): boolean =>
  isSameRef(container, ref) ||
  ('datamodelId' in container &&
    Object.entries(container).every(([name, id]) => name === 'kind' || Reflect.get(ref, name) === id));

/** A key that is the same for two references exactly if they refer to the same resource. */
export const getRefKey = (ref: ResourceRef): string => JSON.stringify(resourceRefSchema.parse(ref));
