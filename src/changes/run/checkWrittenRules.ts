import { type JsonObject, isJsonObject } from '../../base/json.ts';
import { isSameRef } from '../../catalog/resourceRef.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import type { Write } from '../model/operation.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import { asObject, getObjects, getText } from '../model/readJson.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { fulfills, parseRuleDocuments } from '../rules/parsedRuleDocument.ts';
import { getRuleEdits, collectRules } from '../rules/ruleEdits.ts';
import { type RuleGroup, getRuleGroups } from '../rules/ruleGroup.ts';
import { createRuleTarget, type RuleTarget } from '../rules/ruleTarget.ts';
import { createConflictError } from './conflicts.ts';

/**
 * Checks, before an operation is resumed, that the rules that it has added or updated are still in force: its remaining
 * writes may depend on them, such as the renaming of a column for which there are rules already. Not checked are rules on
 * columns whose rules the operation has begun to change again, and rules that no remaining write depends on.
 * @param before the documents from before the operation
 * @throws ConflictError if others have changed or deleted such a rule
 * @throws ApiError
 */
export async function checkWrittenRules(
  { operation, writes }: HistoryEntry,
  before: readonly ReadDocument[],
  reader: Pick<DocumentReader, 'readDocument'>,
): Promise<void> {
  const groups = getRuleGroups(operation.writes);
  const getTarget = (group: RuleGroup): RuleTarget => {
    const rulesBefore = collectRules(before, group.subject);
    const { edits } = getRuleEdits(group, operation.writes, rulesBefore);
    return createRuleTarget(group.subject.kind, rulesBefore, edits);
  };
  const isDone = (index: number): boolean => writes[index]?.state === 'done';
  for (const [position, group] of groups.entries()) {
    const { subject, writeIndices } = group;
    const laterWrites = operation.writes.filter(
      (_write, index) => index > (writeIndices.at(-1) ?? 0) && !isDone(index),
    );
    if (laterWrites.length === 0 || !writeIndices.every(isDone)) {
      continue;
    }
    const begunColumns = new Set(
      groups
        .slice(position + 1)
        .filter((later) => later.writeIndices.some((index) => writes[index]?.state !== 'waiting'))
        .flatMap((later) => [...getTarget(later).columnKeys]),
    );
    const current = parseRuleDocuments(getObjects(await reader.readDocument({ kind: 'rules', subject })));
    const missing = getTarget(group).wantedRules.find(
      ({ isEdited, parsed }) =>
        isEdited &&
        !begunColumns.has(parsed.columnKey) &&
        laterWrites.some((write) => mayDependOnRule(write, before, parsed.rule)) &&
        !current.some((rule) => fulfills(rule, parsed)),
    );
    if (missing !== undefined) {
      const { rule, columnKey } = missing.parsed;
      const document = current.filter((other) => other.columnKey === columnKey).map((other) => other.rule);
      throw createConflictError({
        ref: { kind: 'columnRules', subject, table: getText(rule['table']), column: getText(rule['column']) },
        document: [...document],
      });
    }
  }
}

/**
 * Returns whether a write may create, rename, or delete the column that a rule is on, or other rules on it. The SQL of a
 * custom table decides which columns it has (rest-api.md, "Table").
 */
function mayDependOnRule(write: Write, before: readonly ReadDocument[], rule: JsonObject): boolean {
  const { endpoint, body, target } = write;
  if (endpoint.startsWith('viewpoints.')) {
    return false;
  }
  if (endpoint !== 'tables.update' || !isJsonObject(body) || 'columns' in body || 'name' in body) {
    return true;
  }
  const table = before.find(({ ref }) => target !== undefined && isSameRef(ref, target));
  const tableName = getText(asObject(table?.document)['name']);
  return (
    'expression' in body &&
    (tableName === '' || tableName.toLowerCase() === getText(rule['table']).toLowerCase())
  );
}
