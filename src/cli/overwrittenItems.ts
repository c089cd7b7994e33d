import type { HistoryEntry } from '../changes/journal/entry.ts';
import { type WrittenDocument, getWrittenDocuments } from '../changes/journal/writtenDocuments.ts';
import { isCustomTable } from '../project/compare/compareContents.ts';
import { type ItemKey, formatItemKey } from '../project/item.ts';
import { formatItem } from './itemLabels.ts';
import type { LoadedPlan } from './projectPlan.ts';

/**
 * Finds the items that a finished apply has written and that differ from the project again: others have changed them
 * since. What needs a build or another apply isn't included.
 * @param after the project and the instance
 * @param titles the titles of the datamodels by ID
 */
export function findOverwrittenItems(
  { prepared: { comparison, compiled } }: Pick<LoadedPlan, 'prepared'>,
  finished: HistoryEntry,
  titles: ReadonlyMap<string, string>,
): readonly string[] {
  const written = getWrittenDocuments(finished, titles);
  const deferred = new Set(compiled.deferred.map(({ key }) => formatItemKey(key)));
  return comparison.changes.flatMap(({ key, parts }) => {
    const item = formatItemKey(key);
    const isWaiting = deferred.has(item) || (key.kind === 'table' && isCustomTable(parts[0]?.after));
    return !isWaiting && written.some((document) => belongsTo(document, key)) ? [item] : [];
  });
}

/** The number of items that are named. */
const maxNames = 10;

/** Says which items others have changed. */
export function describeOverwrittenItems(items: readonly string[]): string {
  const names = items.slice(0, maxNames).map(formatItem).join(', ');
  const moreCount = items.length - maxNames;
  return `The change was finished, but the instance differs from the project again, because others have changed what was written: ${names}${moreCount > 0 ? `, and ${moreCount} more` : ''}.`;
}

/** Returns whether a document belongs to an item; the SQL of a table and of its columns is in the document of the table. */
function belongsTo({ kind, name, within }: WrittenDocument, key: ItemKey): boolean {
  switch (key.kind) {
    case 'datamodel':
      return kind === 'datamodel' && name === key.datamodel;
    case 'dataset':
      return kind === 'dataset' && within === key.datamodel && name === key.dataset;
    case 'table':
    case 'tableExpression':
    case 'columnExpression':
      return kind === 'table' && within === key.datamodel && name === key.table;
    case 'relation':
      // The document has no names of columns.
      return kind === 'relation' && within === key.datamodel;
    case 'rules':
      return kind === 'columnRules' && within === key.datamodel && name === `${key.table}.${key.column}`;
    case 'cubeSetRules':
      return kind === 'columnRules' && within === key.cubeSet && name === `${key.table}.${key.column}`;
    case 'viewpoint':
      return kind === 'viewpoint' && name === key.viewpoint;
    case 'customData':
      // Nor has an object of custom data the name that the project gives it.
      return kind === 'customDataObject';
  }
}
