import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Write } from '../model/operation.ts';
import type { InverseWrites } from '../model/inverseWrites.ts';
import { asObject, itemsOf, nameOf, textOf, wholeRelations, without } from '../model/read.ts';
import { relationBack } from './relationBack.ts';

/**
 * Takes a PATCH of a table back: every property that was sent gets its old value. A column that the server no longer
 * has is created again, since no request can bring its oid back (spec, Datamodel rule 2); what named it by oid,
 * relations and the accumulation, is pointed at the new one.
 */
export function tableBack(
  write: Write,
  before: { readonly old: JsonObject; readonly model: JsonValue | undefined },
  inverse: InverseWrites,
): void {
  const { params, body, target } = write;
  const { old, model } = before;
  const names = Object.keys(asObject(body));
  const now = asObject(target && inverse.present(target));
  const there = new Set(itemsOf(now['columns']).map(({ oid }) => oid));
  const columns = itemsOf(old['columns']);
  const lost = names.includes('columns') ? columns.filter(({ oid }) => oid && !there.has(oid)) : [];
  const sent = Object.fromEntries(names.map((name) => [name, old[name] ?? null]));
  const accumulatesByLost = lost.some(({ oid }) => oid === accumulationOf(old)?.['column']);
  const payload = {
    ...sent,
    ...(names.includes('columns')
      ? { columns: columns.map((column) => (lost.includes(column) ? without(column, 'oid') : column)) }
      : {}),
  };
  const index = inverse.add({
    endpoint: 'tables.update',
    params,
    body: accumulatesByLost ? without(payload, 'buildBehavior') : payload,
    ...(target === undefined ? {} : { target }),
  });
  for (const column of lost) {
    inverse.move(textOf(column['oid']), { write: index, from: ['columns', nameOf(column), 'oid'] });
    inverse.lose({ code: 'new-id', name: nameOf(column) });
  }
  if (accumulatesByLost) {
    accumulateAgain(write, old, inverse);
  }
  const lostIds = new Set(lost.map(({ oid }) => oid));
  for (const relation of wholeRelations(model)) {
    if (itemsOf(relation['columns']).some(({ column }) => lostIds.has(column ?? ''))) {
      relationBack(params['datamodelId'] ?? '', relation, { model }, inverse);
    }
  }
}

/** What the table accumulates by (platform-facts 2.4). */
export const accumulationOf = (table: JsonObject): JsonObject | undefined => {
  const config = asObject(asObject(table['buildBehavior'])['accumulativeConfig']);
  return textOf(config['column']) === '' ? undefined : config;
};

/** Points the accumulation at the column that stands for the old one. */
export function accumulateAgain(
  { params, target }: Pick<Write, 'params' | 'target' | 'made'>,
  table: JsonObject,
  inverse: InverseWrites,
  uses: Parameters<InverseWrites['add']>[1] = [],
): void {
  const column = textOf(accumulationOf(table)?.['column']);
  const id = inverse.now(column);
  if (id === undefined) {
    inverse.lose({ code: 'needs-build', name: nameOf(table) });
    return;
  }
  inverse.add(
    {
      endpoint: 'tables.update',
      params,
      body: { buildBehavior: table['buildBehavior'] ?? null },
      ...(target === undefined ? {} : { target }),
    },
    [...uses, { into: ['body', 'buildBehavior', 'accumulativeConfig', 'column'], id }],
  );
}
