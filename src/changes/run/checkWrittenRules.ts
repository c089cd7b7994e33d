import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import { type ResourceRef, isSameRef } from '../../catalog/resourceRef.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import type { Write } from '../model/operation.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import { asObject, getObjects, getText } from '../model/readJson.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { type ParsedRuleDocument, fulfills, parseRuleDocuments } from '../rules/parsedRuleDocument.ts';
import { getRuleEdits, collectRules } from '../rules/ruleEdits.ts';
import { RulesChangedError, getRemainingItems } from '../rules/ruleItems.ts';
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
  entry: HistoryEntry,
  before: readonly ReadDocument[],
  reader: Pick<DocumentReader, 'readDocument'>,
): Promise<void> {
  const { operation, writes } = entry;
  const groups = getRuleGroups(operation.writes);
  const getTarget = (group: RuleGroup): RuleTarget => getChange(group, entry, before).target;
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
    const current = await readRules(group, reader);
    const missing = getTarget(group).wantedRules.filter(
      ({ isEdited, parsed }) =>
        isEdited &&
        !begunColumns.has(parsed.columnKey) &&
        laterWrites.some((write) => mayDependOnRule(write, before, parsed.rule)) &&
        !current.some((rule) => fulfills(rule, parsed)),
    );
    requireNoConflict(
      subject,
      missing.map(({ parsed }) => parsed),
      current,
    );
  }
}

/**
 * Checks, before an operation is resumed, that the changes of rules that it has only begun can continue.
 * @param before the documents from before the operation
 * @throws ConflictError if others have changed or deleted a rule that it changes
 * @throws ApiError
 */
export async function checkBegunRules(
  entry: HistoryEntry,
  before: readonly ReadDocument[],
  reader: Pick<DocumentReader, 'readDocument'>,
): Promise<void> {
  for (const group of getRuleGroups(entry.operation.writes)) {
    const states = group.writeIndices.map((index) => entry.writes[index]?.state);
    if (states.every((state) => state === 'done') || states.every((state) => state === 'waiting')) {
      continue;
    }
    const current = await readRules(group, reader);
    const { target, denyScopes } = getChange(group, entry, before);
    try {
      getRemainingItems(current, target, {
        denyScopes: new Set([...entry.denyScopes, ...denyScopes]),
        createdIds: new Set(entry.createdRuleIds),
        sentRules: new Set(),
      });
    } catch (error) {
      if (error instanceof RulesChangedError) {
        requireNoConflict(group.subject, parseRuleDocuments([error.rule]), current);
      }
      // Whatever else prevents the change is found again when it continues.
    }
  }
}

/** Returns the rules that a group of writes leads to, and the scopes of its temporary deny rules. */
function getChange(
  group: RuleGroup,
  { operation }: HistoryEntry,
  before: readonly ReadDocument[],
): { readonly target: RuleTarget; readonly denyScopes: readonly string[] } {
  const rulesBefore = collectRules(before, group.subject);
  const { edits, denyScopes } = getRuleEdits(group, operation.writes, rulesBefore);
  return { target: createRuleTarget(group.subject.kind, rulesBefore, edits), denyScopes };
}

const readRules = async (
  { subject }: RuleGroup,
  reader: Pick<DocumentReader, 'readDocument'>,
): Promise<readonly ParsedRuleDocument[]> =>
  parseRuleDocuments(getObjects(await reader.readDocument({ kind: 'rules', subject })));

/** @throws ConflictError if there are rules that others have changed or deleted */
function requireNoConflict(
  subject: RuleSubject,
  changedRules: readonly ParsedRuleDocument[],
  current: readonly ParsedRuleDocument[],
): void {
  const [first, ...others] = new Map(changedRules.map((parsed) => [parsed.columnKey, parsed])).values();
  if (first === undefined) {
    return;
  }
  const getRef = ({ rule }: ParsedRuleDocument): ResourceRef => ({
    kind: 'columnRules',
    subject,
    table: getText(rule['table']),
    column: getText(rule['column']),
  });
  const document = current
    .filter(({ columnKey }) => columnKey === first.columnKey)
    .map(({ rule }): JsonValue => rule);
  throw createConflictError({ ref: getRef(first), document }, others.map(getRef));
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
