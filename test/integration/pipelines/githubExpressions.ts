import { type ExpressionError, Evaluator, Lexer, Parser, data } from '@actions/expressions';

/** The contexts that a workflow can read, such as `github` and `secrets`. */
export type Contexts = Readonly<Record<string, unknown>>;

/** The state of the job so far, which status functions such as `failure()` return. */
export type JobStatus = 'success' | 'failure';

const statusFunctions: Readonly<Record<string, (status: JobStatus) => boolean>> = {
  always: () => true,
  cancelled: () => false,
  failure: (status) => status === 'failure',
  success: (status) => status === 'success',
};

/** Evaluates an expression of GitHub Actions, with the library of its own editor extension. */
function evaluate(expression: string, contexts: Contexts, status: JobStatus): data.ExpressionData {
  const functions = Object.entries(statusFunctions).map(([name, get]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(get(status)),
  }));
  const { tokens } = new Lexer(expression).lex();
  try {
    const parsed = new Parser(tokens, Object.keys(contexts), functions).parse();
    const values = JSON.parse(JSON.stringify(contexts), data.reviver) as data.Dictionary;
    return new Evaluator(parsed, values, new Map(functions.map((item) => [item.name, item]))).evaluate();
  } catch (error) {
    throw new Error(`${expression}: ${(error as ExpressionError).message}`, { cause: error });
  }
}

/** Replaces the expressions in a text by their values. */
export const substitute = (text: string, contexts: Contexts): string =>
  text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) =>
    evaluate(expression.trim(), contexts, 'success').coerceString(),
  );

/** Returns whether a job or step runs. A condition without a status function applies only after a success. */
export function shouldRun(condition: string | undefined, contexts: Contexts, status: JobStatus): boolean {
  if (condition === undefined) {
    return status === 'success';
  }
  const [, expression = condition] = /^\$\{\{(.*)\}\}$/.exec(condition.trim()) ?? [];
  const hasStatusFunction = /\b(?:always|cancelled|failure|success)\(\)/.test(expression);
  const value = evaluate(expression.trim(), contexts, status);
  return (
    (hasStatusFunction || status === 'success') &&
    value.kind !== data.Kind.Null &&
    !['false', '', '0'].includes(value.coerceString())
  );
}
