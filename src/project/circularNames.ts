import { type JsonValue, isJsonObject } from '../base/json.ts';
import { renamedFromMember } from './item.ts';

/** Returns the names of the columns of a table that exchange their names, by the indexes of the columns. */
export function findCircularColumns(table: JsonValue): ReadonlyMap<number, string> {
  const columns = isJsonObject(table) ? table['columns'] : undefined;
  const named = (Array.isArray(columns) ? (columns as readonly JsonValue[]) : []).flatMap((column, index) =>
    isJsonObject(column) &&
    typeof column['name'] === 'string' &&
    typeof column[renamedFromMember] === 'string'
      ? [{ index, name: column['name'], formerName: column[renamedFromMember] }]
      : [],
  );
  const circularNames = findCircularNames(new Map(named.map(({ name, formerName }) => [name, formerName])));
  return new Map(named.filter(({ name }) => circularNames.has(name)).map(({ index, name }) => [index, name]));
}

/**
 * Returns the names that are exchanged in a circle: each is the former name of another one in the circle.
 * @param formerNames the former name by the new one
 */
export function findCircularNames(formerNames: ReadonlyMap<string, string>): ReadonlySet<string> {
  const isCircular = (name: string): boolean => {
    const visited = new Set([name]);
    let former = formerNames.get(name);
    while (former !== undefined && !visited.has(former)) {
      visited.add(former);
      former = formerNames.get(former);
    }
    // A name that is its own former one is not a rename.
    return former === name && visited.size > 1;
  };
  return new Set([...formerNames.keys()].filter(isCircular));
}
