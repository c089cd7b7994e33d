import type { JsonObject } from '../../base/json.ts';
import { asObject, getObjects } from '../model/readJson.ts';
import { isSameField } from '../model/fieldChanges.ts';
import { loadKeptColumns } from './loadKeptColumns.ts';
import type { Documents } from '../model/snapshot.ts';
import type { Write } from '../model/operation.ts';
import type { Reach } from '../model/writeKind.ts';

/**
 * Returns the reach of a PATCH of a table. A removed name or changed type may be used by SQL, rules and viewpoints; an
 * added name may make a name in SQL ambiguous.
 */
export async function getTableReach({ body, target }: Write, documents: Documents): Promise<Reach> {
  const stored = asObject(target && documents.get(target));
  const sent = asObject(body);
  const after = new Map(getObjects(sent['columns']).map((column) => [column['oid'], column]));
  const isGone = getObjects(stored['columns']).some((column) => {
    const next = after.get(column['oid'] ?? '');
    return next === undefined || differs(column, next, 'name') || differs(column, next, 'type');
  });
  const isLost =
    'expression' in sent &&
    !getObjects(stored['columns']).every(await loadKeptColumns(stored['expression'], sent['expression']));
  if (differs(stored, sent, 'name') || ('columns' in sent && isGone) || isLost) {
    return 'rules and viewpoints';
  }
  return getObjects(sent['columns']).some(({ oid }) => !oid) ? 'datamodel' : 'itself';
}

/** Returns whether a field is sent with a value other than the stored one. */
const differs = (stored: JsonObject, sent: JsonObject, field: string): boolean =>
  field in sent && !isSameField(sent[field], stored[field]);
