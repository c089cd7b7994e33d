import { getRuleSubject, isSameSubject, type RuleSubject } from '../../catalog/ruleSubject.ts';
import { datamodelSchema } from '../../contract/datamodel.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import { createReturnedCheck } from '../journal/returnedRules.ts';
import { getEntryRuleSubjects } from '../journal/undoRules.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { CurrentDocuments } from '../model/inverseWrites.ts';
import { hasSameRules } from '../rules/ruleDatamodels.ts';
import { collectRules } from '../rules/ruleEdits.ts';

/**
 * Returns an entry without the datamodels of recorded rules whose title has changed since. Rules have the title of their
 * datamodel (rest-api.md, "Endpoints"), so those on names that an undo gives back would be restored for a title that
 * their datamodel no longer has. Reads only the datamodels of such names.
 * @param documents the current documents of `getRefsToRead`
 * @throws ApiError
 */
export async function unlinkChangedTitles(
  entry: HistoryEntry,
  documents: CurrentDocuments,
  reader: Pick<DocumentReader, 'readDocument'>,
): Promise<HistoryEntry> {
  const getReturnedNames = createReturnedCheck(entry, documents);
  const changed: RuleSubject[] = [];
  for (const subject of getEntryRuleSubjects(entry)) {
    const returned = getReturnedNames(subject);
    const hasRules = collectRules(entry.before, subject).some((rule) => returned.has(rule, 'certainly'));
    for (const datamodelId of hasRules ? returned.datamodels : []) {
      const document = await reader.readDocument({ kind: 'datamodel', datamodelId });
      const model = datamodelSchema.safeParse(document).data;
      if (model === undefined || !hasSameRules(getRuleSubject(model), subject)) {
        changed.push(subject);
      }
    }
  }
  return {
    ...entry,
    before: entry.before.map((document) => {
      const { ref } = document;
      if (!('subject' in ref) || !changed.some((subject) => isSameSubject(subject, ref.subject))) {
        return document;
      }
      const { datamodels: _unknown, ...others } = document;
      return others;
    }),
  };
}
