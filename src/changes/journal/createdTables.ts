import type { ResourceRef } from '../../catalog/resourceRef.ts';
import type { InverseWrites } from '../model/inverseWrites.ts';
import { asObject, getText } from '../model/jsonMembers.ts';
import { resolveKnownOutputs } from '../model/outputRefs.ts';
import { createTableUpdateWrite } from '../model/tableWrites.ts';
import { getDatamodelKey } from '../rules/nameEffects.ts';
import { isRuleWrite } from '../rules/ruleAction.ts';
import type { HistoryEntry } from './entry.ts';

type TableRef = Extract<ResourceRef, { readonly kind: 'table' }>;

/**
 * Returns the tables that an entry has created in existing datamodels, and that its undo must hide before anything
 * else: it deletes them last, but before that, it may delete the relations and rules that restrict their rows. A
 * datamodel that the entry has created isn't shared, so its tables don't matter.
 */
export function getTablesToHide({
  operation: { writes },
  writeStates,
}: Pick<HistoryEntry, 'operation' | 'writeStates'>): readonly TableRef[] {
  const mayRemoveRestrictions = writes.some(
    (write, index) =>
      writeStates[index]?.state !== 'waiting' &&
      (isRuleWrite(write) ||
        write.endpoint.startsWith('relations.') ||
        (write.target?.kind === 'table' && 'columns' in asObject(write.body))),
  );
  if (!mayRemoveRestrictions) {
    return [];
  }
  const responses = writeStates.map((state) => (state.state === 'done' ? state.answer : undefined));
  return writes.flatMap((write, index) => {
    const tableId = getText(asObject(responses[index])['oid']);
    const { datamodelId = '', datasetId = '' } = resolveKnownOutputs(write, responses).params;
    const isNewDatamodel = getDatamodelKey(write, index) !== write.params['datamodelId'];
    return write.endpoint === 'tables.create' && tableId !== '' && datasetId !== '' && !isNewDatamodel
      ? [{ kind: 'table', datamodelId, datasetId, tableId }]
      : [];
  });
}

/** Adds the writes that hide the tables of {@link getTablesToHide} that exist and are visible. */
export function hideCreatedTables(
  entry: Pick<HistoryEntry, 'operation' | 'writeStates'>,
  inverse: InverseWrites,
): void {
  for (const ref of getTablesToHide(entry)) {
    const table = inverse.getDocument(ref);
    if (table !== undefined && asObject(table)['hidden'] !== true) {
      inverse.add(createTableUpdateWrite(ref, { hidden: true }));
    }
  }
}
