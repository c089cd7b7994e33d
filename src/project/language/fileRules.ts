import { type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import { getPathRange } from '../../json/text/pathRange.ts';
import { parseJsonTree } from '../../json/text/parseJsonTree.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { toMemberText } from '../../security/readRules.ts';
import { getFileKind, getPossibleKinds } from '../files/fileKinds.ts';
import type { FileItem } from '../files/project.ts';
import type { ItemKey } from '../item.ts';
import { LocatedText } from './locatedText.ts';
import type { FileLocation, FileRules, RuleLocation, RulesSubject } from './languageCalls.ts';
import type { ProjectIndex } from './projectIndex.ts';

/** A name that no table or column has: if its rules are unknown, unread files may have rules on any column. */
const impossibleName = '\0';

/** Numbers the items that rules are read from. Unchanged files keep their items, so equal numbers mean equal rules. */
export class RuleVersions {
  readonly #numbers = new WeakMap<FileItem, number>();
  #next = 0;

  getVersion(items: readonly FileItem[], unreadable: readonly string[] | undefined): string {
    return [JSON.stringify(unreadable), ...items.map((item) => this.#getNumber(item))].join(' ');
  }

  #getNumber(item: FileItem): number {
    const number = this.#numbers.get(item) ?? this.#next++;
    this.#numbers.set(item, number);
    return number;
  }
}

/**
 * Returns the rules of a datamodel or cube set from all of its files. Members are texts, because the platform compares
 * them as such (platform-facts.md, 3.2). If `since`, the version that the caller has, is still the current one, the
 * rules are absent.
 */
export function readFileRules(
  index: ProjectIndex,
  versions: RuleVersions,
  { subject, since }: { readonly subject: RulesSubject; readonly since: string | undefined },
): FileRules {
  const items = index.project.items.filter(({ key }) => belongsToSubject(key, subject));
  const unreadablePaths = mayHaveOtherRules(index, subject) ? findUnreadablePaths(index, subject) : undefined;
  const state = {
    version: versions.getVersion(items, unreadablePaths),
    ...(unreadablePaths === undefined ? {} : { unreadablePaths }),
  };
  if (state.version === since) {
    return state;
  }
  const places: RuleLocation[] = [];
  const rules: JsonValue[] = [];
  for (const { path, content } of items) {
    for (const [position, rule] of (isJsonArray(content) ? content : []).entries()) {
      places.push({ path, index: position });
      rules.push(stringifyMembers(rule));
    }
  }
  return { ...state, rules, ruleLocations: places };
}

/** Returns where a rule is in its file; `undefined` if the file no longer exists. */
export function locateRule(project: ProjectIndex, { path, index }: RuleLocation): FileLocation | undefined {
  const item = project.find(path);
  const located = item && new LocatedText(item);
  return located?.locate(getPathRange(parseJsonTree(located.text), [index]));
}

/** Returns whether an item has rules of this datamodel or cube set. */
export const belongsToSubject = (key: ItemKey, subject: RulesSubject): boolean =>
  'datamodel' in subject
    ? key.kind === 'rules' && key.datamodel === subject.datamodel
    : key.kind === 'cubeSetRules' && key.cubeSet === subject.cubeSet;

/** Returns the files and folders that may have rules of a datamodel or cube set, but can't be read. */
export function findUnreadablePaths(index: ProjectIndex, subject: RulesSubject): readonly string[] {
  const kind = 'datamodel' in subject ? 'rules' : 'cubeSetRules';
  const paths = index.project.problems
    .filter(
      ({ path, severity, code }) =>
        severity === 'error' &&
        getPossibleKinds(path).includes(kind) &&
        (!('datamodel' in subject) ||
          // A misplaced file may belong to any datamodel.
          code === 'misplaced-file' ||
          [undefined, subject.datamodel].includes(index.getDatamodelOfFolder(path))),
    )
    .map(({ path }) => path);
  return [...new Set(paths)];
}

/** Returns whether there may be further rules: in files that can't be read, or in two files for the same column. */
function mayHaveOtherRules(index: ProjectIndex, subject: RulesSubject): boolean {
  const names = { table: impossibleName, column: impossibleName };
  const kind = 'datamodel' in subject ? 'rules' : 'cubeSetRules';
  return (
    index.project.mayBeInUnreadFile(
      'datamodel' in subject
        ? { kind: 'rules', datamodel: subject.datamodel, ...names }
        : { kind: 'cubeSetRules', cubeSet: subject.cubeSet, ...names },
    ) ||
    // If the rules on one column are in two files, neither is among the items.
    index.project.problems.some(
      ({ code, path }) =>
        code === 'duplicate-item' &&
        getFileKind(path) === kind &&
        (!('datamodel' in subject) || index.getDatamodelOfFolder(path) === subject.datamodel),
    )
  );
}

function stringifyMembers(rule: JsonValue): JsonValue {
  const members = getMember(rule, 'members');
  return isJsonObject(rule) && isJsonArray(members)
    ? { ...rule, members: members.map((member) => toMemberText(member) ?? member) }
    : rule;
}
