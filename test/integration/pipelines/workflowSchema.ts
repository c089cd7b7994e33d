import { registerHooks } from 'node:module';

// The library imports JSON without the attribute that Node requires.
registerHooks({
  load: (url, context, nextLoad) =>
    nextLoad(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});

/** Returns the errors that GitHub would report for a workflow, by the schema of its own editor extension. */
export async function findWorkflowErrors(name: string, content: string): Promise<readonly string[]> {
  const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser');
  const { context } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}
