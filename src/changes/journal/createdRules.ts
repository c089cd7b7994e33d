import type { JsonObject } from '../../base/json.ts';
import { type RuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import { readRules } from '../../security/readRule.ts';
import { getWriteRuleSubjects, getSubjectOfWrittenRule } from '../model/ruleSubjects.ts';
import { getRuleAction } from '../rules/ruleAction.ts';
import type { Write } from '../model/operation.ts';
import type { HistoryEntry } from './entry.ts';
import { getObjects } from '../model/readJson.ts';
import { getRuleId } from '../rules/ruleReversal.ts';

/** The rules that an operation added to a datamodel or cube set. */
interface CreatedRulesState {
  /** Current versions of the added rules that still exist. */
  readonly rules: readonly JsonObject[];
  /** IDs of added rules that no longer exist. */
  readonly missing: readonly string[];
}

/** The rules of a subject now and before the operation, by their IDs. */
interface CreatedRulesContext {
  readonly subject: RuleSubject;
  readonly now: ReadonlyMap<string, JsonObject>;
  readonly old: ReadonlyMap<string, JsonObject>;
}

/**
 * Finds the rules that an operation added: by the IDs that the server returned, otherwise by their content among the
 * rules that did not exist before.
 */
export function findCreatedRules(entry: HistoryEntry, look: CreatedRulesContext): CreatedRulesState {
  const [rules, missing]: [JsonObject[], string[]] = [[], []];
  const search = new CreatedRuleSearch(entry, look);
  for (const [index, write] of entry.operation.writes.entries()) {
    if (!isCreation(write) || !getWriteRuleSubjects(write).some((one) => isSameSubject(one, look.subject))) {
      continue;
    }
    const answered = getAnswer(entry, index);
    if (answered.length === 0 && getRuleAction(write) !== 'update') {
      rules.push(...search.find(index, write));
      continue;
    }
    for (const rule of answered) {
      const now = look.now.get(getRuleId(rule));
      if (look.old.has(getRuleId(rule))) {
        // The created rule has been undone: its ID was translated to that of the restored earlier rule.
        continue;
      }
      if (now !== undefined) {
        rules.push(now);
      } else if (belongsTo(look.subject, write, rule)) {
        missing.push(getRuleId(rule));
      }
    }
  }
  return { rules, missing };
}

/** An update also creates a rule if a default rule becomes one for users or groups, or the reverse. */
const isCreation = (write: Write): boolean => ['create', 'update'].includes(getRuleAction(write) ?? '');

/** Returns whether a written rule belongs to a subject. The rules of one bulk request may name different cubes. */
function belongsTo(subject: RuleSubject, write: Write, rule: JsonObject): boolean {
  const own = getSubjectOfWrittenRule(write, rule);
  return own !== undefined && isSameSubject(own, subject);
}

const getAnswer = ({ writes }: HistoryEntry, index: number): readonly JsonObject[] => {
  const state = writes[index];
  const answer = state?.state === 'done' ? state.answer : undefined;
  return getObjects(Array.isArray(answer) ? answer : [answer ?? null]).filter(
    (rule) => getRuleId(rule) !== '',
  );
};

/** Finds created rules whose IDs the server did not return, by their content. */
class CreatedRuleSearch {
  readonly #entry: HistoryEntry;
  readonly #subject: RuleSubject;
  /** Rules that did not exist before and whose IDs no response contains, by {@link getCreatedRuleKey}. */
  readonly #fresh: ReadonlyMap<string, JsonObject[]>;

  constructor(entry: HistoryEntry, { subject, now, old }: CreatedRulesContext) {
    this.#entry = entry;
    this.#subject = subject;
    const named = new Set(entry.writes.flatMap((_state, index) => getAnswer(entry, index)).map(getRuleId));
    const fresh = [...now].filter(([id]) => !old.has(id) && !named.has(id)).map(([, rule]) => rule);
    this.#fresh = Map.groupBy(fresh, getCreatedRuleKey);
  }

  /** Returns the new rules that match a write, and removes them so that each matches only once. */
  find(index: number, write: Write): readonly JsonObject[] {
    const state = this.#entry.writes[index]?.state ?? 'waiting';
    // Some requests of a batch may have succeeded before one failed.
    const mayHaveHappened = state !== 'waiting' && (state !== 'failed' || write.batch !== undefined);
    return getObjects(mayHaveHappened ? write.body : undefined)
      .filter((rule) => belongsTo(this.#subject, write, rule))
      .map((rule) => this.#fresh.get(getCreatedRuleKey(rule))?.shift())
      .filter((rule) => rule !== undefined);
  }
}

/** Returns a key of a rule's content that doesn't depend on its spelling. */
export function getCreatedRuleKey(rule: JsonObject): string {
  const [read] = readRules([rule]);
  if (read === undefined) {
    return '';
  }
  const { table, column, grant, parties } = read;
  const { members = null, allMembers = null, exclusionary = null } = rule;
  const content =
    grant === 'unclear' ? [members, allMembers, exclusionary] : [grant.kind, ...[...grant.values].sort()];
  return JSON.stringify([table, column, content, parties.map(({ type, id = '' }) => `${type}:${id}`).sort()]);
}
