import type { JsonObject } from '../../base/json.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import type { DocumentReader } from '../model/documentReader.ts';
import type { Operation, OutputRef, Write } from '../model/operation.ts';
import { resolveKnownOutputs } from '../model/outputRefs.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { getObjects } from '../model/jsonMembers.ts';
import { parseRuleDocuments } from '../rules/parsedRuleDocument.ts';
import { findRuleWriteGroup, type RuleWriteGroup } from '../rules/ruleWriteGroup.ts';
import { getRemainingItems, RulesChangedError } from '../rules/ruleItems.ts';
import { createRuleWrites } from '../rules/ruleWrites.ts';
import { getRuleChange } from './checkBegunRules.ts';
import { createRuleConflict } from './conflicts.ts';

/**
 * Creates an operation with what an unfinished one still has to write, for a review: it has the same effects as
 * resuming, but is never sent. It contains the IDs of the items that earlier writes have created. It changes the rules
 * that now differ from the wanted ones, including temporary deny rules.
 * @param entry the operation, with the states of its writes as the server shows them
 * @param before the documents from before the operation
 * @throws ConflictError if others have changed a rule that it still has to change
 * @throws ApiError
 */
export async function createRemainingOperation(
  entry: HistoryEntry,
  before: readonly ReadDocument[],
  reader: Pick<DocumentReader, 'readDocument'>,
): Promise<Operation> {
  const { operation, writeStates: states } = entry;
  const responses = states.map((state) => (state.state === 'done' ? state.answer : undefined));
  const remaining: Write[] = [];
  /** The new indices of the writes that remain. */
  const newIndices = new Map<number, number>();
  for (const [index, write] of operation.writes.entries()) {
    const group = findRuleWriteGroup(operation.writes, index);
    if (group !== undefined) {
      const isFirst = group.writeIndices[0] === index;
      remaining.push(...(isFirst ? await createRemainingRuleWrites(group, entry, { before, reader }) : []));
    } else if (states[index]?.state !== 'done') {
      newIndices.set(index, remaining.length);
      remaining.push(moveOutputRefs(resolveKnownOutputs(write, responses), newIndices));
    }
  }
  return { ...operation, writes: remaining };
}

/**
 * Returns a write that refers to the writes that remain by their new indices; the others have been resolved. An empty
 * list of references stays: it shows that the operation has created the container of the target, so that the plan shows
 * the name of the container.
 */
const moveOutputRefs = (write: Write, newIndices: ReadonlyMap<number, number>): Write =>
  write.outputRefs === undefined
    ? write
    : {
        ...write,
        outputRefs: write.outputRefs.flatMap((ref): readonly OutputRef[] => {
          const newIndex = newIndices.get(ref.write);
          return newIndex === undefined ? [] : [{ ...ref, write: newIndex }];
        }),
      };

/** Creates the writes that lead from the current rules to the wanted ones. */
async function createRemainingRuleWrites(
  group: RuleWriteGroup,
  entry: HistoryEntry,
  {
    before,
    reader,
  }: { readonly before: readonly ReadDocument[]; readonly reader: Pick<DocumentReader, 'readDocument'> },
): Promise<readonly Write[]> {
  if (group.writeIndices.every((index) => entry.writeStates[index]?.state === 'done')) {
    return [];
  }
  const { subject } = group;
  const current = parseRuleDocuments(getObjects(await reader.readDocument({ kind: 'rules', subject })));
  const { target, denyScopes } = getRuleChange(group, entry, before);
  try {
    const { items } = getRemainingItems(current, target, {
      denyScopes: new Set([...entry.denyScopes, ...denyScopes]),
      createdIds: new Set(entry.createdRuleIds),
      sentRules: new Set(),
    });
    return createRuleWrites(subject, {
      adds: items.flatMap(({ before: old, after }) =>
        old === undefined && after !== undefined ? [after.parsed.document] : [],
      ),
      updates: items.flatMap(({ before: old, after }) =>
        old === undefined || after === undefined
          ? []
          : [{ before: old.document, after: withId(after.parsed.document, old.document) }],
      ),
      deletes: items.flatMap(({ before: old, after }, index) =>
        old !== undefined && after === undefined ? [{ rule: old.document, index }] : [],
      ),
    });
  } catch (error) {
    throw error instanceof RulesChangedError
      ? createRuleConflict(subject, parseRuleDocuments([error.rule]), current)
      : error;
  }
}

/** Returns a rule with the ID of the one that it replaces in place. */
const withId = (rule: JsonObject, { _id = null }: JsonObject): JsonObject => ({ ...rule, _id });
