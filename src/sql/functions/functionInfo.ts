/** A function of the platform's SQL dialect. */
export interface FunctionInfo {
  readonly name: string;
  /** The parameter names. One that starts with `…` may be repeated. */
  readonly parameters: readonly string[];
  readonly meaning: string;
  /** False if no published source documents the function. It is proposed, but marked as unverified. */
  readonly verified: boolean;
}

type FunctionRow = readonly [signature: string, meaning: string];

/** Creates functions from rows such as `['ADDDAYS(dt, n)', 'Date-time moved by n days']`. */
export function createFunctions(verified: boolean, rows: readonly FunctionRow[]): FunctionInfo[] {
  return rows.map(([signature, meaning]) => {
    const parenIndex = signature.indexOf('(');
    const parameterList = signature.slice(parenIndex + 1, -1);
    const parameters = parameterList === '' ? [] : parameterList.split(', ');
    return { name: signature.slice(0, parenIndex), parameters, meaning, verified };
  });
}
