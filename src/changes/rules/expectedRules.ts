import type { JsonObject } from '../../base/json.ts';
import type { Write } from '../model/operation.ts';
import { getText } from '../model/jsonMembers.ts';
import { type ParsedRuleDocument, parseRuleDocuments } from './parsedRuleDocument.ts';
import { isGroupedRuleWrite } from './ruleAction.ts';
import { getRuleEdits } from './ruleEdits.ts';
import type { RuleWriteGroup } from './ruleWriteGroup.ts';
import { createRuleTarget } from './ruleTarget.ts';

/** A rule in the state that an operation expects. */
export interface ExpectedRule {
  readonly parsed: ParsedRuleDocument;
  /** The operation has added or updated it. */
  readonly isEdited: boolean;
}

/** The rules of a datamodel or cube set in the state that an operation expects. */
export class ExpectedRules {
  readonly all: readonly ExpectedRule[];
  /** The rules that the operation has added or updated. */
  readonly edited: readonly ExpectedRule[];
  readonly #byTable: ReadonlyMap<string, readonly ExpectedRule[]>;

  constructor(all: readonly ExpectedRule[]) {
    this.all = all;
    this.edited = all.filter(({ isEdited }) => isEdited);
    this.#byTable = Map.groupBy(all, ({ parsed }) => getText(parsed.document['table']));
  }

  /** Returns the rules on some tables. */
  getRulesOnTables(tables: readonly string[] | 'any'): readonly ExpectedRule[] {
    return tables === 'any' ? this.all : tables.flatMap((table) => this.#byTable.get(table) ?? []);
  }
}

/** A change of the rules of one subject, and the rules that the operation expects afterward. */
export interface RuleStep {
  readonly writeIndices: readonly number[];
  /** The columns whose rules it changes. */
  readonly columnKeys: ReadonlySet<string>;
  readonly removesRules: boolean;
  readonly after: ExpectedRules;
}

/**
 * Returns the changes of the rules of a subject, each with the rules that the operation expects afterward.
 * @param groups the writes of each change, in order
 * @param rulesBefore the rules from before the operation
 */
export function getRuleSteps(
  groups: readonly RuleWriteGroup[],
  writes: readonly Write[],
  rulesBefore: readonly JsonObject[],
): readonly RuleStep[] {
  let rules = parseRuleDocuments(rulesBefore).map((parsed): ExpectedRule => ({ parsed, isEdited: false }));
  return groups.map((group): RuleStep => {
    const { columnKeys, wantedRules, removesRules } = getChange(group, writes, rules);
    rules = [...rules.filter(({ parsed }) => !columnKeys.has(parsed.columnKey)), ...wantedRules];
    return { writeIndices: group.writeIndices, columnKeys, removesRules, after: new ExpectedRules(rules) };
  });
}

function getChange(
  group: RuleWriteGroup,
  writes: readonly Write[],
  rules: readonly ExpectedRule[],
): { columnKeys: ReadonlySet<string>; wantedRules: readonly ExpectedRule[]; removesRules: boolean } {
  const [index = 0] = group.writeIndices;
  const write = writes[index];
  if (write !== undefined && !isGroupedRuleWrite(write)) {
    const { table, column } = write.params;
    const deleted = rules.filter(
      ({ parsed }) => parsed.document['table'] === table && parsed.document['column'] === column,
    );
    return {
      columnKeys: new Set(deleted.map(({ parsed }) => parsed.columnKey)),
      wantedRules: [],
      removesRules: true,
    };
  }
  const documents = rules.map(({ parsed }) => parsed.document);
  const { edits } = getRuleEdits(group, writes, documents);
  const target = createRuleTarget(group.subject.kind, documents, edits);
  const edited = new Set(rules.filter(({ isEdited }) => isEdited).map(({ parsed }) => parsed.document));
  return {
    columnKeys: target.columnKeys,
    wantedRules: target.wantedRules.map(({ parsed, isEdited }) => ({
      parsed,
      isEdited: isEdited || edited.has(parsed.document),
    })),
    removesRules: edits.some(({ before }) => before !== undefined),
  };
}
