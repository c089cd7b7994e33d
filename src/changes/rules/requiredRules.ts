import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { getRuleSubject, isSameSubject, type RuleSubject } from '../../catalog/ruleSubject.ts';
import { datamodelSchema } from '../../contract/datamodel.ts';
import type { Write } from '../model/operation.ts';
import { getText } from '../model/readJson.ts';
import { getWriteRuleSubject } from '../model/ruleSubjects.ts';
import { getNameEffects, type NameEffect, type RuleColumn } from './openedNames.ts';
import { type ParsedRuleDocument, parseRuleDocuments } from './parsedRuleDocument.ts';
import { getRuleAction, isGroupedRuleWrite } from './ruleAction.ts';
import { collectRules, getRuleEdits } from './ruleEdits.ts';
import { type RuleGroup, findRuleGroup, getRuleGroups } from './ruleGroup.ts';
import { createRuleTarget } from './ruleTarget.ts';

/** A document from before the operation. */
interface DocumentBefore {
  readonly ref: ResourceRef;
  readonly document?: JsonValue | undefined;
}

/** A rule that must be in force before a write is sent. */
export interface RequiredRule {
  readonly subject: RuleSubject;
  readonly parsed: ParsedRuleDocument;
  /** An earlier write has made its column exist or shown it: without the rule, its values are visible. */
  readonly isOpened: boolean;
}

/** A rule in the state that an operation expects. */
interface ExpectedRule {
  readonly parsed: ParsedRuleDocument;
  /** The operation has added or updated it. */
  readonly isEdited: boolean;
}

/** The rules of a datamodel or cube set in the course of an operation. */
interface RulesOfSubject {
  readonly subject: RuleSubject;
  /** The datamodels that they belong to, as far as that is known; none for a cube set. */
  readonly datamodelIds: readonly string[];
  readonly before: readonly ExpectedRule[];
  readonly steps: readonly RuleStep[];
}

/** A change of the rules of one subject, and the rules that the operation expects afterward. */
interface RuleStep {
  readonly writeIndices: readonly number[];
  /** The columns whose rules it changes. */
  readonly columnKeys: ReadonlySet<string>;
  readonly removesRules: boolean;
  readonly after: readonly ExpectedRule[];
}

/**
 * The rules that the writes of an operation rely on. Others may delete rules on a name that doesn't exist, since these
 * restrict nothing; the next write of the operation then makes the name exist. Before
 * - a write that creates, renames, or shows a table or column, all rules on the new names must be in force: those that
 *   the operation has added, and those that it has found there;
 * - a write that removes tables, columns, relations, or rules, so must those that the operation has added or updated;
 * - a write that removes rules, so must the rules on all names that earlier writes have opened.
 *
 * Rules on linked tables aren't included: their columns exist, so a change of them has an effect that others can see.
 */
export class RequiredRules {
  readonly #writes: readonly Write[];
  readonly #effects: readonly NameEffect[];
  readonly #before: readonly DocumentBefore[];
  #rules: readonly RulesOfSubject[] | undefined;

  /**
   * @param before the documents from before the operation, with all rules of the datamodels whose names it changes
   */
  constructor(writes: readonly Write[], before: readonly DocumentBefore[]) {
    this.#writes = writes;
    this.#before = before;
    this.#effects = getNameEffects(writes, before);
  }

  /** The rules by their datamodels and cube sets. Computed when needed: an import of rules alone needs none. */
  get #subjects(): readonly RulesOfSubject[] {
    this.#rules ??= getSubjects(this.#writes, this.#before).map((subject) => {
      const rules = collectRules(this.#before, subject);
      return {
        subject,
        datamodelIds: findDatamodelIds(this.#before, subject),
        before: parseRuleDocuments(rules).map((parsed) => ({ parsed, isEdited: false })),
        steps: getSteps(this.#writes, subject, rules),
      };
    });
    return this.#rules;
  }

  /**
   * Returns the rules that must be in force before a write is sent; for rules that are changed together, before the
   * first of their writes. Rules on columns whose rules the write itself changes are left out.
   * @param isDone returns whether an earlier write is done
   */
  get(index: number, isDone: (index: number) => boolean = () => true): readonly RequiredRule[] {
    const write = this.#writes[index];
    const effect = this.#effects[index];
    if (write === undefined || effect === undefined) {
      return [];
    }
    const ownSubject = getWriteRuleSubject(write);
    const isFirstChange = findRuleGroup(this.#writes, index)?.writeIndices[0] === 0;
    if (isFirstChange || (ownSubject === undefined && !effect.mayShowMore)) {
      return [];
    }
    return this.#subjects.flatMap(({ subject, datamodelIds, before, steps }) => {
      const step = steps.find(({ writeIndices }) => writeIndices.includes(index));
      const { datamodelId } = write.params;
      const isOther =
        ownSubject === undefined
          ? datamodelIds.length > 0 && datamodelId !== undefined && !datamodelIds.includes(datamodelId)
          : !isSameSubject(ownSubject, subject);
      if (isOther || !(step?.removesRules ?? effect.mayShowMore)) {
        return [];
      }
      const last = steps.findLast(({ writeIndices }) => (writeIndices.at(-1) ?? 0) < index);
      return (last?.after ?? before).flatMap(({ parsed, isEdited }) => {
        const column = toColumn(parsed);
        const isRequired =
          step === undefined
            ? effect.mayOpen(column) || (isEdited && effect.mayRemoveProtection(column))
            : !step.columnKeys.has(parsed.columnKey) && (isEdited || this.#isOpened(column, index));
        return isRequired ? [{ subject, parsed, isOpened: this.#isOpened(column, index, isDone) }] : [];
      });
    });
  }

  /** Returns whether a write before another one opens a column. */
  #isOpened(column: RuleColumn, end: number, isDone: (index: number) => boolean = () => true): boolean {
    return this.#effects.some((effect, index) => index < end && isDone(index) && effect.mayOpen(column));
  }

  /** Returns whether a change of rules that isn't complete concerns the column of a rule. */
  isPending({ subject, parsed }: RequiredRule, isDone: (index: number) => boolean): boolean {
    return this.#subjects.some(
      (candidate) =>
        isSameSubject(candidate.subject, subject) &&
        candidate.steps.some(
          ({ writeIndices, columnKeys }) =>
            columnKeys.has(parsed.columnKey) && !writeIndices.every((index) => isDone(index)),
        ),
    );
  }

  /** Returns the columns with rules that the operation opens. */
  getOpenedColumns(): readonly (RuleColumn & { readonly subject: RuleSubject })[] {
    return this.#subjects.flatMap(({ subject, before, steps }) =>
      (steps.at(-1)?.after ?? before)
        .filter(({ parsed }) => this.#isOpened(toColumn(parsed), this.#writes.length))
        .map(({ parsed }) => ({ subject, ...toColumn(parsed) })),
    );
  }

  /** Returns whether a write may create or show names. */
  mayOpen(index: number): boolean {
    return this.#effects[index]?.mayOpenNames === true;
  }
}

/**
 * Returns whether someone may see more because an operation creates, renames, shows, or deletes tables or columns, or
 * deletes or replaces relations.
 */
export const mayShowMore = (writes: readonly Write[], before: readonly DocumentBefore[]): boolean =>
  getNameEffects(writes, before).some((effect) => effect.mayShowMore);

const toColumn = ({ rule }: ParsedRuleDocument): RuleColumn => ({
  table: getText(rule['table']),
  column: getText(rule['column']),
});

/** Returns the datamodels and cube sets whose rules are changed, or were read. */
function getSubjects(writes: readonly Write[], before: readonly DocumentBefore[]): readonly RuleSubject[] {
  const subjects = [
    ...writes.flatMap((write) => getWriteRuleSubject(write) ?? []),
    ...before.flatMap(({ ref }) => ('subject' in ref ? [ref.subject] : [])),
  ];
  return subjects.filter(
    (subject, index) => subjects.findIndex((other) => isSameSubject(other, subject)) === index,
  );
}

/** Returns the IDs of the datamodels that rules belong to, as far as their documents were read; none for cube sets. */
const findDatamodelIds = (before: readonly DocumentBefore[], subject: RuleSubject): readonly string[] =>
  before.flatMap(({ ref, document }) => {
    const model = ref.kind === 'datamodel' ? datamodelSchema.safeParse(document).data : undefined;
    return ref.kind === 'datamodel' && model !== undefined && isSameSubject(getRuleSubject(model), subject)
      ? [ref.datamodelId]
      : [];
  });

/** Returns the changes of the rules of a subject, each with the rules that the operation expects afterward. */
function getSteps(
  writes: readonly Write[],
  subject: RuleSubject,
  rulesBefore: readonly JsonObject[],
): readonly RuleStep[] {
  const groups = getRuleGroups(writes).filter((group) => isSameSubject(group.subject, subject));
  const columnDeletions = writes.flatMap((write, index): readonly RuleGroup[] => {
    const written = getWriteRuleSubject(write);
    const isDeletion = getRuleAction(write) === 'delete-many' && !isGroupedRuleWrite(write);
    return isDeletion && written !== undefined && isSameSubject(written, subject)
      ? [{ subject, writeIndices: [index] }]
      : [];
  });
  let rules = parseRuleDocuments(rulesBefore).map((parsed): ExpectedRule => ({ parsed, isEdited: false }));
  return [...groups, ...columnDeletions]
    .toSorted((a, b) => (a.writeIndices[0] ?? 0) - (b.writeIndices[0] ?? 0))
    .map((group): RuleStep => {
      const { columnKeys, wantedRules, removesRules } = getChange(group, writes, rules);
      rules = [...rules.filter(({ parsed }) => !columnKeys.has(parsed.columnKey)), ...wantedRules];
      return { writeIndices: group.writeIndices, columnKeys, removesRules, after: rules };
    });
}

function getChange(
  group: RuleGroup,
  writes: readonly Write[],
  rules: readonly ExpectedRule[],
): { columnKeys: ReadonlySet<string>; wantedRules: readonly ExpectedRule[]; removesRules: boolean } {
  const [index = 0] = group.writeIndices;
  const write = writes[index];
  if (write !== undefined && !isGroupedRuleWrite(write)) {
    const { table, column } = write.params;
    const deleted = rules.filter(
      ({ parsed }) => parsed.rule['table'] === table && parsed.rule['column'] === column,
    );
    return {
      columnKeys: new Set(deleted.map(({ parsed }) => parsed.columnKey)),
      wantedRules: [],
      removesRules: true,
    };
  }
  const documents = rules.map(({ parsed }) => parsed.rule);
  const { edits } = getRuleEdits(group, writes, documents);
  const target = createRuleTarget(group.subject.kind, documents, edits);
  const edited = new Set(rules.filter(({ isEdited }) => isEdited).map(({ parsed }) => parsed.rule));
  return {
    columnKeys: target.columnKeys,
    wantedRules: target.wantedRules.map(({ parsed, isEdited }) => ({
      parsed,
      isEdited: isEdited || edited.has(parsed.rule),
    })),
    removesRules: edits.some(({ before }) => before !== undefined),
  };
}
