/** A set of values of one column: exactly these values, or all but these. */
export interface ValueSet {
  readonly kind: 'only' | 'except';
  readonly values: ReadonlySet<string>;
}

export const allValues: ValueSet = { kind: 'except', values: new Set() };
export const noValues: ValueSet = { kind: 'only', values: new Set() };

export const isAllValues = (set: ValueSet): boolean => set.kind === 'except' && set.values.size === 0;
export const isNoValues = (set: ValueSet): boolean => set.kind === 'only' && set.values.size === 0;
/** Returns whether the set is all values but some, as granted by an exclusionary rule. */
export const isExclusion = (set: ValueSet): boolean => set.kind === 'except' && set.values.size > 0;

/** Returns the values in both sets. */
export function intersect(a: ValueSet, b: ValueSet): ValueSet {
  if (a.kind === 'only') {
    const values = b.kind === 'only' ? a.values.intersection(b.values) : a.values.difference(b.values);
    return { kind: 'only', values };
  }
  return b.kind === 'only' ? intersect(b, a) : { kind: 'except', values: a.values.union(b.values) };
}

/** Returns the values in at least one of the sets. */
export function union(a: ValueSet, b: ValueSet): ValueSet {
  if (a.kind === 'except') {
    const values = b.kind === 'except' ? a.values.intersection(b.values) : a.values.difference(b.values);
    return { kind: 'except', values };
  }
  return b.kind === 'except' ? union(b, a) : { kind: 'only', values: a.values.union(b.values) };
}

/**
 * Returns the values in at least one of several sets; none for an empty list. Takes time linear in the number of
 * values.
 */
export function unionAll(sets: readonly ValueSet[]): ValueSet {
  const listedValues = new Set<string>();
  let hiddenValues: ReadonlySet<string> | undefined;
  for (const { kind, values } of sets) {
    if (kind === 'except') {
      hiddenValues = hiddenValues === undefined ? values : hiddenValues.intersection(values);
    } else {
      for (const value of values) {
        listedValues.add(value);
      }
    }
  }
  return hiddenValues === undefined
    ? { kind: 'only', values: listedValues }
    : { kind: 'except', values: hiddenValues.difference(listedValues) };
}

/** Returns the values in all of several sets; all for an empty list. Takes time linear in the number of values. */
export function intersectAll(sets: readonly ValueSet[]): ValueSet {
  const hiddenValues = new Set<string>();
  let listedValues: ReadonlySet<string> | undefined;
  for (const { kind, values } of sets) {
    if (kind === 'only') {
      listedValues = listedValues === undefined ? values : listedValues.intersection(values);
    } else {
      for (const value of values) {
        hiddenValues.add(value);
      }
    }
  }
  return listedValues === undefined
    ? { kind: 'except', values: hiddenValues }
    : { kind: 'only', values: listedValues.difference(hiddenValues) };
}

export const isSameValueSet = (a: ValueSet, b: ValueSet): boolean =>
  a.kind === b.kind && a.values.size === b.values.size && a.values.isSubsetOf(b.values);

/** Returns whether every value of a set is in another one. A column is taken to have values that no rule names. */
export function isSubset(a: ValueSet, b: ValueSet): boolean {
  if (a.kind === 'only') {
    return b.kind === 'only' ? a.values.isSubsetOf(b.values) : a.values.isDisjointFrom(b.values);
  }
  return b.kind === 'except' && b.values.isSubsetOf(a.values);
}
