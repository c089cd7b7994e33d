import type { JsonObject } from '../../base/json.ts';
import { type RuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import { readRules } from '../../security/readRules.ts';
import { getWriteRuleSubject } from '../model/ruleSubjects.ts';
import { getRuleAction } from '../rules/ruleAction.ts';
import { getRuleContentKey } from '../rules/ruleContent.ts';
import type { Write } from '../model/operation.ts';
import type { HistoryEntry } from './entry.ts';
import { getObjects } from '../model/jsonMembers.ts';
import { getRuleId } from '../rules/ruleReversal.ts';

/** The rules that an operation added to a datamodel or cube set. */
interface CreatedRulesState {
  /** Current versions of the added rules that still exist. */
  readonly rules: readonly JsonObject[];
  /** IDs of added rules that no longer exist. */
  readonly missingIds: readonly string[];
}

/** The rules of a subject now and before the operation, by their IDs. */
interface CreatedRulesContext {
  readonly subject: RuleSubject;
  readonly currentRules: ReadonlyMap<string, JsonObject>;
  readonly previousRules: ReadonlyMap<string, JsonObject>;
}

/**
 * Finds the rules that an operation added: by the IDs that the server returned, otherwise by their meaning among the
 * rules that did not exist before.
 */
export function findCreatedRules(entry: HistoryEntry, context: CreatedRulesContext): CreatedRulesState {
  const [rules, missingIds]: [JsonObject[], string[]] = [[], []];
  const search = new CreatedRuleSearch(entry, context);
  for (const [index, write] of entry.operation.writes.entries()) {
    const subject = getWriteRuleSubject(write);
    if (!mayCreateRules(write) || subject === undefined || !isSameSubject(subject, context.subject)) {
      continue;
    }
    const returnedRules = getReturnedRules(entry, index);
    if (returnedRules.length === 0 && getRuleAction(write) !== 'update') {
      rules.push(...search.takeMatches(index, write));
      continue;
    }
    for (const rule of returnedRules) {
      const currentRule = context.currentRules.get(getRuleId(rule));
      if (context.previousRules.has(getRuleId(rule))) {
        // The created rule has been undone: its ID was translated to that of the restored earlier rule.
        continue;
      }
      if (currentRule !== undefined) {
        rules.push(currentRule);
      } else {
        missingIds.push(getRuleId(rule));
      }
    }
  }
  return { rules, missingIds };
}

/** An update also creates a rule if a default rule becomes one for users or groups, or the reverse. */
const mayCreateRules = (write: Write): boolean => ['create', 'update'].includes(getRuleAction(write) ?? '');

const getReturnedRules = ({ writeStates }: HistoryEntry, index: number): readonly JsonObject[] => {
  const state = writeStates[index];
  const response = state?.state === 'done' ? state.answer : undefined;
  return getObjects(Array.isArray(response) ? response : [response ?? null]).filter(
    (rule) => getRuleId(rule) !== '',
  );
};

/** Finds created rules whose IDs the server did not return, by their meaning. */
class CreatedRuleSearch {
  readonly #entry: HistoryEntry;
  /** Rules that did not exist before and whose IDs no response contains, by {@link getRuleMeaningKey}. */
  readonly #newRules: ReadonlyMap<string, JsonObject[]>;

  constructor(entry: HistoryEntry, { currentRules, previousRules }: CreatedRulesContext) {
    this.#entry = entry;
    const returnedIds = new Set(
      entry.writeStates.flatMap((_state, index) => getReturnedRules(entry, index)).map(getRuleId),
    );
    const newRules = [...currentRules]
      .filter(([id]) => !previousRules.has(id) && !returnedIds.has(id))
      .map(([, rule]) => rule);
    this.#newRules = Map.groupBy(newRules, getRuleMeaningKey);
  }

  /** Returns the new rules that match a write, and removes them so that each matches only once. */
  takeMatches(index: number, write: Write): readonly JsonObject[] {
    const state = this.#entry.writeStates[index]?.state ?? 'waiting';
    // Some requests of a batch may have succeeded before one failed.
    const mayHaveTakenEffect = state !== 'waiting' && (state !== 'failed' || write.batch !== undefined);
    return getObjects(mayHaveTakenEffect ? write.body : undefined)
      .map((rule) => this.#newRules.get(getRuleMeaningKey(rule))?.shift())
      .filter((rule) => rule !== undefined);
  }
}

/**
 * Returns a key of what a rule means: which access it grants on its column, and to whom. Rules with the same key may
 * differ in other fields, unlike those with the same {@link getRuleContentKey}.
 */
export function getRuleMeaningKey(rule: JsonObject): string {
  const [parsed] = readRules([rule]);
  if (parsed === undefined) {
    // The rule has no table or column, so it has no comparable meaning: only its content can identify it.
    return getRuleContentKey(rule);
  }
  const { table, column, grant, parties } = parsed;
  const { members = null, allMembers = null, exclusionary = null } = rule;
  const content =
    grant === 'unclear' ? [members, allMembers, exclusionary] : [grant.kind, ...[...grant.values].sort()];
  return JSON.stringify([table, column, content, parties.map(({ type, id = '' }) => `${type}:${id}`).sort()]);
}
