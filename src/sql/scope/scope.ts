import type { SelectQuery } from '../syntax/tree.ts';
import type { FromSource } from './source.ts';
import { ScopeSourceIndex } from './scopeSourceIndex.ts';
import type { CteSymbol } from './symbols.ts';

/** A CTE with the CTEs and the scope that its body can use. */
export interface CteEntry {
  readonly symbol: CteSymbol;
  /** The name as compared with others: without quotes, and in lower case. */
  readonly key: string;
  /** The scope around the query that declares the CTE. */
  readonly outerScope: Scope | undefined;
  env: CteEnvironment;
}

/** A linked list of the visible CTEs, innermost first. */
export interface CteEnvironment {
  readonly entry: CteEntry | undefined;
  readonly parent: CteEnvironment | undefined;
  /**
   * True for the entry of a CTE in its own body, without RECURSIVE. There, its name refers to the table with the same
   * name if the catalog has one.
   */
  readonly tablesComeFirst?: boolean;
}

/** The sources and CTEs that names in a select can refer to. */
export interface Scope {
  readonly select: SelectQuery | undefined;
  readonly sources: readonly FromSource[];
  /** Index of the sources by name and column. */
  readonly sourceIndex: ScopeSourceIndex;
  readonly env: CteEnvironment;
  readonly parent: Scope | undefined;
}

export const createScope = (properties: Omit<Scope, 'sourceIndex'>): Scope => ({
  ...properties,
  sourceIndex: new ScopeSourceIndex(properties.sources, properties.select),
});
