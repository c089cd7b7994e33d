/** A function of the platform's SQL dialect. */
export interface FunctionInfo {
  readonly name: string;
  /** The name with its parameters: `ADDDAYS(dt, n)`. */
  readonly signature: string;
  /** The parameter names. One that starts with `…` may be repeated. */
  readonly parameters: readonly string[];
  /** A short English description; the UI translates it. */
  readonly meaning: string;
  /** False if no published source documents the function. It is proposed, but marked as unverified. */
  readonly verified: boolean;
}

/** Creates functions from their meanings by signature, such as `'ADDDAYS(dt, n)': 'Date and time plus n days'`. */
export function createFunctions(
  verified: boolean,
  meanings: Readonly<Record<string, string>>,
): FunctionInfo[] {
  return Object.entries(meanings).map(([signature, meaning]) => {
    const parenIndex = signature.indexOf('(');
    const parameterList = signature.slice(parenIndex + 1, -1);
    const parameters = parameterList === '' ? [] : parameterList.split(', ');
    return { name: signature.slice(0, parenIndex), signature, parameters, meaning, verified };
  });
}
