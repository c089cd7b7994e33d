import type { HistoryEntry } from '../changes/journal/entry.ts';
import { findDatamodel } from '../project/apply/unreadFiles.ts';
import { formatItemKey, type ItemKey, parseItemKey } from '../project/item.ts';
import { getUncomparedParts } from './planOutput.ts';
import type { LoadedPlan } from './projectPlan.ts';

type InstancePart = LoadedPlan['reading']['failedParts'][number]['part'];

type ComparedPlan = Parameters<typeof getUncomparedParts>[0] & Pick<LoadedPlan, 'prepared'>;

/**
 * Returns what could not be compared after an interrupted apply was finished, and why, separated by whether it belongs to
 * the datamodels and other resources that the apply has changed. Nothing else says anything about its result.
 * @param finished the journal of the apply. That of an earlier version doesn't contain its items: then all may belong to it
 */
export function splitUncomparedParts(
  after: ComparedPlan,
  { operation }: HistoryEntry,
): Readonly<Record<'included' | 'others', ReturnType<typeof getUncomparedParts>>> {
  const { items } = operation.project ?? {};
  if (items === undefined) {
    return { included: getUncomparedParts(after), others: [] };
  }
  const keys = items.flatMap(({ key, from }) =>
    [key, ...(from === undefined ? [] : [from])].flatMap((text) => parseItemKey(text) ?? []),
  );
  const included = new Set(keys.map(getScope));
  const select = (isIncluded: boolean) => {
    const hasScope = (key: ItemKey): boolean => included.has(getScope(key)) === isIncluded;
    const { prepared, project, reading } = after;
    return getUncomparedParts({
      ...after,
      project: {
        ...project,
        problems: project.problems.filter(({ path }) => {
          const datamodel = findDatamodel(project, path);
          // It's unknown what another file contains.
          return datamodel === undefined ? isIncluded : hasScope({ kind: 'datamodel', datamodel });
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
          refusals: prepared.pulled.refusals.filter(({ key }) => hasScope(key)),
        },
        itemsUnderOtherNames: prepared.itemsUnderOtherNames.filter(hasScope),
        unreadItems: prepared.unreadItems.filter(hasScope),
      },
    });
  };
  return { included: select(true), others: select(false) };
}

/** Returns a text for what an item belongs to: its datamodel or cube set, or else itself. */
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
