import type { History } from '../changes/journal/history.ts';
import { getText } from '../changes/model/jsonMembers.ts';
import { findAbandonedRelations } from '../changes/run/abandonedRelations.ts';
import { describeAbandonedRelations } from './interruptedChange.ts';
import type { PlanOutput } from './planOutput.ts';
import type { LoadedPlan } from './projectPlan.ts';

/**
 * Finds the relations of the compared datamodels that are missing since a change was abandoned: a build before the apply
 * would lack them.
 * @returns the member of the output; nothing if there are none
 */
export async function findMissingRelations(
  history: Pick<History, 'readEntriesOfAllTenants'>,
  { reading, operation: { connectionId } }: Pick<LoadedPlan, 'reading' | 'operation'>,
): Promise<Pick<PlanOutput, 'missingRelations'>> {
  const entries = await history.readEntriesOfAllTenants(connectionId);
  if (!entries.some(({ isAbandoned }) => isAbandoned === true)) {
    return {};
  }
  const readHistory = { readEntriesOfAllTenants: () => Promise.resolve(entries) };
  const missing: NonNullable<PlanOutput['missingRelations']> = [];
  for (const { document } of reading.documents.datamodels) {
    const [oid, title] = [getText(document['oid']), getText(document['title'])];
    const found = await findAbandonedRelations(readHistory, connectionId, { oid, title }, () =>
      Promise.resolve(document),
    );
    const texts = describeAbandonedRelations(title, found);
    missing.push(
      ...found.map(({ entry, relations }, index) => ({
        datamodel: title,
        journal: entry.id,
        relations: [...relations],
        text: texts[index] ?? '',
      })),
    );
  }
  return missing.length === 0 ? {} : { missingRelations: missing };
}
