import type { Select } from '../syntax/tree.ts';
import type { Source } from './source.ts';
import { SourceNames } from './sourceNames.ts';
import type { CteSymbol } from './symbols.ts';

/** A CTE with the surroundings in which its body is read. */
export interface CteEntry {
  readonly symbol: CteSymbol;
  readonly key: string;
  readonly outer: Scope | undefined;
  env: Env;
}

/** The CTEs that can be named at a place, the nearest first. */
export interface Env {
  readonly entry: CteEntry | undefined;
  readonly parent: Env | undefined;
}

/** What names mean inside one select. */
export interface Scope {
  readonly select: Select | undefined;
  readonly sources: readonly Source[];
  /** The sources by name. */
  readonly names: SourceNames;
  readonly env: Env;
  readonly parent: Scope | undefined;
}

export const scopeOf = (facts: Omit<Scope, 'names'>): Scope => ({
  ...facts,
  names: new SourceNames(facts.sources, facts.select),
});
