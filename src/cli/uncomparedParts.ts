import type { HistoryEntry } from '../changes/journal/entry.ts';
import { findDatamodel } from '../project/apply/unreadFiles.ts';
import { formatItemKey, type ItemKey, parseItemKey } from '../project/item.ts';
import { getUncomparedParts } from './planOutput.ts';
import type { LoadedPlan } from './projectPlan.ts';

type InstancePart = LoadedPlan['reading']['failedParts'][number]['part'];

type ComparedPlan = Parameters<typeof getUncomparedParts>[0] & Pick<LoadedPlan, 'prepared'>;

/**
 * Returns what could not be compared after an interrupted apply was finished, and why. `included` belongs to the
 * datamodels and other resources that the apply has changed, so the result of the apply is unknown. `others` doesn't.
 * @param finished the journal of the apply. A journal of an earlier version doesn't contain the changed items: then
 *   everything is `included`
 */
export function splitUncomparedParts(
  after: ComparedPlan,
  finished: HistoryEntry,
): Readonly<Record<'included' | 'others', ReturnType<typeof getUncomparedParts>>> {
  const { items } = finished.operation.project ?? {};
  if (items === undefined) {
    return { included: getUncomparedParts(after), others: [] };
  }
  const keys = items.flatMap(({ key, from }) =>
    [key, ...(from === undefined ? [] : [from])].flatMap((text) => parseItemKey(text) ?? []),
  );
  const included = new Set(keys.map(getScope));
  const select = (isIncluded: boolean) => {
    const isSelected = (key: ItemKey): boolean => included.has(getScope(key)) === isIncluded;
    const { prepared, project, reading } = after;
    return getUncomparedParts({
      ...after,
      project: {
        ...project,
        problems: project.problems.filter(({ path }) => {
          const datamodel = findDatamodel(project, path);
          // A file that belongs to no datamodel may contain anything.
          return datamodel === undefined ? isIncluded : isSelected({ kind: 'datamodel', datamodel });
        }),
      },
      reading: {
        ...reading,
        failedParts: reading.failedParts.filter(
          ({ part }) => keys.some((key) => mayContain(part, key)) === isIncluded,
        ),
      },
      prepared: {
        ...prepared,
        pulled: {
          ...prepared.pulled,
          conversionErrors: prepared.pulled.conversionErrors.filter(({ key }) => isSelected(key)),
        },
        itemsUnderOtherNames: prepared.itemsUnderOtherNames.filter(isSelected),
        unreadItems: prepared.unreadItems.filter(isSelected),
      },
    });
  };
  return { included: select(true), others: select(false) };
}

/**
 * Returns a text that identifies the datamodel or cube set that an item belongs to, or the item itself if it belongs to
 * neither.
 */
const getScope = (key: ItemKey): string =>
  'datamodel' in key
    ? formatItemKey({ kind: 'datamodel', datamodel: key.datamodel })
    : key.kind === 'cubeSetRules'
      ? `cubeSet/${key.cubeSet}`
      : formatItemKey(key);

/** Returns whether a part of an instance contains an item, or something else of the same datamodel or cube set. */
function mayContain(part: InstancePart, key: ItemKey): boolean {
  switch (part.kind) {
    case 'people':
      return true;
    case 'datamodels':
      return 'datamodel' in key;
    case 'datamodel':
    case 'rules':
      return 'datamodel' in key && key.datamodel === part.datamodel;
    case 'viewpoints':
      return key.kind === 'viewpoint';
    case 'cubeSetRules':
      return key.kind === 'cubeSetRules' && key.cubeSet === part.cubeSet;
    case 'customData':
      return key.kind === 'customData' && key.name === part.name;
  }
}
