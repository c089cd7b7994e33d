import type { JsonObject } from '../../base/json.ts';
import { asObject, getObjects } from '../model/jsonMembers.ts';
import { isSameField } from '../model/fieldChanges.ts';
import { loadKeptColumnPredicate } from './loadKeptColumnPredicate.ts';
import type { Documents } from '../model/snapshot.ts';
import type { Write } from '../model/operation.ts';
import type { Reach } from '../model/writeKind.ts';

/**
 * Returns the reach of a PATCH of a table. A removed name or changed type may be used by SQL, rules and viewpoints; an
 * added name may make a name in SQL ambiguous.
 */
export async function getTableReach({ body, target }: Write, documents: Documents): Promise<Reach> {
  const stored = asObject(target && documents.get(target));
  const payload = asObject(body);
  const sentColumnsByOid = new Map(getObjects(payload['columns']).map((column) => [column['oid'], column]));
  const removesNameOrType = getObjects(stored['columns']).some((column) => {
    const sentColumn = sentColumnsByOid.get(column['oid'] ?? '');
    return (
      sentColumn === undefined || differs(column, sentColumn, 'name') || differs(column, sentColumn, 'type')
    );
  });
  const removesGeneratedColumn =
    'expression' in payload &&
    !getObjects(stored['columns']).every(
      await loadKeptColumnPredicate(stored['expression'], payload['expression']),
    );
  if (
    differs(stored, payload, 'name') ||
    ('columns' in payload && removesNameOrType) ||
    removesGeneratedColumn
  ) {
    return 'rules and viewpoints';
  }
  return getObjects(payload['columns']).some(({ oid }) => !oid) ? 'datamodel' : 'itself';
}

/** Returns whether a field is sent with a value other than the stored one. */
const differs = (stored: JsonObject, payload: JsonObject, field: string): boolean =>
  field in payload && !isSameField(payload[field], stored[field]);
