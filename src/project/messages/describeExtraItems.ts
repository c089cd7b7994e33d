import type { Localize } from '../../base/localize.ts';
import { type InstanceOnlyKind, allInstanceOnlyKinds } from '../plan/remainingDifferences.ts';

/**
 * Returns a sentence that counts the items, columns, and properties that only an instance has, by kind; empty if there
 * are none. What belongs to such an item isn't listed, so it isn't counted either.
 */
export function describeExtraItems(t: Localize, kinds: readonly InstanceOnlyKind[]): string {
  return kinds.length === 0 ? '' : t('Only on the instance, kept: {0}.', countKinds(t, kinds));
}

/** Counts items by kind, such as `2 tables, rules on 1 column`. */
export function countKinds(t: Localize, kinds: readonly InstanceOnlyKind[]): string {
  const groups = Map.groupBy(kinds, (kind) => kind);
  return allInstanceOnlyKinds
    .flatMap((kind) => {
      const count = groups.get(kind)?.length ?? 0;
      return count === 0 ? [] : [formatCount(t, kind, count)];
    })
    .join(', ');
}

function formatCount(t: Localize, kind: InstanceOnlyKind, count: number): string {
  const isOne = count === 1;
  switch (kind) {
    case 'datamodel':
      return isOne ? t('1 datamodel') : t('{0} datamodels', count);
    case 'dataset':
      return isOne ? t('1 dataset') : t('{0} datasets', count);
    case 'table':
      return isOne ? t('1 table') : t('{0} tables', count);
    case 'column':
      return isOne ? t('1 column') : t('{0} columns', count);
    case 'property':
      return isOne ? t('1 property') : t('{0} properties', count);
    case 'tableExpression':
      return isOne ? t('SQL of 1 custom table') : t('SQL of {0} custom tables', count);
    case 'columnExpression':
      return isOne ? t('SQL of 1 custom column') : t('SQL of {0} custom columns', count);
    case 'relation':
      return isOne ? t('1 relation') : t('{0} relations', count);
    case 'rules':
      return isOne ? t('rules on 1 column') : t('rules on {0} columns', count);
    case 'viewpoint':
      return isOne ? t('1 viewpoint') : t('{0} viewpoints', count);
    case 'cubeSetRules':
      return isOne ? t('rules of cube sets on 1 column') : t('rules of cube sets on {0} columns', count);
    case 'customData':
      return isOne ? t('1 custom data object') : t('{0} custom data objects', count);
  }
}
