import { StepTimeout } from './diagnosisContext.ts';

/** The code of a failure below HTTP: Node's own, `timeout`, or the name of the error. */
export function getFailureCode(error: unknown): string {
  if (error instanceof StepTimeout) {
    return 'timeout';
  }
  // All addresses of a host were tried: the first failure is as informative as the others.
  const firstError: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(firstError instanceof Error)) {
    return String(firstError);
  }
  const code: unknown = Reflect.get(firstError, 'code');
  return typeof code === 'string' ? code : firstError.name;
}
