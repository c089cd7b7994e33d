import { getRuleSubject } from '../../catalog/ruleSubject.ts';
import { datamodelSchema } from '../../contract/datamodel.ts';
import type { ChangedDocument } from '../journal/changedDocuments.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import type { CurrentModel } from '../journal/keptReach.ts';
import { getEntryRuleSubjects } from '../journal/undoRules.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import { asObject, getObjects } from '../model/jsonMembers.ts';

/**
 * Reads the datamodels of documents that were changed after an entry, with their rules and those of the cube sets that
 * the entry changes. The rules are `undefined` if anything about them can't be read. Datamodels that no longer exist
 * are left out.
 * @throws ApiError
 */
export async function readCurrentModels(
  entry: HistoryEntry,
  documents: readonly ChangedDocument[],
  reader: DocumentReader,
): Promise<ReadonlyMap<string, CurrentModel>> {
  const ids = new Set(documents.flatMap(({ ref }) => ('datamodelId' in ref ? [ref.datamodelId] : [])));
  const models = await Promise.all(
    [...ids].map(async (datamodelId): Promise<readonly (readonly [string, CurrentModel])[]> => {
      const document = await reader.readDocument({ kind: 'datamodel', datamodelId });
      if (document === undefined) {
        return [];
      }
      const model = datamodelSchema.safeParse(document).data;
      const subjects = [
        ...(model === undefined ? [] : [getRuleSubject(model)]),
        ...getEntryRuleSubjects(entry),
      ];
      const rules = await Promise.all(
        subjects.map((subject) => reader.readDocument({ kind: 'rules', subject })),
      ).catch(() => undefined);
      return [
        [
          datamodelId,
          {
            document: asObject(document),
            rules: model === undefined ? undefined : rules?.flatMap((list) => getObjects(list)),
          },
        ],
      ];
    }),
  );
  return new Map(models.flat());
}
