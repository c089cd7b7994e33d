import * as vscode from 'vscode';
import type { InstanceCatalog } from '../../catalog/instanceCatalog.ts';
import { getModelExpressions } from '../../catalog/modelExpressions.ts';
import { sortByName } from '../../catalog/naturalOrder.ts';
import { type ResourceRef, isSameRef } from '../../catalog/resourceRef.ts';
import { getRuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import { type Datamodel, getDatasetName } from '../../contract/datamodel.ts';
import { getTableName } from '../../contract/table.ts';
import type { DatamodelTarget, ResourceTarget } from '../../contributions.ts';
import { showInformation } from '../../platform/messages.ts';
import { pickDatamodel } from '../../platform/pickDatamodel.ts';
import { pickFromInstances } from '../../platform/pickFromInstances.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { CompareDeps } from './deps.ts';

const t = vscode.l10n.t;

const comparableKinds = [
  'datamodel',
  'table',
  'tableExpression',
  'columnExpression',
  'rules',
  'columnRules',
  'viewpoint',
] as const satisfies readonly ResourceRef['kind'][];

/** A resource that can be compared with another one of its kind. */
export type ComparableRef = Extract<ResourceRef, { kind: (typeof comparableKinds)[number] }>;
type Source<Ref extends ComparableRef = ComparableRef> = ResourceTarget & { readonly resource: Ref };
/** A datamodel, or a resource that belongs to one. */
type DatamodelPartRef = Exclude<ComparableRef, { kind: 'viewpoint' }>;

export const isComparable = (ref: ResourceRef): ref is ComparableRef =>
  comparableKinds.some((kind) => kind === ref.kind);

/**
 * Lets the user pick what to compare a resource with. The user first picks a datamodel of any connection; those with
 * the title of the source's datamodel are listed first. If another datamodel than the source's is picked and contains a
 * resource with the same name, it is returned without another prompt.
 * @returns `undefined` if the user canceled, or if there is nothing to compare with
 */
export async function pickCounterpart(
  deps: CompareDeps,
  source: Source,
): Promise<ResourceTarget | undefined> {
  const { resource } = source;
  if (resource.kind === 'viewpoint') {
    return pickViewpoint(deps, source);
  }
  const sourceDatamodel = await findSourceDatamodel(deps, { ...source, resource });
  const isSourceDatamodel = ({
    connectionId,
    datamodelId,
  }: Pick<DatamodelTarget, 'connectionId' | 'datamodelId'>): boolean =>
    connectionId === source.connectionId && datamodelId === sourceDatamodel?.oid;
  const datamodel = await pickDatamodel(deps, getTitle(source), {
    // A table or column can also be compared with another one of its own datamodel.
    isExcluded: (candidate) => !canBeComparedWithinDatamodel(resource) && isSourceDatamodel(candidate),
    isPreferred: (candidate) => candidate.title === sourceDatamodel?.title && !isSourceDatamodel(candidate),
  });
  return datamodel && findOrPickInDatamodel(deps, { ...source, resource }, datamodel);
}

const canBeComparedWithinDatamodel = ({ kind }: ComparableRef): boolean =>
  kind === 'table' || kind === 'tableExpression' || kind === 'columnExpression';

const getTitle = ({ name }: ResourceTarget): string => t('Compare {0} With', toPlainText(name));

/** Finds the datamodel that a resource belongs to; `undefined` for the rules of a cube set. */
async function findSourceDatamodel(
  { sessions }: CompareDeps,
  { connectionId, resource }: Source<DatamodelPartRef>,
): Promise<Datamodel | undefined> {
  const { catalog } = await sessions.get(connectionId);
  return (await catalog.partial.datamodels()).value.find((datamodel) =>
    'subject' in resource
      ? isSameSubject(getRuleSubject(datamodel), resource.subject)
      : datamodel.oid === resource.datamodelId,
  );
}

/** Finds the counterpart of a resource in a datamodel; asks if nothing there has the name of the resource. */
async function findOrPickInDatamodel(
  { sessions }: CompareDeps,
  source: Source<DatamodelPartRef>,
  { connectionId, datamodelId, title }: DatamodelTarget,
): Promise<ResourceTarget | undefined> {
  const { catalog } = await sessions.get(connectionId);
  const { resource, name } = source;
  switch (resource.kind) {
    case 'datamodel':
      return { connectionId, resource: { kind: 'datamodel', datamodelId }, name: title, within: [] };
    case 'rules':
    case 'columnRules': {
      const datamodels = (await catalog.partial.datamodels()).value;
      const datamodel = datamodels.find(({ oid }) => oid === datamodelId);
      return (
        datamodel && {
          connectionId,
          resource: { ...resource, subject: getRuleSubject(datamodel) },
          name,
          within: [title],
        }
      );
    }
    case 'table':
      return pickPart(source, await listTables(catalog, { connectionId, datamodelId, title }));
    case 'tableExpression':
    case 'columnExpression':
      return pickPart(
        source,
        await listExpressions(catalog, resource.kind, { connectionId, datamodelId, title }),
      );
  }
}

type ListedDatamodel = Pick<DatamodelTarget, 'connectionId' | 'datamodelId' | 'title'>;

async function listTables(
  catalog: InstanceCatalog,
  { connectionId, datamodelId, title }: ListedDatamodel,
): Promise<readonly ResourceTarget[]> {
  const datasets = await catalog.datasets(datamodelId);
  const tables = await Promise.all(
    datasets.map(async (dataset) =>
      (await catalog.tables(datamodelId, dataset.oid)).map((table) => ({
        connectionId,
        resource: { kind: 'table', datamodelId, datasetId: dataset.oid, tableId: table.oid } as const,
        name: getTableName(table),
        within: [title, getDatasetName(dataset) ?? dataset.oid],
      })),
    ),
  );
  return tables.flat();
}

async function listExpressions(
  catalog: InstanceCatalog,
  kind: 'tableExpression' | 'columnExpression',
  { connectionId, datamodelId, title }: ListedDatamodel,
): Promise<readonly ResourceTarget[]> {
  const { datamodel } = await catalog.namedDatamodels.get(datamodelId);
  const datasetNames = new Map(
    (datamodel.datasets ?? []).map((dataset) => [dataset.oid, getDatasetName(dataset) ?? dataset.oid]),
  );
  return getModelExpressions(datamodel)
    .filter(({ resource }) => resource.kind === kind)
    .map(({ resource, table, column }) => {
      const within = [title, datasetNames.get(resource.datasetId) ?? resource.datasetId];
      return column === undefined
        ? { connectionId, resource, name: table, within }
        : { connectionId, resource, name: column, within: [...within, table] };
    });
}

/**
 * Returns the part with the same name (of a column, also of its table) if it is in another datamodel than the source;
 * otherwise lets the user pick one.
 */
async function pickPart(
  source: Source,
  parts: readonly ResourceTarget[],
): Promise<ResourceTarget | undefined> {
  const candidates = parts.filter(
    ({ connectionId, resource }) =>
      connectionId !== source.connectionId || !isSameRef(resource, source.resource),
  );
  const isInSourceDatamodel = candidates.length < parts.length;
  const counterpart = candidates.find((part) => getPartName(part) === getPartName(source));
  if (counterpart !== undefined && !isInSourceDatamodel) {
    return counterpart;
  }
  if (candidates.length === 0) {
    await showInformation(t('Nothing found to compare {0} with.', source.name));
    return undefined;
  }
  const items = sortByName(candidates, getPartName).map((part) => ({
    label: toPlainText(getPartName(part)),
    description: toPlainText(part.within[1] ?? ''),
    part,
  }));
  const pickedItem = await vscode.window.showQuickPick(items, {
    title: getTitle(source),
    matchOnDescription: true,
  });
  return pickedItem?.part;
}

/** Returns the name of a table, or that of a column with its table. */
const getPartName = ({ resource, name, within }: ResourceTarget): string =>
  resource.kind === 'columnExpression' ? `${within.at(-1)}.${name}` : name;

/** The maximum number of viewpoints listed per connection, rounded up to whole pages. */
const maxViewpoints = 1000;

function pickViewpoint(deps: CompareDeps, source: Source): Promise<ResourceTarget | undefined> {
  return pickFromInstances<ResourceTarget>(deps, {
    title: getTitle(source),
    placeholder: t('Select a viewpoint'),
    preferredTitle: t('Same Name'),
    loadItems: async (catalog, { id: connectionId }) =>
      (await listViewpoints(catalog))
        .map(
          ({ id, name }): ResourceTarget => ({
            connectionId,
            resource: { kind: 'viewpoint', viewpointId: id },
            name: name ?? id,
            within: [],
          }),
        )
        .filter(
          ({ resource }) => connectionId !== source.connectionId || !isSameRef(resource, source.resource),
        )
        .map((target) => ({
          label: toPlainText(target.name),
          isPreferred: target.name === source.name,
          target,
        })),
  });
}

/** Loads the viewpoints into a catalog of their own: otherwise the list in the Connections view would grow. */
async function listViewpoints(catalog: InstanceCatalog) {
  const freshCatalog = catalog.createEmptyCopy();
  try {
    const { viewpoints } = freshCatalog;
    let loaded = await viewpoints.loadFirst();
    while (loaded.hasMore && loaded.viewpoints.length < maxViewpoints) {
      loaded = await viewpoints.loadMore();
    }
    return loaded.viewpoints;
  } finally {
    freshCatalog.dispose();
  }
}
