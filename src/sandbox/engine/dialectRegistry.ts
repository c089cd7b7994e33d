import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { dateFunctions } from './dialectDates.ts';
import type { DialectFunction } from './dialectFunction.ts';
import { numberFunctions, registerAggregates } from './dialectNumbers.ts';
import { textFunctions } from './dialectTexts.ts';

/** The dialect's scalar functions beyond SQLite's own, by lowercase name. */
const scalarFunctions: Readonly<Record<string, DialectFunction>> = {
  ...dateFunctions,
  ...textFunctions,
  ...numberFunctions,
};

/**
 * Wraps a function: checks the number of arguments, returns null for null arguments, and adds its name to errors,
 * except for the internal `dm_…` functions that the SQL rewriter inserts.
 */
function wrapFunction(name: string, { arity: [minimum, maximum], strict, apply }: DialectFunction) {
  return (...args: SQLOutputValue[]): SQLInputValue => {
    if (args.length < minimum || args.length > maximum) {
      throw new Error(`wrong number of arguments to function ${name.toUpperCase()}()`);
    }
    if (strict !== false && args.includes(null)) {
      return null;
    }
    try {
      return apply(args);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(name.startsWith('dm_') ? message : `${name.toUpperCase()}: ${message}`, {
        cause: error,
      });
    }
  };
}

/**
 * Registers the functions of the platform's dialect on a connection (platform-facts.md, 5.4, 5.5). Function names are
 * case-insensitive.
 */
export function registerDialect(db: DatabaseSync): void {
  for (const [name, definition] of Object.entries(scalarFunctions)) {
    db.function(
      name,
      { varargs: true, deterministic: definition.volatile !== true, useBigIntArguments: true },
      wrapFunction(name, definition),
    );
  }
  registerAggregates(db);
}
