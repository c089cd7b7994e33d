import type { SelectQuery } from '../syntax/tree.ts';
import type { FromSource } from './source.ts';
import { SourceNames } from './sourceNames.ts';
import type { CteSymbol } from './symbols.ts';

/** A CTE with the environment of its body. */
export interface CteEntry {
  readonly symbol: CteSymbol;
  readonly key: string;
  readonly outer: Scope | undefined;
  env: CteEnvironment;
}

/** The CTEs that are visible at a place, nearest first. */
export interface CteEnvironment {
  readonly entry: CteEntry | undefined;
  readonly parent: CteEnvironment | undefined;
}

/** The meanings of names inside one select. */
export interface Scope {
  readonly select: SelectQuery | undefined;
  readonly sources: readonly FromSource[];
  /** The sources by name. */
  readonly names: SourceNames;
  readonly env: CteEnvironment;
  readonly parent: Scope | undefined;
}

export const createScope = (facts: Omit<Scope, 'names'>): Scope => ({
  ...facts,
  names: new SourceNames(facts.sources, facts.select),
});
