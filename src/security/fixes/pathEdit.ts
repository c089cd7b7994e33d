import { isObject } from '../readRule.ts';

export type Path = readonly (string | number)[];

/**
 * A change of a parsed JSON value, by path; those of one fix are made one after another. `set` replaces or adds a
 * property or replaces an item, `insert` puts an item before the one at the path, `remove` takes either away. They
 * are what `modify` of jsonc-parser takes, so that an editor changes its text no more than needed.
 */
export type PathEdit =
  | { readonly op: 'set' | 'insert'; readonly path: Path; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: Path };

/** The value with the edits made; the value itself is not changed. An edit whose place is not there does nothing. */
export function applyEdits(value: unknown, edits: readonly PathEdit[]): unknown {
  return edits.reduce((result, edit) => applyAt(result, edit.path, edit), value);
}

function applyAt(value: unknown, [key, ...rest]: Path, edit: PathEdit): unknown {
  if (key === undefined) {
    return edit.op === 'set' ? edit.value : value;
  }
  if (Array.isArray(value) && typeof key === 'number') {
    return rest.length === 0 ? editItem(value, key, edit) : value.with(key, applyAt(value[key], rest, edit));
  }
  if (!isObject(value) || typeof key !== 'string') {
    return value;
  }
  if (rest.length > 0) {
    return key in value ? { ...value, [key]: applyAt(value[key], rest, edit) } : value;
  }
  if (edit.op === 'remove') {
    const { [key]: _removed, ...others } = value;
    return others;
  }
  return { ...value, [key]: edit.value };
}

function editItem(list: readonly unknown[], index: number, edit: PathEdit): readonly unknown[] {
  if (index > list.length || (index === list.length && edit.op !== 'insert')) {
    return list;
  }
  switch (edit.op) {
    case 'set':
      return list.with(index, edit.value);
    case 'insert':
      return list.toSpliced(index, 0, edit.value);
    case 'remove':
      return list.toSpliced(index, 1);
  }
}
