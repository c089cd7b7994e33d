/** A function of the platform's dialect. */
export interface FunctionInfo {
  readonly name: string;
  /** A last parameter that starts with `…` may be repeated. */
  readonly parameters: readonly string[];
  readonly meaning: string;
  /** False if no published source names it: it is offered, but marked as unverified. */
  readonly verified: boolean;
}

type FunctionRow = readonly [signature: string, meaning: string];

/** Creates functions from rows like `['ADDDAYS(dt, n)', 'date-time moved by n days']`. */
export function createFunctions(verified: boolean, rows: readonly FunctionRow[]): FunctionInfo[] {
  return rows.map(([signature, meaning]) => {
    const open = signature.indexOf('(');
    const inside = signature.slice(open + 1, -1);
    const parameters = inside === '' ? [] : inside.split(', ');
    return { name: signature.slice(0, open), parameters, meaning, verified };
  });
}
