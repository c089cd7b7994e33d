import type { JsonObject } from '../../base/json.ts';
import { type RuleSubject, isSameSubject } from '../../catalog/ruleSubject.ts';
import { readRules } from '../../security/readRule.ts';
import { getWriteRuleSubjects, getSubjectOfWrittenRule } from '../model/ruleSubjects.ts';
import { getRuleAction } from '../rules/ruleAction.ts';
import type { Write } from '../model/operation.ts';
import type { HistoryEntry } from './entry.ts';
import { getObjects } from '../model/readJson.ts';
import { getRuleId } from '../rules/ruleReversal.ts';

/** What an operation added to the rules of a subject and is still there, as it is now. */
interface CreatedRulesState {
  readonly rules: readonly JsonObject[];
  /** Ids of rules that it added and that are gone. */
  readonly missing: readonly string[];
}

interface CreatedRulesContext {
  readonly subject: RuleSubject;
  readonly now: ReadonlyMap<string, JsonObject>;
  readonly old: ReadonlyMap<string, JsonObject>;
}

/** What an operation added: by the ids that the server answered, else by what it says and was not there before. */
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
        // It stands for one of before by now: a live rule that was put back in the place of the one that was made.
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

/** An update makes a rule where one for everyone else becomes one for others, or the other way round. */
const isCreation = (write: Write): boolean => ['create', 'update'].includes(getRuleAction(write) ?? '');

/** Rules of one request may be for several cubes, which they name. */
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

/** Finds what was made without the server saying how it is called. */
class CreatedRuleSearch {
  readonly #entry: HistoryEntry;
  readonly #subject: RuleSubject;
  /** Rules that were not there before and that no answer names, by what they say. */
  readonly #fresh: ReadonlyMap<string, JsonObject[]>;

  constructor(entry: HistoryEntry, { subject, now, old }: CreatedRulesContext) {
    this.#entry = entry;
    this.#subject = subject;
    const named = new Set(entry.writes.flatMap((_state, index) => getAnswer(entry, index)).map(getRuleId));
    const fresh = [...now].filter(([id]) => !old.has(id) && !named.has(id)).map(([, rule]) => rule);
    this.#fresh = Map.groupBy(fresh, getCreatedRuleKey);
  }

  find(index: number, write: Write): readonly JsonObject[] {
    const state = this.#entry.writes[index]?.state ?? 'waiting';
    // Of many requests some may have been done before one failed.
    const mayHaveHappened = state !== 'waiting' && (state !== 'failed' || write.batch !== undefined);
    return getObjects(mayHaveHappened ? write.body : undefined)
      .filter((rule) => belongsTo(this.#subject, write, rule))
      .map((rule) => this.#fresh.get(getCreatedRuleKey(rule))?.shift())
      .filter((rule) => rule !== undefined);
  }
}

/** What a rule says, however it is spelled. */
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
