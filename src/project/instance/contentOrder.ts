import { type JsonValue, isJsonObject } from '../../base/json.ts';
import { compareTexts } from '../../base/sortByText.ts';
import { getObjects, getText } from '../../changes/model/jsonMembers.ts';
import type { ItemKey } from '../item.ts';
import { normalizeRules } from './convertRules.ts';

/**
 * Sorts the lists in the content of an item whose order has no meaning, as a pull does: rules with their values and
 * parties, and the columns of a relation.
 */
export function orderAsPulled({ kind }: ItemKey, content: JsonValue): JsonValue {
  switch (kind) {
    case 'rules':
    case 'cubeSetRules':
      return normalizeRules(content);
    case 'relation':
      return isJsonObject(content)
        ? {
            ...content,
            columns: getObjects(content['columns']).toSorted(
              (a, b) =>
                compareTexts(getText(a['table']), getText(b['table'])) ||
                compareTexts(getText(a['column']), getText(b['column'])),
            ),
          }
        : content;
    case 'datamodel':
    case 'dataset':
    case 'table':
    case 'tableExpression':
    case 'columnExpression':
    case 'viewpoint':
    case 'customData':
      return content;
  }
}
