import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { getSubjectTitle, type RuleSubject } from '../../catalog/ruleSubject.ts';
import { livePrefix } from '../../contract/rule.ts';
import { calendarSuffix } from '../../contract/terms.ts';
import type { Viewpoint } from '../../contract/viewpoint.ts';

/** The name of a column that a viewpoint refers to. */
export interface ViewpointColumnName {
  readonly table: string;
  readonly column: string;
}

/**
 * Returns the names of the columns that a viewpoint refers to, each once: in its columns, in their filters (a ranking
 * refers to the column it ranks by), and in the contexts of formulas (platform-facts.md, 5).
 */
export function getViewpointColumns({ details }: Viewpoint): readonly ViewpointColumnName[] {
  const columns = new Map<string, ViewpointColumnName>();
  const queue: JsonValue[] = [(details?.columns ?? []) as JsonValue];
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (Array.isArray(value)) {
      queue.push(...(value as readonly JsonValue[]));
    } else if (isJsonObject(value)) {
      const columnName = toColumnName(value['table'], value['column']) ?? parseDim(value['dim']);
      if (columnName !== undefined) {
        columns.set(JSON.stringify([columnName.table, columnName.column]), columnName);
      }
      queue.push(...Object.values(value));
    }
  }
  return [...columns.values()];
}

const toColumnName = (table: unknown, column: unknown): ViewpointColumnName | undefined =>
  typeof table === 'string' && table !== '' && typeof column === 'string' && column !== ''
    ? { table, column }
    : undefined;

/** Parses `[Table.Column]`. A name may contain dots, so the first dot is taken as the separator. */
function parseDim(dim: unknown): ViewpointColumnName | undefined {
  const inner = typeof dim === 'string' ? /^\[(.+)\]$/s.exec(dim.trim())?.[1] : undefined;
  const dot = inner?.indexOf('.') ?? -1;
  if (inner === undefined || dot < 1) {
    return undefined;
  }
  const column = inner.slice(dot + 1);
  return {
    table: inner.slice(0, dot),
    column: column.endsWith(calendarSuffix) ? column.slice(0, -calendarSuffix.length) : column,
  };
}

/**
 * Returns whether a viewpoint reads from a datamodel or cube set: its datasource contains the full name, `server/title`
 * or `live:title`, or only the title (rest-api.md, "ViewpointDetails"). Titles are case sensitive, server names are not
 * (platform-facts.md, 3.1).
 */
export function readsFromSubject({ details }: Viewpoint, subject: RuleSubject): boolean {
  const { title, fullname } = details?.datasource ?? {};
  const name = getSubjectTitle(subject);
  if (!fullname) {
    return title === name;
  }
  if (subject.kind === 'live') {
    return fullname === `${livePrefix}${name}`;
  }
  const slash = fullname.indexOf('/');
  const isSameServer = fullname.slice(0, slash).toLowerCase() === subject.server.toLowerCase();
  return slash < 0 ? fullname === name : isSameServer && fullname.slice(slash + 1) === name;
}
