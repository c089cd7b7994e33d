import { getTitleFromFullname, livePrefix } from '../contract/terms.ts';
import type { Viewpoint } from '../contract/viewpoint.ts';
import { compareNaturally } from './naturalOrder.ts';

/** The datamodel that a viewpoint names as its data source. */
interface ViewpointDatamodel {
  /** Identifies the datamodel among those that viewpoints name. */
  readonly key: string;
  /** `undefined` if the viewpoint names no datamodel. */
  readonly title: string | undefined;
  /** `server/title` or `live:title`, if the viewpoint has it. */
  readonly fullname: string | undefined;
}

/** The viewpoints that read from one datamodel. */
export interface ViewpointGroup extends ViewpointDatamodel {
  readonly viewpoints: readonly Viewpoint[];
}

/**
 * Groups viewpoints by the datamodel of their data source (rest-api.md, "ViewpointDetails"), sorted by title; the group
 * without a datamodel is last. Datamodels with the same title on several servers, or an extract and a live one, are
 * different groups. A viewpoint that has only a title belongs to the datamodel with this title. If several datamodels
 * have the title, such viewpoints form a separate group, since it is unknown which datamodel they read from. Within a
 * group, viewpoints keep their order.
 */
export function groupByDatamodel(viewpoints: readonly Viewpoint[]): readonly ViewpointGroup[] {
  const viewpointsWithDatamodel = viewpoints.map((viewpoint) => ({
    viewpoint,
    datamodel: getViewpointDatamodel(viewpoint),
  }));
  const datamodelsByTitle = Map.groupBy(
    new Map(
      viewpointsWithDatamodel.flatMap(({ datamodel }) =>
        datamodel.fullname === undefined ? [] : [[datamodel.key, datamodel] as const],
      ),
    ).values(),
    ({ title }) => title,
  );
  const resolve = (datamodel: ViewpointDatamodel): ViewpointDatamodel => {
    const [match, otherMatch] = datamodelsByTitle.get(datamodel.title) ?? [];
    return datamodel.fullname !== undefined || match === undefined || otherMatch !== undefined
      ? datamodel
      : match;
  };
  const groups = new Map<string, ViewpointDatamodel & { readonly viewpoints: Viewpoint[] }>();
  for (const { viewpoint, datamodel } of viewpointsWithDatamodel) {
    const resolved = resolve(datamodel);
    const group = groups.get(resolved.key) ?? { ...resolved, viewpoints: [] };
    group.viewpoints.push(viewpoint);
    groups.set(resolved.key, group);
  }
  return [...groups.values()].sort(
    (a, b) =>
      Number(a.title === undefined) - Number(b.title === undefined) ||
      compareNaturally(a.title ?? '', b.title ?? '') ||
      compareNaturally(a.fullname ?? '', b.fullname ?? ''),
  );
}

/** Returns the datamodel that a viewpoint names as its data source. */
export function getViewpointDatamodel({ details }: Viewpoint): ViewpointDatamodel {
  const { id, title, fullname } = details?.datasource ?? {};
  if (fullname) {
    // The names of servers are not case-sensitive, titles are (platform-facts.md, 3.1).
    const start = fullname.startsWith(livePrefix) ? 0 : fullname.lastIndexOf('/') + 1;
    const key = `${fullname.slice(0, start).toLowerCase()}${fullname.slice(start)}`;
    return {
      key: JSON.stringify(['fullname', key]),
      title: title || getTitleFromFullname(fullname),
      fullname,
    };
  }
  const name = title || id || undefined;
  return { key: JSON.stringify(['title', name ?? null]), title: name, fullname: undefined };
}
