import type { JsonObject } from '../../base/json.ts';
import { checkExpression, getQueryColumns } from './checkExpression.ts';
import { FilterError, findMatchingObjects } from './customDataFilter.ts';
import type {
  BuiltColumn,
  SqlCheckRequest,
  EngineTasks,
  MatchResult,
  SqlCheckResult,
} from './buildEngine.ts';

/** A task as it is sent to an engine process. */
export type EngineTask =
  | { readonly kind: 'check'; readonly datamodel: JsonObject; readonly request: SqlCheckRequest }
  | { readonly kind: 'columns'; readonly datamodel: JsonObject; readonly sql: string }
  | { readonly kind: 'filter'; readonly filter: string; readonly objects: readonly string[] };

/** The result of a task; its type depends on the kind of the task. */
export type TaskResult =
  | SqlCheckResult
  | MatchResult
  | { readonly columns: readonly BuiltColumn[] | undefined };

/** Names of the tasks in messages about an exceeded limit. */
export const taskNames: Readonly<Record<EngineTask['kind'], string>> = {
  check: 'The check of the expression',
  columns: 'The check of the expression',
  filter: 'The filter',
};

/** Runs a task in the calling thread. */
export function runTask(task: EngineTask): TaskResult {
  switch (task.kind) {
    case 'check':
      return checkExpression(task.datamodel, task.request);
    case 'columns':
      return { columns: getQueryColumns(task.datamodel, task.sql) };
    case 'filter':
      return findMatching(task.filter, task.objects);
  }
}

function findMatching(filter: string, objects: readonly string[]): MatchResult {
  try {
    return { matchingIndexes: findMatchingObjects(filter, objects) };
  } catch (error) {
    if (error instanceof FilterError) {
      return { error: error.message };
    }
    throw error;
  }
}

/** The outcome of a task: its result, or an error message if it exceeded a limit or its process ended. */
export type TaskOutcome = { readonly result: TaskResult } | { readonly stopMessage: string };

/** Creates an implementation of EngineTasks that runs each task with `run`. */
export function createEngineTasks(run: (task: EngineTask) => Promise<TaskOutcome>): EngineTasks {
  return {
    async checkExpression(datamodel, request) {
      const outcome = await run({ kind: 'check', datamodel, request });
      return 'stopMessage' in outcome
        ? { ok: false, message: outcome.stopMessage }
        : (outcome.result as SqlCheckResult);
    },
    async getQueryColumns(datamodel, sql) {
      const outcome = await run({ kind: 'columns', datamodel, sql });
      return 'stopMessage' in outcome
        ? undefined
        : (outcome.result as { columns?: readonly BuiltColumn[] }).columns;
    },
    async findMatching(filter, objects) {
      const outcome = await run({ kind: 'filter', filter, objects });
      return 'stopMessage' in outcome ? { error: outcome.stopMessage } : (outcome.result as MatchResult);
    },
  };
}
