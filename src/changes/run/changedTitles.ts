import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { getRuleSubject } from '../../catalog/ruleSubject.ts';
import { datamodelSchema } from '../../contract/datamodel.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import { createRestoredNamesLookup } from '../journal/restoredNames.ts';
import { getEntryRuleSubjects } from '../journal/undoRules.ts';
import { conflictHash } from '../model/documentHash.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { CurrentDocuments } from '../model/inverseWrites.ts';
import { getText } from '../model/jsonMembers.ts';
import { isEquivalentSubject } from '../rules/ruleDatamodels.ts';
import { collectRules } from '../rules/ruleEdits.ts';
import type { ExpectedVersion } from './runOptions.ts';

/**
 * Finds recorded rules that are on names that an undo gives back, and whose datamodel has another title by now. Rules
 * have the title of their datamodel (rest-api.md, "Endpoints"), so the undo would look for them, and restore them, in
 * the wrong place. Reads only the datamodels of such names.
 * @param documents the current documents of `getRefsToRead`
 * @returns versions of the rules that no document has, so that the undo stops with a conflict
 * @throws ApiError
 */
export async function findRulesOfChangedTitles(
  entry: HistoryEntry,
  documents: CurrentDocuments,
  reader: Pick<DocumentReader, 'readDocument'>,
): Promise<readonly ExpectedVersion[]> {
  const getReturnedNames = createRestoredNamesLookup(entry, documents);
  const versions: ExpectedVersion[] = [];
  for (const subject of getEntryRuleSubjects(entry)) {
    const returned = getReturnedNames(subject);
    const rules = collectRules(entry.before, subject).filter((rule) => returned.has(rule, 'certainly'));
    for (const datamodelId of rules.length === 0 ? [] : returned.datamodels) {
      const document = await reader.readDocument({ kind: 'datamodel', datamodelId });
      const model = datamodelSchema.safeParse(document).data;
      if (model === undefined || !isEquivalentSubject(getRuleSubject(model), subject)) {
        const toRef = ({ table, column }: (typeof rules)[number]): ResourceRef => ({
          kind: 'columnRules',
          subject,
          table: getText(table),
          column: getText(column),
        });
        versions.push(...rules.map((rule) => ({ ref: toRef(rule), hash: conflictHash })));
      }
    }
  }
  return versions;
}
