import { type JsonObject, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import { computeEdits } from '../../json/text/computeEdits.ts';
import { isJsonArray, withProperty } from '../../json/text/copyOnWrite.ts';
import { parseLosslessJsonc } from '../../json/text/losslessJson.ts';
import { applyRuleSetEdit } from '../../security/form/applyRuleEdit.ts';
import { getFormPartyKey, readShareParty } from '../../security/form/readRuleFields.ts';
import type { FormGrant, FormParty } from '../../security/form/ruleEdit.ts';
import {
  createRuleMatrix,
  getCellKey,
  getMatrixColumnKey,
  toMatrixParty,
} from '../../security/matrix/ruleMatrix.ts';
import { parsePartyNumber } from '../../security/numberedParty.ts';
import { createContentFields } from '../../security/ruleFields.ts';
import { composeItemFile } from '../files/itemFile.ts';
import { formatJsonFile } from '../files/jsonFile.ts';
import type { FileItem } from '../files/project.ts';
import { foldPath } from '../fileNames.ts';
import { orderAsPulled } from '../instance/contentOrder.ts';
import { type ItemKey, formatItemKey } from '../item.ts';
import { assignPaths } from '../paths.ts';
import { findUnreadablePaths, belongsToSubject } from './fileRules.ts';
import type { RuleCellEdit, RuleFileChange, RulesEdit, RulesSubject } from './languageCalls.ts';
import { LocatedText } from './locatedText.ts';
import type { ProjectIndex } from './projectIndex.ts';

/**
 * Returns the changes that cells of the rules grid make to the files of a datamodel or cube set. A rule for a single
 * party is edited in place, so its comments and other members are kept. A rule for several parties stays the same for
 * the others, and the party gets a rule of its own. Rules on a column without a file get a new file, as a pull would
 * write it.
 * @throws RangeError for a cell that can't be changed (`ReadOnlyReason`)
 */
export function editFileRules(
  index: ProjectIndex,
  subject: RulesSubject,
  cells: readonly RuleCellEdit[],
): RulesEdit {
  const items = new Map(
    index.project.items
      .filter(({ key }) => belongsToSubject(key, subject))
      .map((item) => [formatItemKey(item.key), item]),
  );
  const columns = [
    ...Map.groupBy(cells, ({ column }) => getMatrixColumnKey(column.table, column.column)).values(),
  ].map((columnCells) => {
    const key = createKey(subject, columnCells);
    return { key, cells: columnCells, item: items.get(formatItemKey(key)) };
  });
  const newColumns = columns.filter(
    (column) => column.item === undefined && column.cells.some(({ value }) => value.length > 0),
  );
  const paths = assignPaths(
    newColumns.map(({ key }) => key),
    // SQL may be anywhere, so its path doesn't show the folder of its datamodel.
    index.project.items.filter(
      ({ key }) => key.kind !== 'tableExpression' && key.kind !== 'columnExpression',
    ),
  );
  const getNewPath = (key: ItemKey): string => paths.get(formatItemKey(key)) ?? '';
  if (newColumns.some(({ key }) => index.project.mayBeInUnreadFile(key))) {
    return { refusal: 'unreadable', paths: findUnreadablePaths(index, subject) };
  }
  const occupied = new Set(index.project.paths.map(foldPath));
  const takenPaths = newColumns
    .map(({ key }) => getNewPath(key))
    .filter((path) => occupied.has(foldPath(path)));
  if (takenPaths.length > 0) {
    return { refusal: 'unreadable', paths: takenPaths };
  }
  return {
    changes: [
      ...columns.flatMap((column) =>
        column.item === undefined ? [] : changeFile(column.item, column.cells),
      ),
      ...newColumns.map(
        (column): RuleFileChange => ({
          kind: 'create',
          path: getNewPath(column.key),
          text: composeNewFile(column.key, column.cells),
        }),
      ),
    ],
  };
}

function createKey(subject: RulesSubject, [cell]: readonly RuleCellEdit[]): ItemKey {
  const { table = '', column = '' } = cell?.column ?? {};
  return 'datamodel' in subject
    ? { kind: 'rules', datamodel: subject.datamodel, table, column }
    : { kind: 'cubeSetRules', cubeSet: subject.cubeSet, table, column };
}

function composeNewFile(key: ItemKey, cells: readonly RuleCellEdit[]): string {
  return formatJsonFile(composeItemFile({ key, content: orderAsPulled(key, createRules(cells)) }));
}

function changeFile(item: FileItem, cells: readonly RuleCellEdit[]): readonly RuleFileChange[] {
  const { path, key } = item;
  const located = new LocatedText(item);
  const json = parseLosslessJsonc(located.text);
  const before = isJsonArray(json.value) ? json.value : [];
  const after = changeRules(before, cells);
  if (after.length === 0) {
    return [{ kind: 'delete', path, textBefore: located.text }];
  }
  const edits = computeEdits(json, key.kind === 'cubeSetRules' ? after.map(withCubeSet(key.cubeSet)) : after);
  return edits.length === 0
    ? []
    : [
        {
          kind: 'edit',
          path,
          textBefore: located.text,
          edits: edits.map((edit) => ({ span: located.locate(edit).span, newText: edit.newText })),
        },
      ];
}

const withCubeSet =
  (cubeSet: string) =>
  (rule: JsonValue): JsonValue =>
    isJsonObject(rule) && !Object.hasOwn(rule, 'cubeSet') ? { cubeSet, ...rule } : rule;

/**
 * Returns the rules of a file with the new contents of cells. Unchanged parts stay identical (`===`).
 * @throws RangeError for a cell that can't be changed
 */
function changeRules(rules: readonly JsonValue[], cells: readonly RuleCellEdit[]): readonly JsonValue[] {
  const matrix = createRuleMatrix(rules, { needsIds: false });
  const newCells: RuleCellEdit[] = [];
  let changed: JsonValue = rules;
  for (const cell of cells) {
    const { party, column, value } = cell;
    const parties = [party, ...cell.aliases.map((id): FormParty => ({ type: party.type, id }))].filter(
      (candidate) => {
        const columnKey = getMatrixColumnKey(column.table, column.column);
        const current = matrix.cells.get(getCellKey(toMatrixParty(candidate).key, columnKey));
        if (current?.readOnlyReason !== undefined) {
          throw new RangeError(`The cell of ${getFormPartyKey(candidate)} on ${columnKey} cannot be changed`);
        }
        return current !== undefined;
      },
    );
    if (parties.length === 0) {
      newCells.push(cell);
    }
    changed = applyRuleSetEdit(withMemberLists(changed, parties), {
      kind: 'cells',
      // If files use several IDs for the party, only one of them keeps its rule.
      cells: parties.map((each, index) => ({ party: each, column, value: index === 0 ? value : [] })),
    });
  }
  const changedRules = isJsonArray(changed) ? changed : [];
  return newCells.length === 0 ? changedRules : [...changedRules, ...createRules(newCells)];
}

/**
 * Returns the rules with a list as `members` in the rules of some parties. Any other value of `members` means the same
 * as an empty list, but couldn't be edited.
 */
function withMemberLists(rules: JsonValue, parties: readonly FormParty[]): JsonValue {
  const keys = new Set(parties.map(getFormPartyKey));
  const hasParty = (rule: JsonValue): boolean => {
    const shares = getMember(rule, 'shares');
    return (
      isJsonArray(shares) &&
      shares.map(readShareParty).some((party) => party !== undefined && keys.has(getFormPartyKey(party)))
    );
  };
  const needsList = (rule: JsonValue): boolean =>
    !isJsonArray(getMember(rule, 'members') ?? []) && hasParty(rule);
  return isJsonArray(rules) && rules.some(needsList)
    ? rules.map((rule) => (needsList(rule) ? withProperty(rule, 'members', []) : rule))
    : rules;
}

/**
 * Creates rules for cells that have no rule yet. Parties with the same access to a column share a rule, except everyone
 * else (rest-api.md, "Kinds of rule" 1).
 */
function createRules(cells: readonly RuleCellEdit[]): readonly JsonObject[] {
  const grants = cells.flatMap(({ party, column, value }) =>
    value.map((grant, index) => ({
      party,
      column,
      grant,
      group: JSON.stringify([
        party.type === 'default',
        index,
        column.table,
        column.column,
        grant.kind,
        grant.values.toSorted(),
      ]),
    })),
  );
  return [...Map.groupBy(grants, ({ group }) => group).values()].flatMap((group) => {
    const [first] = group;
    return first === undefined
      ? []
      : [
          createRule(
            first.column,
            first.grant,
            group.map(({ party }) => party),
          ),
        ];
  });
}

/** Creates a rule as a pull writes it. */
function createRule(
  { table, column, datatype }: RuleCellEdit['column'],
  { kind, values }: FormGrant,
  parties: readonly FormParty[],
): JsonObject {
  return {
    table,
    column,
    datatype,
    // As in rules of live datamodels, `exclusionary` is there only if it's true.
    ...(createContentFields({ kind, values: new Set(values) }, 'live') as JsonObject),
    shares: parties.map(({ type, id = '' }): JsonObject => {
      const number = parsePartyNumber(id);
      return type === 'default' ? { type } : { type, party: number === undefined ? id : { bound: number } };
    }),
  };
}
